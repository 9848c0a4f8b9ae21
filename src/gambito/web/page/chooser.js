// The question which of several moves is meant that touch the same cells, as in a promotion.

import { h } from "./dom.js";
import { colourOf, smallPiece } from "./pieces.js";
import { nameOf, t } from "./words.js";

export class Chooser {
  constructor(onMove, onCancel) {
    Object.assign(this, { onMove, onCancel });
    this.element = h("div", {
      class: "chooser",
      role: "dialog",
      "aria-label": t("Which move?"),
      hidden: true,
    });
  }

  get isOpen() {
    return !this.element.hidden;
  }

  /** Ask beside a place of the board, given as shares of its width and height. */
  ask(actions, view, [across, down]) {
    const { element } = this;
    element.replaceChildren(
      h("p", { class: "small muted" }, t("Which move?")),
      ...actions.map(({ move, becomes }) =>
        h(
          "button",
          { type: "button", onclick: () => this.onMove(move) },
          pictureOf(becomes, view),
          nameOf(move),
        ),
      ),
      h("button", { type: "button", class: "quiet", onclick: this.onCancel }, t("Cancel")),
    );
    element.style.left = `${100 * across}%`;
    element.style.top = `${100 * down}%`;
    element.classList.toggle("leftward", across > 0.5);
    element.classList.toggle("upward", down > 0.5);
    element.hidden = false;
    element.querySelector("button").focus();
  }

  close() {
    this.element.hidden = true;
  }
}

/** Return the picture of what a move ends with, if it is a piece that the board has a symbol for. */
function pictureOf(piece, view) {
  if (!(piece?.shape in view.board.symbols)) return null;
  return smallPiece(piece.shape, colourOf(piece, view), view.board.symbols);
}
