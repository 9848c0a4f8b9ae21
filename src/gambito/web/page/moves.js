// <g-moves>: the moves of a game as buttons. It sends "look" with the ply.

import { SLIPS } from "./curve.js";
import { h, iconButton } from "./dom.js";
import { t } from "./words.js";

class MoveList extends HTMLElement {
  connectedCallback() {
    if (this.firstChild) return;
    this.list = h("ol", { class: "move-list", "aria-label": t("Moves") });
    const step = (name, label, ply) => iconButton(name, label, () => this.#look(ply()));
    this.steps = h(
      "div",
      { class: "bar steps" },
      step("first", t("To the beginning"), () => 0),
      step("back", t("One move back"), () => this.cursor - 1),
      step("forward", t("One move forward"), () => this.cursor + 1),
      step("last", t("To the end"), () => this.length),
    );
    this.append(this.list, this.steps);
  }

  /** `played` is the server's list of moves; `marks` maps a ply to {mark, title}. */
  show(played, cursor, marks = new Map()) {
    this.cursor = cursor;
    this.length = played.length;
    const lastPlayer = Math.max(1, ...played.map(({ player }) => player));
    let [row, top] = [0, Infinity]; // top: the last player who moved in this row; chance comes before a player
    const items = played.flatMap(({ move, player }, place) => {
      const ply = place + 1;
      const begins = player < 0 ? top >= lastPlayer : player <= top;
      row += begins ? 1 : 0;
      top = begins ? player : Math.max(player, top);
      const { mark = "", title = "" } = marks.get(ply) ?? {};
      const button = h(
        "button",
        {
          type: "button",
          class: "quiet move",
          title: move == null ? t("a move that you have not seen") : title,
          "aria-current": ply === cursor ? "true" : null,
          onclick: () => this.#look(ply),
        },
        move ?? "···",
        mark ? h("b", { class: `mark ${SLIPS[mark] ?? "fair"}` }, mark) : null,
      );
      const item = h("li", { class: player < 0 ? "chance" : `by-${player}` }, button);
      return begins ? [h("li", { class: "number", "aria-hidden": "true" }, `${row}.`), item] : [item];
    });
    this.list.classList.toggle("paired", lastPlayer === 1 && played.every(({ player }) => player >= 0));
    this.list.replaceChildren(...items);
    const [first, back, forward, end] = this.steps.children;
    first.disabled = back.disabled = cursor === 0;
    forward.disabled = end.disabled = cursor === this.length;
    const current = this.list.querySelector("[aria-current]");
    if (current) this.list.scrollTop = current.offsetTop - this.list.clientHeight / 2;
  }

  #look(ply) {
    this.dispatchEvent(new CustomEvent("look", { detail: ply }));
  }
}

customElements.define("g-moves", MoveList);
