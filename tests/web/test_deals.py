"""Claims and deals of bridge, asked by clients; then through the page."""

from __future__ import annotations

from urllib.parse import quote

import pytest

HANDS = ".2..AJ2 ...Q984 .3..KT3 .A..765"
GONE = "AKQJT98..AK.,.KQJT987.52.,765.654.763.,432..QJT984."  # a deal that is solved soon
REST = f"Pass-Pass-3NT-Pass-Pass-Pass {GONE} S:AD2D3D4D 6 -,-,-,-"
WHOLE = f"play {HANDS} {REST}"
SEEN = f"play .2..AJ2 ?4 .3..KT3 ?4 {REST}"
PLAYERS = [None, *[{"level": 1}] * 3]


def begun(client):
    told = client.ask(do="begin", game="bridge", start=WHOLE, players=PLAYERS)
    return told["keys"][0], told["watch"]


def test_claims_are_judged(client):
    key, _ = begun(client)
    seen = client.ask(do="seat_view", key=key)
    assert seen["claims"] == 4 and "Q984" not in seen["text"]
    refused = client.ask(do="seat_claim", key=key, ply=0, tricks=4)
    assert (refused["accepted"], refused["short"], refused["deals"]) == (False, 20, 20)
    assert client.ask(do="seat_view", key=key)["ply"] == 0  # the play goes on
    assert client.ask(do="seat_claim", key=key, ply=0, tricks=3)["accepted"]
    end = client.ask(do="seat_view", key=key)
    assert end["finished"] and end["utilities"] == [400, -400, 400, -400]
    assert "the game is over" in client.ask(do="seat_claim", key=key, ply=0, tricks=3)["text"]


def test_deals_are_told(client):
    open_cards = client.ask(do="deal", game="bridge", start=WHOLE)
    assert {each["move"]: each["tricks"] for each in open_cards["cards"]} == {
        "2C": 9, "JC": 9, "AC": 9, "2H": 9,
    }  # fmt: skip
    assert set(open_cards["tricks"]) == {"NT", "S", "H", "D", "C"} and open_cards["par"]["contract"]
    assert "every hand is known" in client.ask(do="deal", game="bridge", start=SEEN)["text"]
    assert "every hand is known" in client.ask(do="deal", game="kuhn-poker")["text"]
    small = client.ask(do="deal", game="bridge-play", start="W:A5.2.. 43.3.. K2.A.. QJ.K..")
    assert small["tricks"]["S"]["E"] == 3 and small["par"] is None
    key, monitor = begun(client)
    told = client.ask(do="seat_sampled", key=key)
    values = {each["move"]: (each["points"], each["plan"]) for each in told["cards"]}
    assert values["2H"] == (400, 400) and values["2C"][0] == 400 and values["2C"][1] < 300
    assert told["cards"] == client.ask(do="sampled", game="bridge", start=SEEN)["cards"]
    assert "whose turn it is" in client.ask(do="seat_sampled", key=monitor)["text"]
    assert "whose turn it is" in client.ask(do="sampled", game="kuhn-poker", start="K? ")["text"]


def test_a_person_claims_and_studies_the_deal(client, new_page):
    expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
    expect.set_options(timeout=120_000)
    key, monitor = begun(client)
    page = new_page(f"#/play?game=bridge&join=0~{key}~{monitor}")
    for choice, says in (("4 of 4", "refused: in 20 of 20 deals"), ("3 of 4", "accepted")):
        page.get_by_role("button", name="Claim…").click()
        page.get_by_role("dialog").get_by_label("Tricks").select_option(choice)
        page.get_by_role("dialog").get_by_role("button", name="Claim").click()
        expect(page.locator("#toast")).to_contain_text(says)
    expect(page.locator(".status")).to_contain_text("all cards are played")
    page.get_by_role("link", name="Analyse this game").click()
    expect(page.get_by_role("region", name="Double dummy").locator("tbody tr")).to_have_count(4)
    page.goto(f"{page.url.partition('#')[0]}#/analyse?game=bridge&start={quote(SEEN)}")
    expect(page.locator(".fused")).to_contain_text("αμ plays 2♥, worth +400")
