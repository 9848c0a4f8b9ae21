// A closer look at a board whose cells are too small for a finger: the first tap zooms, the second one plays.

import { h } from "./dom.js";

const FINGER = 30; // pixels between two cells from which on a finger hits the right one
const ACROSS = 8; // cells that are shown of a zoomed board

export class Zoom {
  #whole = null; // the box around the board
  #cells = [];
  #isIn = false;

  constructor(svg, label) {
    this.svg = svg;
    this.button = h(
      "button",
      { type: "button", class: "unzoom", hidden: true, onclick: () => this.leave() },
      label,
    );
  }

  /** Show the whole of another board. */
  fit(box, cells) {
    [this.#whole, this.#cells] = [box, cells];
    this.leave();
  }

  leave() {
    this.#isIn = false;
    this.button.hidden = true;
    this.#show(this.#whole);
  }

  /** Zoom in where a finger has tapped a board with small cells. Return whether that is all the tap does. */
  enter({ pointerType, clientX, clientY }, cell) {
    const { left, top, width, height } = this.#whole ?? {};
    const scale = this.svg.getScreenCTM()?.a ?? FINGER;
    if (pointerType !== "touch" || !this.#whole) return false;
    if (this.#isIn) {
      if (cell) this.leave();
      return false;
    }
    if (scale * this.#apart() >= FINGER || width <= ACROSS * this.#apart()) return false;
    const at = new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    const wide = ACROSS * this.#apart();
    const high = (wide * height) / width;
    const within = (middle, span, least, all) =>
      Math.max(least, Math.min(least + all - span, middle - span / 2));
    this.#isIn = true;
    this.button.hidden = false;
    this.#show({
      left: within(at.x, wide, left, width),
      top: within(at.y, high, top, height),
      width: wide,
      height: high,
    });
    return true;
  }

  /** Return the distance between two neighbours; a board of few cells is never zoomed. */
  #apart() {
    const [{ x, y } = { x: 0, y: 0 }, ...others] = this.#cells;
    const far = others.map((other) => Math.hypot(other.x - x, other.y - y)).filter(Boolean);
    return others.length < 100 ? Infinity : Math.min(...far);
  }

  #show({ left, top, width, height }) {
    this.svg.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
  }
}
