// What each evaluation of a game says about the position and its moves, without a search; for Analyse.

import { h, put } from "./dom.js";
import { match } from "./match.js";
import { Asker } from "./server.js";
import { inUnits } from "./values.js";
import { nameOf, t } from "./words.js";

const NAMES = {
  turing: "Turing",
  shannon: "Shannon",
  hand: () => t("By hand"),
  learned: () => t("Learned"),
  network: () => t("Network"),
};

export class OpinionsPanel {
  #key = "";
  #asker = new Asker();

  constructor() {
    this.table = h("table", { class: "opinions" });
    this.element = h(
      "section",
      { class: "panel", "aria-label": t("Evaluations") },
      h("h2", {}, t("Evaluations")),
      h("p", { class: "note" }, t("What each says without a search, for the player to move")),
      this.table,
    );
  }

  /** The table is not wanted any more. */
  drop() {
    this.#asker.drop();
    this.#key = "";
  }

  /** Ask about the position that is shown, and fill the table. */
  async show(game, { over, player }) {
    const where = match.at();
    const key = JSON.stringify(where);
    if (key === this.#key) return;
    this.drop();
    this.#key = key;
    if (over || player < 0) return put(this.table, []);
    const { names, values, moves } = await this.#asker.ask("opinions", where).catch((problem) => {
      if (key === this.#key) this.#key = ""; // it may be asked again
      throw problem;
    });
    const row = (head, numbers) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, head),
        numbers.map((value) =>
          h("td", {}, inUnits({ value }, game.measure[0] === "wins" ? undefined : game.measure)),
        ),
      );
    const called = (name) => (typeof NAMES[name] === "function" ? NAMES[name]() : (NAMES[name] ?? name));
    put(this.table, [
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("td"),
          names.map((name) => h("th", { scope: "col" }, called(name))),
        ),
      ),
      h(
        "tbody",
        {},
        row(t("Position"), values),
        moves.map(({ move, values: each }) =>
          row(
            h(
              "button",
              { type: "button", class: "quiet word", onclick: () => match.play(move) },
              nameOf(move),
            ),
            each,
          ),
        ),
      ),
    ]);
  }
}
