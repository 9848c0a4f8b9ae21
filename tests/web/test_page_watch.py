"""Watching a search in the browser: stepping, editing, comparing, links, both languages, large trees."""

from __future__ import annotations

import base64
import json
import re

import pytest

from gambito.web.record import pack
from tests.records import a_star, monte_carlo
from tests.support import LECTURE

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
expect.set_options(timeout=120_000)  # where nothing is compiled yet

SMOOTH = 16.0  # milliseconds of a frame

STATE = """() => {
    const { active } = document.querySelector("g-watch");
    const { trace, at, tree } = active;
    const node = trace.nodeAt(at);
    const shown = (n) => [trace.value(trace.lastStep(n, at)), trace.isGone(n, at)];
    const first = [...Array(Math.min(20, trace.nodes)).keys()];
    const kind = at ? trace.kindOf(at - 1) : "";
    return { at, node, kind, nodes: first.map(shown), picked: tree.picked, view: tree.view };
}"""

BOX = """(moves) => {
    const { tree, trace } = document.querySelector("g-watch").active;
    const box = tree.boxOf(trace.follow(moves));
    const canvas = tree.canvas.getBoundingClientRect();
    return [canvas.left + box.left + box.width / 2, canvas.top + box.top + box.height / 2];
}"""

SHOW = """async ([header, body]) => {
    const { Trace } = await import("./trace.js");
    const bytes = Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0));
    const page = document.querySelector("g-watch");
    page.active.show(new Trace(JSON.parse(header), bytes.buffer));
    page.go(page.active.trace.steps);
}"""

FRAMES = """async () => {
    const page = document.querySelector("g-watch");
    const { tree, trace } = page.active;
    const frame = () => new Promise(requestAnimationFrame);
    const times = [];
    for (let k = 0; k < 60; k++) {
        const began = performance.now();
        const x = (trace.width * ((k * 37) % 60)) / 60;
        if (k % 3 === 1) tree.view = { zoom: [0.001, 0.01, 0.1, 1][k % 4], x };
        if (k % 3 === 2) tree.fit();
        page.go(Math.floor((k * 104729) % trace.steps));
        tree.drawNow();
        times.push(performance.now() - began);
        await frame();
    }
    return times.reduce((a, b) => a + b) / times.length;
}"""


def ready(page, steps: str = r"\d"):
    """The page once its search is there."""
    expect(page.locator("g-steps .count").first).to_have_text(re.compile(steps))
    expect(page.locator("g-watch .message:visible")).to_have_count(0)
    return page


def step_count(page):
    return page.locator("g-steps .count")


def click_node(page, moves: list[str]) -> None:
    page.mouse.click(*page.evaluate(BOX, moves))


def test_stepping_with_keys_and_buttons(new_page):
    page = ready(new_page("#/watch"))
    expect(step_count(page)).to_have_text("Step 0 of 35")
    expect(page.locator(".sentence")).to_contain_text("has not begun")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".sentence")).to_have_text("Enterthe root: enter with the window (−∞, +∞)")
    page.get_by_role("button", name="One step forward").click()
    expect(step_count(page)).to_have_text("Step 2 of 35")
    page.keyboard.press("ArrowLeft")
    expect(step_count(page)).to_have_text("Step 1 of 35")
    page.keyboard.press("End")
    expect(step_count(page)).to_have_text("Step 35 of 35")
    assert page.evaluate(STATE)["nodes"][:6] == [
        ["= 3", False], ["= 3", False], ["= 3", False], ["= 12", False], ["= 8", False], ["≤ 2", False],
    ]  # fmt: skip
    page.keyboard.press("Home")
    expect(page.get_by_role("button", name="One step back")).to_be_disabled()


def test_jumping_to_cuts_greys_the_branches_with_the_reason(new_page):
    page = ready(new_page("#/watch"))
    page.keyboard.press("ArrowDown")
    state = page.evaluate(STATE)
    assert (state["kind"], state["node"]) == ("cut", 5)
    assert [gone for _, gone in state["nodes"]][5:9] == [False, False, True, True]
    expect(page.locator(".sentence")).to_contain_text("α cut-off: the root has 3 already")
    click_node(page, ["b", "c"])
    page.keyboard.press("Escape")
    expect(page.locator(".pruned")).to_have_text("Pruned: α cut-off: the root has 3 already")
    page.keyboard.press("ArrowUp")
    assert page.evaluate(STATE)["at"] == 0


def test_playing_at_a_speed(new_page):
    page = ready(new_page("#/watch"))
    page.get_by_label("Speed").select_option("100")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(step_count(page)).to_have_text("Step 35 of 35")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_counters_beside_plain_minimax(new_page):
    page = ready(new_page("#/watch?step=35"))
    table = page.get_by_role("region", name="Counters")
    expect(table.get_by_role("row", name="Visited")).to_contain_text("1113")
    expect(table.get_by_role("row", name="Evaluated")).to_contain_text("79")
    expect(table.get_by_role("row", name="Cut-offs")).to_contain_text("10")


def test_conclusions_are_numbered_and_lead_to_their_step(new_page):
    page = ready(new_page("#/watch?step=35"))
    lines = page.get_by_role("region", name="Conclusions").get_by_role("button")
    expect(lines).to_have_count(6)
    lines.nth(2).click()
    assert page.evaluate(STATE)["kind"] == "cut"


def test_editing_a_leaf_changes_the_tree(new_page):
    page = ready(new_page("#/watch?step=35"))
    click_node(page, ["b", "a"])
    page.get_by_label("Value of the leaf").fill("7")
    page.keyboard.press("Enter")
    expect(page.locator(".result")).to_contain_text("value 4")
    expect(page.get_by_label("Position")).to_have_value("[[3,12,8],[7,4,6],[14,5,2]]")
    assert page.evaluate(STATE)["nodes"][6] == ["= 7", False]
    page.get_by_label("Position").fill("[[3,12],[2,")
    page.keyboard.press("Tab")
    expect(page.get_by_role("status").filter(has_text="is no tree")).to_be_visible()
    expect(page.locator(".tally, .conclusions li, .result:not(:empty)")).to_have_count(0)
    expect(step_count(page)).to_have_text("Step 0 of 0")
    page.keyboard.press("ArrowDown")
    page.get_by_label("Position").fill("[[3,12],[2,4]]")
    page.keyboard.press("Tab")
    expect(page.locator(".result")).to_contain_text("value 3")


def test_selecting_and_editing_with_the_keyboard(new_page):
    page = ready(new_page("#/watch?step=35"))
    page.locator("g-tree canvas").focus()
    for key in ("Shift+ArrowUp", "Shift+ArrowUp", "Shift+ArrowDown", "Shift+ArrowRight"):
        page.keyboard.press(key)
    expect(page.get_by_role("region", name="Node")).to_contain_text("MIN #6")
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("-")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Position")).to_have_value("[[3,12,8],[-1,4,6],[14,5,2]]")


def test_two_algorithms_side_by_side(new_page):
    page = ready(new_page("#/watch"))
    page.get_by_role("button", name="Compare two").click()
    expect(page.locator("g-tree")).to_have_count(2)
    expect(step_count(page)).to_have_text("Step 0 of 41")
    page.keyboard.press("End")
    expect(page.locator(".sentence").nth(0)).to_contain_text("leave with value = 3")
    expect(page.locator(".sentence").nth(1)).to_contain_text("leave with value = 3")
    table = page.get_by_role("region", name="Counters")
    expect(table.get_by_role("row", name="Evaluated")).to_contain_text("799")
    page.get_by_label("Together").uncheck()
    page.locator(".pane").nth(1).locator("canvas").click(position={"x": 5, "y": 5})
    page.keyboard.press("Home")
    expect(page.locator(".sentence").nth(0)).to_contain_text("leave with value = 3")
    expect(page.locator(".sentence").nth(1)).to_contain_text("has not begun")


def test_a_link_reproduces_what_is_on_the_screen(new_page):
    page = ready(new_page("#/watch"))
    page.get_by_label("Examples").select_option(label="Three plies, lecture")
    ready(page, "of 83")
    page.get_by_label("Algorithm", exact=True).select_option("pvs")
    ready(page, "of 110")
    page.get_by_label("Depth", exact=True).fill("2")
    page.keyboard.press("Tab")
    expect(page.locator(".result")).to_contain_text("depth 2")
    page.get_by_role("button", name="Zoom in").click()
    page.locator("g-tree canvas").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+ArrowDown")
    page.wait_for_timeout(600)
    before, address = page.evaluate(STATE), page.url.split("/", 3)[3]
    assert LECTURE[:6] in address
    other = ready(new_page(address.removeprefix("/")))
    after = other.evaluate(STATE)
    assert (after["at"], after["picked"], after["nodes"]) == (before["at"], before["picked"], before["nodes"])
    assert after["view"]["zoom"] == pytest.approx(before["view"]["zoom"], rel=1e-3)
    expect(other.get_by_label("Algorithm", exact=True)).to_have_value("pvs")


def test_a_random_tree(new_page):
    page = ready(new_page("#/watch"))
    page.get_by_label("Examples").select_option("random")
    page.get_by_label("Branches").fill("2")
    page.get_by_label("Plies", exact=True).fill("4")
    page.get_by_role("button", name="Make a tree").click()
    expect(page.get_by_label("Position")).to_have_value(re.compile(r"^\[\[\[\["))
    expect(page.locator("g-tree canvas")).to_have_attribute("aria-label", re.compile("31 nodes"))
    page.get_by_label("Examples").select_option("random")
    page.get_by_label("Branches").fill("6")
    page.get_by_label("Plies", exact=True).fill("7")
    page.get_by_role("button", name="Make a tree").click()
    expect(page.locator("#toast")).to_have_text("With 6 branches, a tree has at most 6 plies.")
    page.get_by_label("Plies", exact=True).fill("6")
    page.get_by_role("button", name="Make a tree").click()
    expect(page.get_by_label("Position")).to_have_value(re.compile(r"^\[{6}\d"))


def test_any_game_with_the_board_of_the_node(new_page):
    page = ready(new_page("#/watch?game=tic-tac-toe&start=X.O/.X./O..&depth=2"))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    board = page.get_by_role("region", name="Node").locator("g-board")
    expect(board.locator(".piece")).to_have_count(5)


def test_the_position_of_the_play_page(new_page):
    page = new_page("#/play?game=connect-four&moves=4~4~5")
    page.locator("g-board").first.wait_for()
    page.get_by_role("link", name="Watch").click()
    ready(page)
    page.get_by_label("Examples").select_option("play")
    expect(page.get_by_label("Position")).to_have_value(re.compile("OOX|XX"))


def test_a_page_that_is_left_does_not_bring_back_its_address(new_page):
    page = new_page("#/play?game=tic-tac-toe&moves=5")
    page.locator("g-board .piece").first.wait_for()
    page.evaluate("""() => {
        document.querySelector("nav a[data-page=watch]").click();
        document.querySelector("g-play").restart(); // as an answer of the server does, which comes now
        document.querySelector("g-play").changed("look");
    }""")
    ready(page)
    assert "#/watch" in page.url


def test_the_map_of_a_star_is_large_and_coloured(new_page):
    page = ready(new_page("#/watch?game=grid-map&a=a-star"))
    page.keyboard.press("End")
    chart = page.locator(".pane .map")
    assert chart.locator("svg").bounding_box()["width"] > 400
    expect(chart.locator(".cell.path")).to_have_count(18)
    expect(chart.locator(".cell.here")).to_have_count(1)
    page.goto(page.url.split("#")[0] + "#/watch")
    ready(page)
    expect(chart).to_be_hidden()


def test_cfr_shows_regrets_and_the_policy_that_follows(new_page):
    page = ready(new_page("#/watch?game=kuhn-poker&a=cfr&depth=2&step=14"))
    lecture = page.get_by_role("region", name="Lecture")
    expect(lecture.locator("code.now")).to_contain_text("regret(I, a)")
    table = lecture.locator(".choice table")
    expect(table.get_by_role("row")).to_have_count(3)
    expect(table).to_contain_text("%")
    expect(lecture).to_contain_text("in proportion to the regrets above 0")


@pytest.mark.parametrize(
    ("link", "line"),
    [
        ("game=tree&a=df-pn", "PROVE(state"),
        ("game=tic-tac-toe-3&a=paranoid&depth=2", "PARANOID(state"),
        ("game=kuhn-poker&a=ismcts", "until time is up"),
    ],
)
def test_more_algorithms_have_their_pseudo_code(new_page, link, line):
    page = ready(new_page(f"#/watch?{link}&step=1"))
    expect(page.locator("code.now")).to_contain_text(line)


def test_spanish(new_page):
    page = ready(new_page("#/watch", locale="es-ES"))
    page.keyboard.press("ArrowDown")
    expect(page.locator(".sentence")).to_contain_text("corte α: la raíz ya tiene 3")
    page.keyboard.press("End")
    expect(page.get_by_role("region", name="Contadores")).to_contain_text("Minimax simple")
    page.get_by_label("Idioma").select_option("en")
    expect(page.locator(".sentence")).to_contain_text("leave with value = 3")


def test_bounds_are_not_called_a_window_and_a_plain_search_fits_the_game(new_page):
    page = ready(new_page("#/watch?a=b-star&step=1"))
    expect(page.get_by_role("region", name="Node")).to_contain_text("Bounds")
    page.goto(page.url.split("#")[0] + "#/watch?game=pig:target=5&depth=1&step=1.5&zoom=-1")
    table = page.get_by_role("region", name="Counters")
    expect(table.get_by_role("row", name="Evaluated")).to_be_visible()
    expect(table).to_contain_text("Plain expectiminimax")
    expect(table.locator("abbr")).to_have_count(0)


def test_a_narrow_screen(new_page):
    page = ready(new_page("#/watch?b=minimax&step=20", width=360, height=740))
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.get_by_role("button", name="Next cut-off").click()
    expect(page.locator(".sentence").first).to_be_visible()


def test_a_search_can_be_stopped(new_page):
    page = new_page("#/watch?game=connect-four&depth=12&a=minimax")
    page.get_by_role("button", name="Stop").click()
    ready(page)
    expect(page.locator(".result")).to_contain_text("the search was stopped before its end")


def test_a_screen_reader_hears_sentences_and_knows_the_canvas(new_page):
    page = ready(new_page("#/watch"))
    canvas = page.locator("g-tree canvas")
    assert canvas.get_attribute("role") == "application"
    assert "13" in canvas.get_attribute("aria-label")
    assert page.locator(".sentence").get_attribute("aria-live") == "polite"


@pytest.mark.parametrize(("made", "words"), [(monte_carlo, "visits6"), (a_star, "f5g5h0")])
def test_searches_without_windows_are_shown(new_page, made, words):
    page = ready(new_page("#/watch"))
    header, body = pack(made())
    text = base64.b64encode(bytes(8) + body).decode()
    page.evaluate(SHOW, [json.dumps(header), text])
    expect(page.get_by_role("region", name="Node")).to_contain_text(words)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".kind")).to_have_text("Selection" if made is monte_carlo else "Open")
    if made is a_star:
        page.keyboard.press("End")
        expect(page.locator(".map .cell.path")).to_have_count(6)


@pytest.mark.parametrize(
    ("branching", "nodes", "steps"),
    [(4, 14_629, "29,349"), pytest.param(6, 100_000, "180,336", marks=pytest.mark.slow)],
)
def test_large_trees_are_smooth(new_page, branching, nodes, steps):
    page = new_page(f"#/watch?game=uniform-tree:branching={branching},depth=8&depth=8")
    expect(step_count(page)).to_contain_text(f"of {steps}")
    assert page.evaluate('document.querySelector("g-watch").active.trace.nodes') == nodes
    mean = page.evaluate(FRAMES)
    assert mean < SMOOTH, mean


@pytest.mark.parametrize("game", [pytest.param("grid-map", marks=pytest.mark.slow), "sliding-tiles"])
def test_a_star_is_stepped_through(new_page, game):
    page = ready(new_page(f"#/watch?game={game}&a=a-star"))
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_text(re.compile("opened: f = ")).first).to_be_visible()
    expect(page.locator(".tally")).not_to_contain_text("Plain minimax")
    assert page.evaluate(STATE)["at"] == 5


def test_the_phases_of_monte_carlo_are_stepped_through(new_page):
    page = ready(new_page("#/watch?game=tic-tac-toe&a=mcts"))
    seen = set()
    for _ in range(8):
        page.keyboard.press("ArrowRight")
        seen.add(page.evaluate(STATE)["kind"])
    assert {"select", "expand", "simulate", "backup"} <= seen


# ---- the lecture ---------------------------------------------------------------------------------------


def lecture(page):
    return page.get_by_role("region", name="Lecture")


def marked(page):
    return lecture(page).locator(".pseudo-code .now")


def test_the_line_of_the_pseudo_code_follows_the_steps(new_page):
    page = ready(new_page("#/watch?game=tree&a=alpha-beta"))
    expect(lecture(page)).to_contain_text("The search has not begun.")
    page.keyboard.press("ArrowRight")
    expect(marked(page)).to_have_text("ALPHA-BETA(state, depth, α, β)")
    page.keyboard.press("ArrowDown")
    expect(marked(page)).to_contain_text("(cut-off)")
    expect(lecture(page).locator(".variables")).to_contain_text("α 3")
    spanish = ready(new_page("#/watch?game=tree&a=alpha-beta&step=1", locale="es-ES"))
    expect(spanish.locator(".pseudo-code .now")).to_have_text("ALFA-BETA(estado, profundidad, α, β)")


def test_a_quiz_asks_what_is_cut_next(new_page):
    page = ready(new_page("#/watch?game=tree&a=alpha-beta"))
    lecture(page).get_by_role("button", name="Quiz").click()
    question = lecture(page).locator(".quiz")
    expect(question).to_contain_text("Which branch is cut next?")
    expect(step_count(page)).to_have_text("Step 18 of 35")
    click_node(page, ["c"])
    expect(question).to_contain_text("No: nothing is known yet that makes c useless.")
    click_node(page, ["b", "b"])
    expect(question).to_contain_text("Right.")
    expect(question).to_contain_text("cut-off")
    expect(step_count(page)).to_have_text("Step 19 of 35")


def test_passes_close_in_on_the_value(new_page):
    page = ready(new_page("#/watch?game=tree&a=mtd-f&step=9999"))
    expect(lecture(page).locator(".pass")).to_have_count(2)
    expect(lecture(page).locator(".passes p")).to_have_text(
        "Pass 2: window (3, 4), value ≤ 3; now between 3 and 3"
    )
    lecture(page).locator(".pass").first.click()
    expect(lecture(page).locator(".passes p")).to_contain_text("Pass 1: window (−1, 0), value ≥ 3")


def test_a_choice_of_uct_is_explained(new_page):
    page = ready(new_page("#/watch?game=tic-tac-toe&a=mcts"))
    kinds = "() => document.querySelector('g-watch').active.trace.array.kind.length"
    assert page.evaluate(kinds) > 100
    at = page.evaluate("""() => {
        const { trace } = document.querySelector("g-watch").active;
        for (let step = 100; step < trace.steps; step++)
            if (trace.kindOf(step) === "select" && trace.array.node[step] === 0) return step + 1;
    }""")
    page.evaluate("(at) => document.querySelector('g-watch').go(at)", at)
    rows = lecture(page).locator(".choice tbody tr")
    expect(rows).to_have_count(9)
    assert [text.split()[0] for text in rows.all_inner_texts()] == [str(move) for move in range(1, 10)]
    sums = [float(row.split()[-1].replace("−", "-")) for row in rows.all_inner_texts()]
    chosen = lecture(page).locator(".choice .chosen").inner_text()
    assert sums[int(chosen) - 1] == max(sums)
    expect(lecture(page)).to_contain_text(re.compile("exploitation won|exploration won"))


def test_the_open_list_the_legend_and_the_sheet(new_page):
    page = ready(new_page("#/watch?game=graph&a=a-star&step=4"))
    expect(lecture(page)).to_contain_text("Open list: 2")
    lecture(page).get_by_text("Legend").click()
    expect(lecture(page).locator(".legend li")).to_have_count(9)
    page.evaluate("() => { window.print = () => (window.printed = document.querySelector('.sheet li')); }")
    lecture(page).get_by_role("button", name="Print the steps").click()
    page.wait_for_function("() => window.printed")
    assert page.locator(".sheet li").count() == 17


def test_edges_of_chance_have_their_probability(new_page):
    page = ready(new_page("#/watch?game=nannon&a=expectiminimax&depth=2"))
    edges = page.evaluate("""() => {
        const { trace } = document.querySelector("g-watch").active;
        return trace.children(0).map((child) => trace.edge(child));
    }""")
    assert edges[:3] == ["white-1 · 1/6", "black-1 · 1/6", "white-2 · 2/15"]


COINS = '[{"chance":[[0.5,[3,9]],[0.5,[4,8]]]},{"chance":[[0.5,[-9,9]],[0.5,[9,8,7]]]}]'


def offered(page) -> list[str]:
    return page.locator("g-watch g-algorithm select").first.locator("option").all_text_contents()


def test_a_position_decides_which_algorithms_there_are(new_page):
    """A tree with chance nodes has expectiminimax and its kin, one without has alpha-beta and its own."""
    page = ready(new_page("#/watch"))
    assert "alpha-beta" in offered(page)
    assert "expectiminimax" not in offered(page)
    page.get_by_label("Examples").select_option(label="Coins: chance between the moves")
    expect(page.locator(".pane h2")).to_have_text("expectiminimax")
    assert {"expectiminimax", "star1", "star2"} <= set(offered(page))
    assert "alpha-beta" not in offered(page)
    expect(page.locator(".result")).to_contain_text("value 3.5")
    page.keyboard.press("End")
    expect(page.locator(".tally")).to_contain_text("Plain expectiminimax")
    page.locator("g-watch g-algorithm select").first.select_option("star2")
    expect(page.locator(".pane h2")).to_have_text("star2")
    page.get_by_label("Examples").select_option(label="Three plies, lecture")
    expect(page.locator(".pane h2")).to_have_text("alpha-beta")
    expect(page.locator(".misfit")).to_be_hidden()


def test_a_link_that_asks_for_what_does_not_fit_says_so(new_page):
    link = "#/watch?a=expectiminimax"
    page = ready(new_page(link))
    expect(page.locator(".misfit")).to_have_text(
        "expectiminimax is for games of chance, and tree has neither dice nor cards."
    )
    expect(page.locator(".pane h2")).to_have_text("alpha-beta")
    page = ready(new_page(f"#/watch?start={COINS}&a=expectiminimax&b=alpha-beta"))
    expect(page.locator(".misfit")).to_contain_text("alpha-beta is for games without chance")
    expect(page.locator(".pane h2")).to_have_text("expectiminimax")
    page = ready(new_page("#/watch?a=nobody"))
    expect(page.locator(".misfit")).to_have_text("There is no algorithm nobody.")
    page = ready(new_page(f"#/watch?start={COINS}&a=expectiminimax"))
    expect(page.locator(".misfit")).to_be_hidden()


def test_the_lecture_in_39_boxes(new_page):
    page = ready(new_page(f"#/watch?start={LECTURE}&a=alpha-beta&boxes=1"))
    expect(step_count(page)).to_have_text("Step 0 of 39")
    said = {}
    for number in range(1, 40):
        page.keyboard.press("ArrowRight")
        expect(step_count(page)).to_have_text(f"Step {number} of 39")
        said[number] = page.locator(".sentence span").last.text_content()
    assert said[1] == "#4: the game ends with 8"
    assert said[8].startswith("#7: value ≥ 9: β cut-off")
    assert said[18] == "#14: value ≥ 1"
    assert said[37] == "#24: leave with value ≤ 3"
    assert said[39] == "the root: leave with value = 5"
    expect(page.locator(".conclusions li").last).to_contain_text("39")
    page.get_by_label("Boxes", exact=True).uncheck()
    expect(step_count(page)).to_have_text(re.compile("of 83"))


def now(page):
    return page.locator(".pseudo-code .now")


def test_the_line_of_an_optimisation_is_marked(new_page):
    page = ready(new_page(f"#/watch?start={LECTURE}&a=alpha-beta:history=2^depth,killers=true&step=21"))
    expect(page.locator(".sentence")).to_contain_text("history of a: 2 more, 2 in all")
    expect(now(page)).to_contain_text("history[action] ← history[action]")
    page.keyboard.press("ArrowRight")
    expect(now(page)).to_contain_text("action is a killer of this ply")
    code = page.locator(".pseudo-code").text_content()
    assert "PASS(state)" not in code
    assert "history[action] first" in code
    page = ready(new_page("#/watch?game=othello:size=4&depth=3&a=alpha-beta:null_move=2&step=2"))
    expect(page.locator(".sentence")).to_contain_text("null move: what if the player to move passes?")
    expect(now(page)).to_contain_text("PASS(state)")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".sentence")).to_contain_text("even after a pass the value reaches")
    expect(now(page)).to_contain_text("null-move cut-off")


def test_the_pseudo_code_is_that_of_the_form(new_page):
    page = ready(new_page(f"#/watch?start={LECTURE}&a=negascout&step=1"))
    expect(page.locator(".pseudo-code")).to_contain_text("and depth > 1")
    page = ready(new_page(f"#/watch?start={LECTURE}&a=negascout:form=second&step=1"))
    expect(page.locator(".pseudo-code")).to_contain_text("QUIESCE(state, α, β)")
    page = ready(new_page(f"#/watch?start={LECTURE}&a=pvs&step=1"))
    expect(page.locator(".pseudo-code")).to_contain_text("−β, −v)        (again)")


def test_the_counter_of_simulations_is_that_of_the_step(new_page):
    page = ready(new_page("#/watch?game=tic-tac-toe&a=mcts:seed=1&step=1"))
    tally = page.locator(".tally")
    expect(tally).to_contain_text("Simulations")
    expect(tally.locator("strong")).to_have_text("1")
    expect(page.get_by_label("Boxes", exact=True)).to_be_hidden()
    page.keyboard.press("End")
    expect(tally.locator("strong")).to_have_text("60")
