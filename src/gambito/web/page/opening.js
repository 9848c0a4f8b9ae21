// The name of the opening of a game, and the moves of the server's books, for Analyse.

import { h, put } from "./dom.js";
import { match } from "./match.js";
import { Asker } from "./server.js";
import { t } from "./words.js";

const NOTHING = { opening: null, moves: [] };

export class OpeningPanel {
  #key = "";
  #asker = new Asker();

  constructor() {
    this.name = h("p", { class: "opening-name" });
    this.list = h("ol", { class: "candidates book-moves", "aria-label": t("Book moves") });
    this.element = h(
      "section",
      { class: "panel", "aria-label": t("Opening"), hidden: true },
      h("h2", {}, t("Opening")),
      this.name,
      this.list,
    );
  }

  /** Show what is known about the position that is shown. */
  async show(game) {
    const where = match.at();
    const key = JSON.stringify(where);
    if (key === this.#key) return;
    this.#key = key;
    this.#asker.drop();
    if (match.table || game.hidden || game.puzzle) {
      this.element.hidden = true;
      return;
    }
    const { opening, moves } = await this.#asker.ask("opening", where).catch(() => NOTHING);
    if (key !== this.#key) return;
    this.element.hidden = !opening && !moves.length;
    this.name.textContent = opening ? [opening.code, opening.name].filter(Boolean).join(" · ") : "";
    this.list.hidden = !moves.length;
    put(
      this.list,
      moves.map(({ move, share }) =>
        h(
          "li",
          {},
          h("b", { class: "pill" }, `${Math.round(100 * share)} %`),
          h("button", { type: "button", class: "quiet word", onclick: () => match.play(move) }, move),
          h("meter", { min: "0", max: "1", value: share, "aria-hidden": "true" }),
        ),
      ),
    );
  }
}
