"""The analysis through the page: candidates, lines, the curve of a game, two algorithms side by side."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
expect.set_options(timeout=120_000)  # where nothing is compiled yet

SLIP = "4444223"  # the sixth move loses


def link(game, moves=(), **given):
    said = {
        "game": game,
        "moves": "~".join(quote(m, safe="") for m in moves),
        "algorithm": "engine:seconds=0.5",
    }
    return "#/analyse?" + "&".join(f"{name}={value}" for name, value in (said | given).items() if value != "")


def moves(page):
    return page.locator(".move-list .move")


def candidates(page):
    return page.get_by_role("list", name="Candidate moves").get_by_role("listitem")


def test_candidates_are_painted_and_listed(new_page):
    page = new_page(link("tic-tac-toe", "519"))
    expect(page.locator(".value")).to_have_count(6)
    expect(candidates(page)).to_have_count(3)
    expect(page.locator(".ring-mark.best")).to_have_count(1)
    expect(page.get_by_role("region", name="Analysis")).to_contain_text("Depth")
    expect(page.locator("#said")).to_contain_text("The best move is")
    page.get_by_label("Lines").select_option("1")
    expect(candidates(page)).to_have_count(1)


def test_the_best_move_of_pieces_that_walk_is_an_arrow(new_page):
    page = new_page(link("pawn-walk"))
    expect(page.locator(".arrow.best")).to_have_count(1)


def test_a_move_of_a_line_leads_there(new_page):
    page = new_page(link("connect-four", "44"))
    line = candidates(page).first.get_by_role("button")
    expect(line.nth(1)).to_be_visible()
    words = [line.nth(0).inner_text(), line.nth(1).inner_text()]
    line.nth(1).click()
    expect(moves(page)).to_have_text(["4", "4", *words])


def test_a_move_is_not_lost_when_the_list_changes_under_the_pointer(new_page):
    page = new_page(link("connect-four", "44"))
    move = candidates(page).first.get_by_role("button").first
    expect(move).to_be_visible()
    expect(page.locator("#said")).to_contain_text("The best move is")  # the analysis has ended
    word = move.inner_text()
    move.hover()
    page.mouse.down()
    page.evaluate(
        """async () => {
            const {h, refill} = await import("./dom.js");
            refill(document.querySelector(".candidates"), h("li", {}, "later"));
        }"""
    )
    page.mouse.up()
    expect(moves(page)).to_have_text(["4", "4", word])


def test_it_runs_and_stops(new_page):
    page = new_page(link("othello", algorithm="engine:seconds=60", run="0"))
    run = page.get_by_role("region", name="Analysis").get_by_role(
        "button", name=re.compile("^(Analyse|Stop)$")
    )
    expect(run).to_have_text("Analyse")
    expect(candidates(page)).to_have_count(0)
    run.click()
    expect(candidates(page)).to_have_count(3)
    expect(run).to_have_text("Stop")
    run.click()
    expect(run).to_have_text("Analyse")
    expect(candidates(page)).to_have_count(3)
    assert "run=0" in page.url


def test_the_curve_of_a_game_and_its_slips(new_page):
    page = new_page(link("connect-four", SLIP, run="0"))
    page.get_by_role("button", name="Review the game").click()
    slips = page.get_by_role("region", name="Mistakes")
    expect(slips).to_contain_text("Yellow 2??")
    expect(moves(page).nth(5)).to_contain_text("??")
    curve = page.get_by_role("slider", name="Value over the game")
    expect(curve).to_have_attribute("aria-valuenow", "7")
    slips.get_by_role("button").click()
    expect(curve).to_have_attribute("aria-valuenow", "6")
    expect(page.locator(".slip-text")).to_contain_text("The best move was")
    curve.focus()
    page.keyboard.press("Home")
    expect(page.locator(".piece")).to_have_count(0)
    box = curve.bounding_box()
    curve.click(position={"x": box["width"] - 2, "y": 20})
    expect(page.locator(".piece")).to_have_count(7)
    page.reload()  # the review is part of the link
    expect(slips).to_contain_text("Yellow 2??")


def test_another_move_leaves_the_game(new_page):
    page = new_page(link("tic-tac-toe", "519", at="1"))
    expect(page.locator(".piece")).to_have_count(1)
    page.get_by_role("button", name=re.compile("^a3")).click()
    expect(moves(page)).to_have_text(["5", "7"])


def tree(page):
    return page.get_by_role("group", name="Variations")


def tree_move(page, name):
    return tree(page).get_by_role("button", name=name, exact=True)


def test_no_click_loses_a_game(new_page):
    played = list("1234567")
    page = new_page(link("connect-four", played, at="2", algorithm="alpha-beta:seconds=0.5"))
    line = candidates(page).first.get_by_role("button")
    expect(line.nth(1)).to_be_visible()
    words = [line.nth(0).inner_text(), line.nth(1).inner_text()]
    assert words[0] != "3"
    line.nth(1).click()
    expect(moves(page)).to_have_text(["1", "2", *words])
    expect(tree(page).get_by_role("button")).to_have_count(9)
    page.reload()
    tree(page).locator("> .move").nth(2).click()
    expect(moves(page)).to_have_text(played)
    expect(moves(page).nth(2)).to_have_attribute("aria-current", "true")
    tree(page).locator(".branch .move").nth(1).click()
    expect(moves(page)).to_have_text(["1", "2", *words])
    page.get_by_role("link", name="Play from here").click()
    page.get_by_role("link", name="Analyse this game").click()
    expect(tree(page).get_by_role("button")).to_have_count(9)
    other = new_page(page.url.split("/", 3)[3])  # a link tells both
    expect(tree(other).get_by_role("button")).to_have_count(9)


def test_variations_are_commented_promoted_deleted_saved_and_loaded(new_page):
    page = new_page(link("chess", ["e4", "e5", "Nf3"], at="1", run="0"))
    for name in ("c7", "c5"):
        page.get_by_role("button", name=re.compile(f"^{name}(,|$)")).click()
    expect(moves(page)).to_have_text(["e4", "c5"])
    expect(tree(page).get_by_role("button")).to_have_text(["1. e4", "e5", "1… c5", "2. Nf3"])
    page.get_by_text("Comments and signs").click()
    page.get_by_role("button", name="Sign !", exact=True).click()
    expect(moves(page).nth(1)).to_have_text("c5!")
    page.get_by_role("textbox", name="Comment").fill("Sicilian")
    page.get_by_role("button", name="Promote the variation").click()
    expect(tree(page)).to_contain_text("Sicilian")
    expect(tree(page).locator(".branch")).to_have_text("1… e52. Nf3")
    page.get_by_role("button", name="Position and game…").click()
    record = page.get_by_role("textbox", name="Game record")
    expect(record).to_have_value(re.compile(r"1\. e4 c5 \$1 \{Sicilian\} \(1\.\.\. e5 2\. Nf3\)"))
    record.fill("1. d4 d5 (1... Nf6 {Indian} 2. c4 (2. Nf3)) 2. c4 $1")
    page.get_by_role("button", name="Load this text").click()
    expect(tree(page).locator("> .branch")).to_have_count(1)
    expect(tree(page).locator(".branch .branch")).to_have_text("2. Nf3")
    expect(moves(page)).to_have_text(["d4", "d5", "c4!"])
    tree(page).get_by_role("button", name="Nf6").click()
    expect(moves(page)).to_have_text(["d4", "Nf6", "c4"])
    page.get_by_role("button", name="Delete from here").click()
    expect(tree(page).locator(".branch")).to_have_count(0)
    expect(moves(page)).to_have_text(["d4", "d5", "c4!"])
    page.reload()
    expect(moves(page)).to_have_text(["d4", "d5", "c4!"])


def test_settings_of_a_link_are_checked(new_page):
    page = new_page(link("tic-tac-toe", "519", algorithm="engine:depth=x,seconds=0.2", lines="-4", at="1.5"))
    expect(page.locator("#toast")).to_contain_text("depth must be a whole number")
    expect(candidates(page)).to_have_count(3)
    expect(page.get_by_label("Lines")).to_have_value("3")


LUMINANCE = """(pill) => {
    const light = (text) => {
        const [r, g, b] = text.match(/[\\d.]+/g).map(Number)
            .map((part) => (text.startsWith("color") ? part : part / 255))
            .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const look = getComputedStyle(pill);
    const [a, b] = [light(look.color), light(look.backgroundColor)];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_values_can_be_read_in_both_themes(new_page, theme):
    """WCAG AA: 4.5 to 1. The board's values are text on a filled shape; those of the list on a pill."""
    page = new_page(link("tic-tac-toe", run="0"), color_scheme=theme)
    expect(page.locator(".cell.can").first).to_be_visible()
    ratios = page.evaluate(
        """(measure) => [0, 1, 2, 3, 4].flatMap((place) => {
            const pill = document.createElement("b");
            pill.className = `pill e${place}`;
            const value = document.createElement("div");
            const shape = document.createElementNS("http://www.w3.org/2000/svg", "g");
            shape.setAttribute("class", `value e${place}`);
            for (const tag of ["rect", "text"])
                shape.append(document.createElementNS("http://www.w3.org/2000/svg", tag));
            document.querySelector("g-board svg").append(shape);
            document.body.append(pill, value);
            const [rect, text] = shape.children;
            value.style.backgroundColor = getComputedStyle(rect).fill;
            value.style.color = getComputedStyle(text).fill;
            return [eval(measure)(pill), eval(measure)(value)];
        })""",
        LUMINANCE,
    )
    assert min(ratios) >= 4.5, ratios


def test_two_algorithms_side_by_side(new_page):
    page = new_page(link("connect-four", "44", run="0", versus="minimax:depth=5~alpha-beta:depth=5"))
    page.get_by_role("button", name="Compare").click()
    table = page.locator(".counters-table")
    nodes = table.get_by_role("row", name="Nodes").first.get_by_role("cell")
    expect(nodes.nth(1)).to_have_text(re.compile(r"^[\d,]+$"))
    plain, cut = (int(nodes.nth(n).inner_text().replace(",", "")) for n in (0, 1))
    assert cut < plain
    values = table.get_by_role("row", name="Value").get_by_role("cell")
    assert values.nth(0).inner_text() == values.nth(1).inner_text()
    assert "versus=minimax:depth=5~alpha-beta:depth=5" in page.url


def test_nothing_is_shown_of_moves_that_lost_before_a_review(new_page):
    page = new_page(link("tic-tac-toe"))
    expect(candidates(page)).to_have_count(3)
    expect(page.get_by_role("region", name="Mistakes")).to_be_hidden()


def test_the_game_goes_along_from_play_to_analysis(new_page):
    page = new_page("#/play?game=tic-tac-toe&moves=5~1&seats=person~person")
    page.get_by_role("link", name="Analyse this game").click()
    expect(moves(page)).to_have_text(["5", "1"])
    page.get_by_role("link", name="Play", exact=True).click()
    expect(page.locator(".status")).to_have_text("X to move.")
    expect(moves(page)).to_have_text(["5", "1"])


def test_a_game_of_chance_and_one_that_is_over(new_page):
    page = new_page(link("dice-race", algorithm=""))
    expect(page.get_by_text("Chance decides here.")).to_be_visible()
    page.goto(page.url.split("#")[0] + link("tic-tac-toe", "14253"))
    expect(page.get_by_role("region", name="Analysis")).to_contain_text("X wins")


def test_spanish_and_narrow(new_page):
    page = new_page(link("othello", ["f5"], review="1"), locale="es-ES", width=360, height=740)
    expect(page.get_by_role("region", name="Análisis")).to_contain_text("Profundidad")
    expect(page.locator("g-curve")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_algorithm_pages(new_page):
    page = new_page("#/algorithms")
    page.get_by_role("link", name=re.compile("^pvs")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("pvs")
    expect(page.get_by_role("article")).to_contain_text("Source")
    page.get_by_role("link", name="Tic tac toe").click()
    expect(page.locator(".seat-line").first).to_contain_text("pvs")


def test_the_algorithm_pages_in_spanish_on_a_narrow_screen(new_page):
    page = new_page("#/algorithms?name=engine", locale="es-ES", width=360, height=740)
    expect(page.get_by_role("article")).to_contain_text("Fuente")
    expect(page.get_by_role("article")).to_contain_text("tamaño de la tabla")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_only_what_values_moves_is_offered_for_analysis(new_page):
    page = new_page("#/algorithms?name=a-star")
    expect(page.locator("g-about h1")).to_have_text("a-star")
    expect(page.get_by_text("Analyse with it")).to_have_count(0)
    page = new_page("#/algorithms?name=alpha-beta")
    expect(page.get_by_text("Analyse with it")).to_have_count(1)


def test_threats_and_arrows_of_ones_own(new_page):
    page = new_page(link("chess", ["e4", "e5", "Qh5", "Nc6", "Bc4"], run="0"))
    page.get_by_role("button", name="Threat").click()
    expect(page.locator(".arrow.threat")).to_have_count(1)
    centre = []
    for name in ("a2", "a4"):
        box = page.get_by_role("button", name=re.compile(f"^{name}(,|$)")).bounding_box()
        centre.append((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
    for count in (1, 0):  # drawn, and taken away again
        page.mouse.move(*centre[0])
        page.mouse.down(button="right")
        page.mouse.move(*centre[1])
        page.mouse.up(button="right")
        expect(page.locator(".arrow.own")).to_have_count(count)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".arrow.threat")).to_have_count(0)


def test_evaluations_side_by_side(new_page):
    page = new_page(link("chess", ["e4"], run="0"))
    page.get_by_role("button", name="Evaluations").click()
    table = page.locator("table.opinions")
    expect(table.locator("thead th")).to_have_text(["Network", "Learned", "By hand", "Shannon", "Turing"])
    expect(table.locator("tbody tr")).to_have_count(21)
    table.get_by_role("button", name="e5", exact=True).click()
    expect(page.locator("g-analyse")).to_contain_text("e5")
    expect(table.locator("tbody tr")).to_have_count(30)
    page.get_by_role("button", name="Evaluations").click()
    expect(table).to_be_hidden()


def test_territory_by_playouts(new_page):
    page = new_page(link("go:size=5", run="0", algorithm="mcts:seconds=0.5"))
    page.get_by_role("button", name="Territory").click()
    expect(page.locator("[role=status]").filter(has_text="playouts")).to_be_visible()
    page.get_by_role("button", name="Territory").click()
    expect(page.locator(".owned")).to_have_count(0)


def test_accuracy_is_told_for_each_player(new_page):
    page = new_page(link("connect-four", SLIP, run="0"))
    page.get_by_role("button", name="Review the game").click()
    rows = page.locator("table.accuracy tbody tr")
    expect(rows).to_have_count(2)
    first, second = (row.split()[1] for row in rows.all_inner_texts())
    assert int(second) < int(first) <= 100


def test_the_address_carries_the_variations(new_page, server):
    page = new_page(link("tic-tac-toe", ["5", "1"], page="analyse", run="0"))
    expect(moves(page)).to_have_text(["5", "1"])
    page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name=re.compile("^c3")).click()
    expect(moves(page)).to_have_text(["5", "9"])
    page.locator("summary").filter(has_text="Comments and signs").click()
    page.get_by_label("Comment", exact=True).fill("instead")
    page.keyboard.press("Tab")
    expect(page.locator(".variation-text")).to_contain_text("instead")
    page.wait_for_function("location.hash.includes('tree=')")
    other = new_page(page.url[len(server) :])
    expect(other.locator(".variation-text")).to_contain_text("instead")
    expect(other.locator(".variation-text .move")).to_have_count(3)
    expect(moves(other)).to_have_text(["5", "9"])
    broken = new_page(link("tic-tac-toe", ["5"], page="analyse", run="0", tree="[[-1,%22%22],[7,1]]"))
    expect(moves(broken)).to_have_text(["5"])
