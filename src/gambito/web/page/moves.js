// <g-moves>: the moves of a game as buttons. It sends "look" with the ply.

import { SLIPS } from "./curve.js";
import { h, iconButton } from "./dom.js";
import { nameOf, t } from "./words.js";

class MoveList extends HTMLElement {
  #listed = []; // the moves in the document, by player and name
  #buttons = []; // theirs
  #row = 0;
  #top = Infinity; // the last player who moved in this row; chance comes before a player
  #last = 1; // the last player of a row
  #isMarked = false;

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

  /** `played` is the server's list of moves; `marks` maps a ply to {mark, title}. Moves that are listed stay. */
  show(played, cursor, marks = new Map()) {
    this.cursor = cursor;
    this.length = played.length;
    const key = ({ move, player }) => `${player} ${move}`;
    const last = Math.max(1, ...played.map(({ player }) => player));
    const isSame = this.#listed.every((each, ply) => played[ply] && key(played[ply]) === each);
    if (!isSame || last !== this.#last || marks.size || this.#isMarked) this.#clear(last);
    this.#isMarked = marks.size > 0;
    const fresh = played.slice(this.#listed.length);
    this.list.append(...fresh.flatMap((each) => this.#items(each, marks)));
    this.#listed.push(...fresh.map(key));
    this.list.classList.toggle("paired", this.#last === 1 && !this.list.querySelector(".chance"));
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    this.#buttons[cursor - 1]?.setAttribute("aria-current", "true");
    const [first, back, forward, end] = this.steps.children;
    first.disabled = back.disabled = cursor === 0;
    forward.disabled = end.disabled = cursor === this.length;
    const current = this.list.querySelector("[aria-current]");
    if (current) this.list.scrollTop = current.offsetTop - this.list.clientHeight / 2;
  }

  #clear(last) {
    this.list.replaceChildren();
    [this.#listed, this.#buttons, this.#row, this.#top, this.#last] = [[], [], 0, Infinity, last];
  }

  /** Return the button of the next move, after the number of its row where it begins one. */
  #items({ move, player }, marks) {
    const ply = this.#buttons.length + 1;
    const begins = player < 0 ? this.#top >= this.#last : player <= this.#top;
    this.#row += begins ? 1 : 0;
    this.#top = begins ? player : Math.max(player, this.#top);
    const { mark = "", title = "" } = marks.get(ply) ?? {};
    const button = h(
      "button",
      {
        type: "button",
        class: "quiet move",
        title: move == null ? t("a move that you have not seen") : title,
        onclick: () => this.#look(ply),
      },
      nameOf(move) ?? "···",
      mark ? h("b", { class: `mark ${SLIPS[mark] ?? "fair"}` }, mark) : null,
    );
    this.#buttons.push(button);
    const item = h("li", { class: player < 0 ? "chance" : `by-${player}` }, button);
    return begins ? [h("li", { class: "number", "aria-hidden": "true" }, `${this.#row}.`), item] : [item];
  }

  #look(ply) {
    this.dispatchEvent(new CustomEvent("look", { detail: ply }));
  }
}

customElements.define("g-moves", MoveList);
