// What Analyse shows of a deal of bridge: its results with open cards, and the deals that a player imagines.
// It is loaded for games of bridge only.

import { h, put, rowHead, table } from "./dom.js";
import * as link from "./link.js";
import { match } from "./match.js";
import { readyBar } from "./ready.js";
import { Asker, Lost } from "./server.js";
import { lang, signed, t } from "./words.js";

const STRAINS = ["NT", "S", "H", "D", "C"];
const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣", NT: "NT" };
const SEATS = "NSEW";
const OF_HANDS = "SWNE"; // the order in which the server tells hands
// South must guess who has the queen of clubs, unless it throws an opponent in with its heart.
const EXAMPLE =
  "play .2..AJ2 ?4 .3..KT3 ?4 Pass-Pass-3NT-Pass-Pass-Pass J73.J7.AK95.,Q84.Q84.T62.,K95.K95.J73.,AT62.T6.Q84. S:AD2D3D4D 6 -,-,-,-";

document.head.append(h("link", { rel: "stylesheet", href: "deals.css" }));

const seatName = (letter) => ({ N: t("North"), E: t("East"), S: t("South"), W: t("West") })[letter];

const suit = (letter) => h("span", { class: "HD".includes(letter) ? "red suit" : "suit" }, SIGNS[letter]);

/** A card as people write it: its rank, then the sign of its suit. */
const card = (move) => h("span", { class: "card-name" }, move.slice(0, -1), suit(move.at(-1)));

/** A hand of a PBN deal: its suits from spades to clubs. */
const hand = (text) =>
  text.split(".").map((ranks, place) => (ranks ? h("span", {}, suit("SHDC"[place]), ranks) : null));

const number = (value) => value.toLocaleString(lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

export class DealsPanel {
  #askers = {}; // of the running questions, by their kind
  #keys = {}; // what they are about
  #cache = new Map(); // finished answers

  constructor() {
    this.open = h("section", { class: "panel deals", "aria-label": t("Double dummy"), hidden: true });
    this.sampled = h("section", { class: "panel deals", "aria-label": t("Sampled deals"), hidden: true });
    this.element = h("div", { class: "stack", hidden: true }, this.open, this.sampled);
  }

  /** Show what belongs to the position of a page. */
  show({ game, view, isOpen, isRunning }) {
    this.element.hidden = !game.deals;
    const isWhole = game.hidden === false || isOpen || view.over;
    const isTurn = !view.over && view.player >= 0 && view.actions.some(({ touch }) => touch.length);
    this.#keep("deal", game.deals && isWhole && !match.table, this.open, (told) => this.#drawOpen(told));
    const what = match.table ? "seat_sampled" : "sampled";
    const isAsked = game.deals && game.hidden && isTurn && isRunning;
    this.#keep(what, isAsked, this.sampled, (told) => this.#drawSampled(told));
  }

  /** Ask about the position, unless that is known or running; or hide the panel. */
  #keep(what, isWanted, panel, draw) {
    const key = isWanted ? JSON.stringify([what, lang, match.at()]) : "";
    if (key === this.#keys[panel.ariaLabel]) return;
    this.#keys[panel.ariaLabel] = key;
    this.#askers[panel.ariaLabel] ??= new Asker();
    this.#askers[panel.ariaLabel].drop();
    panel.hidden = !isWanted;
    if (!isWanted) return;
    if (this.#cache.has(key)) return draw(this.#cache.get(key));
    put(panel, h("h2", {}, panel.ariaLabel));
    this.#ask(what, key, panel, draw);
  }

  async #ask(what, key, panel, draw) {
    const asked = this.#askers[panel.ariaLabel].stream(what, match.at(), (told) => {
      if (told.phase) put(panel, h("h2", {}, panel.ariaLabel), readyBar(told));
      else draw(told);
    });
    try {
      const told = await asked.done;
      this.#cache.set(key, told);
      draw(told);
    } catch (problem) {
      const isCurrent = key === this.#keys[panel.ariaLabel];
      if (problem instanceof Lost && isCurrent) this.#keys[panel.ariaLabel] = null; // it may be asked again
      if (problem instanceof Lost) return;
      put(panel, h("h2", {}, panel.ariaLabel), h("p", { class: "small muted" }, problem.message));
    }
  }

  /** Nobody looks at the panels any more. */
  drop() {
    for (const asker of Object.values(this.#askers)) asker.drop();
    this.#keys = {};
  }

  // ---- open cards ------------------------------------------------------------------------------------
  #drawOpen({ tricks, par, cards }) {
    const heads = ["", ...STRAINS.map((strain) => (strain === "NT" ? t("NT") : suit(strain)))];
    const rows = [...SEATS].map((seat) => [
      rowHead(seatName(seat)),
      ...STRAINS.map((strain) => String(tricks[strain][seat])),
    ]);
    const of = ({ by, contract, points }) =>
      by
        ? t("Par: {0} by {1}, {2} points for North and South", contract, seatName(by), signed(points))
        : t("Par: everybody passes");
    const levels = [...new Set(cards.map((each) => each.tricks))];
    put(
      this.open,
      h("h2", {}, t("Double dummy")),
      h("p", { class: "small muted" }, t("The tricks of each declarer if all play with open cards")),
      table("results", heads, rows),
      par ? h("p", {}, of(par)) : null,
      levels.map((level) =>
        h(
          "p",
          { class: "level" },
          h("b", {}, t("{0} {0:trick|tricks}", level)),
          cards.filter((each) => each.tricks === level).map(({ move }) => play(move)),
        ),
      ),
    );
  }

  // ---- imagined deals --------------------------------------------------------------------------------
  #drawSampled({ deals, goal, declaring, cards, shown, plan }) {
    const isPlanned = cards.some((each) => each.plan != null);
    const heads = [
      t("Card"),
      declaring ? t("Makes it") : t("Beats it"),
      t("Tricks"),
      "PIMC",
      isPlanned ? "αμ" : null,
    ];
    const best = isPlanned ? Math.max(...cards.map((each) => each.plan ?? -Infinity)) : null;
    const rows = cards.map((each) => [
      play(each.move),
      h(
        "td",
        { title: t("in {0} of {1} deals", each.reached, deals) },
        h(
          "span",
          { class: "share-bar" },
          h("i", { style: `width: ${((100 * each.reached) / deals).toFixed(1)}%` }),
        ),
        ` ${each.reached}/${deals}`,
      ),
      number(each.tricks),
      signed(Math.round(each.points)),
      isPlanned ? h("td", { class: each.plan === best ? "best" : "" }, signed(Math.round(each.plan))) : null,
    ]);
    put(
      this.sampled,
      h("h2", {}, t("Sampled deals")),
      h(
        "p",
        { class: "small muted" },
        t(
          "{0} deals that fit the calls and the cards so far, each played with open cards; {1} {1:is|are} needed",
          deals,
          goal,
        ),
      ),
      table("cards", heads, rows),
      fused(cards, best),
      plan === false
        ? h("p", { class: "small muted" }, t("αμ had no time to look two of its own cards ahead here."))
        : null,
      h("h3", {}, t("Some of the deals")),
      shown.map(drawDeal),
      h(
        "p",
        { class: "small" },
        h(
          "a",
          { href: link.href("analyse", { game: "bridge", start: EXAMPLE }) },
          t("Example: a guess that can be avoided"),
        ),
      ),
    );
  }
}

const play = (move) =>
  h(
    "button",
    { type: "button", class: "quiet word", onclick: () => match.play(move), disabled: match.table != null },
    card(move),
  );

/** Say where PIMC counts on choosing differently in deals that look alike, and αμ does not. */
function fused(cards, best) {
  const [first] = cards;
  const wise = cards.find((each) => each.plan === best);
  const trap = cards.find((each) => each.plan != null && each.points === first.points && each.plan < best);
  if (!wise || !trap) return null;
  return h(
    "p",
    { class: "fused" },
    h("b", {}, t("Strategy fusion.")),
    " ",
    t(
      "After {0} PIMC counts on {1}: it plays each deal with open cards, so it guesses right in all of them. One plan for all deals is worth {2}. αμ plays {3}, worth {4}.",
      name(trap.move),
      signed(Math.round(trap.points)),
      signed(Math.round(trap.plan)),
      name(wise.move),
      signed(Math.round(wise.plan)),
    ),
  );
}

const name = (move) => move.slice(0, -1) + SIGNS[move.at(-1)];

const drawDeal = ({ hands, tricks, best }) =>
  h(
    "figure",
    { class: "deal" },
    h(
      "div",
      { class: "hands" },
      hands.map((text, place) =>
        h("div", { class: `hand ${OF_HANDS[place]}` }, h("b", {}, seatName(OF_HANDS[place])[0]), hand(text)),
      ),
    ),
    h(
      "figcaption",
      { class: "small" },
      t("{0} {0:trick|tricks} with", tricks),
      best.map((move) => [" ", card(move)]),
    ),
  );
