// <g-board>: a position as its game describes it, and the touches that make a move.
// Without a description it shows the position as text and the moves as buttons.
// It sends the event "move" with the move's name. It knows neither who plays nor what a move does.

import { h, s } from "./dom.js";
import { drawArrow, drawCell, drawPiece, drawReach, sideColours, write } from "./pieces.js";
import { signed, t } from "./words.js";

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const FAR = 8; // pixels after which a press is a drag

class BoardElement extends HTMLElement {
  #view = null;
  #flip = false;
  #isActive = false;
  #path = []; // cells touched so far
  #focus = 0; // the cell with the keyboard focus
  #drawn = ""; // the geometry in the document
  #drag = null;
  #isDropped = false; // the last move was made by dragging
  #hasButtons = false; // a position of this game had moves without cells
  #isPointed = false; // the focus was set by a pointer, so the arrow keys belong to the page

  connectedCallback() {
    if (this.firstChild) return;
    this.svg = s("svg", { role: "application", "aria-label": t("Board") });
    this.chooser = h("div", {
      class: "chooser",
      role: "dialog",
      "aria-label": t("Which move?"),
      hidden: true,
    });
    this.text = h("pre", { class: "text-board", "aria-label": t("Board"), tabindex: "0", hidden: true });
    this.buttons = h("div", { class: "row moves-as-buttons" });
    this.append(h("div", { class: "board-frame" }, this.svg, this.chooser), this.text, this.buttons);
    this.svg.addEventListener("pointerdown", (event) => this.#press(event));
    this.svg.addEventListener("pointermove", (event) => this.#move(event));
    this.svg.addEventListener("pointerup", (event) => this.#release(event));
    this.svg.addEventListener("pointercancel", () => this.#endDrag());
    this.svg.addEventListener("click", (event) => this.#click(event));
    this.addEventListener("keydown", (event) => this.#key(event));
    this.addEventListener("keyup", ({ key }) => {
      if (key === "Tab") this.#isPointed = false;
    });
  }

  /** Show a position. `active` says whether moves can be made. */
  show(view, { flip = false, active = false } = {}) {
    if (view !== this.#view) this.#path = [];
    const isNext = this.#view?.ply + 1 === view.ply && !this.#isDropped;
    this.#isDropped = false;
    this.#view = view;
    this.#flip = flip;
    this.#isActive = active;
    this.#closeChooser();
    const hasBoard = view.board != null;
    this.svg.parentNode.hidden = !hasBoard;
    this.text.hidden = hasBoard;
    if (hasBoard) this.#build();
    else this.text.textContent = view.show;
    this.#showPieces();
    this.#showButtons();
    this.#showTargets();
    if (isNext && hasBoard) this.#animate();
  }

  /** Show values on the cells where moves end: [{touch, value, expectation}], the best first. */
  paint(candidates) {
    if (!this.marks) return;
    const seen = new Set();
    this.marks.replaceChildren();
    for (const { touch, value, expectation } of candidates) {
      const cell = this.#cells?.[touch.at(-1)?.[0]];
      if (!cell || seen.has(cell)) continue;
      seen.add(cell);
      const text = signed(value);
      const wide = Math.max(0.5, 0.17 * text.length + 0.16);
      this.marks.append(
        s(
          "g",
          {
            class: `value e${Math.min(4, Math.floor((expectation ?? 0.5) * 5))}`,
            transform: `translate(${cell.x} ${cell.y})`,
          },
          s("rect", { x: -wide / 2, y: -0.2, width: wide, height: 0.4, rx: 0.1 }),
          write(0, 0, 0.27, text, ""),
        ),
      );
    }
  }

  /** Draw moves as arrows, or as rings if they have one cell: [{touch, css}]. */
  point(arrows) {
    this.arrows?.replaceChildren(
      ...arrows.flatMap(({ touch, css }) => {
        const [from, ...rest] = touch.map((step) => this.#cells?.[step[0]]).filter(Boolean);
        if (!from) return [];
        return rest.length
          ? rest.map((to, place) => drawArrow(place ? rest[place - 1] : from, to, css))
          : [drawArrow(from, null, css)];
      }),
    );
  }

  // ---- the picture ---------------------------------------------------------------------------------
  #cells = null; // as drawn: turned if the board is turned

  #build() {
    const { board } = this.#view;
    const key = JSON.stringify([board, this.#flip]);
    if (key === this.#drawn) return;
    this.#drawn = key;
    this.#hasButtons = false;
    const { width, height, cells, lines, areas, labels } = board;
    const turn = (x, y) => (this.#flip ? [width - x, height - y] : [x, y]);
    this.#cells = cells.map((cell) => {
      const [x, y] = turn(cell.x, cell.y);
      return { ...cell, x, y, rise: this.#flip ? -cell.rise : cell.rise };
    });
    const isBeside = ({ x }) => x < 0 || x > width;
    const isBoth = labels.some(({ x }) => x < 0) && labels.some(({ x }) => x > width); // they swap places
    const placed = labels.map((label) => {
      const [x, y] = turn(label.x, label.y);
      return {
        x: isBeside(label) && !isBoth ? label.x : x,
        y: label.y < 0 || label.y > height ? label.y : y,
        text: label.text,
      };
    });
    this.small = Math.max(0.12, Math.min(0.3, 0.03 * Math.max(width, height))); // about the same size on every board
    const left = Math.min(0, ...placed.map((l) => l.x - this.small)) - 0.04;
    const right = Math.max(width, ...placed.map((l) => l.x + this.small)) + 0.04;
    const top = Math.min(0, ...placed.map((l) => l.y - this.small)) - 0.04;
    const bottom = Math.max(height, ...placed.map((l) => l.y + this.small)) + 0.04;
    this.svg.setAttribute("viewBox", `${left} ${top} ${right - left} ${bottom - top}`);
    this.box = { left, top, width: right - left, height: bottom - top };
    this.targets = s("g", { class: "targets" });
    this.pieces = s("g", { class: "pieces" });
    this.marks = s("g", { class: "marks" });
    this.arrows = s("g", { class: "arrows" });
    this.places = this.#cells.map((cell, number) =>
      s(
        "g",
        {
          class: `cell ${cell.shape} ${cell.tone}`,
          role: "button",
          tabindex: "-1",
          "data-cell": number,
          onfocus: () => {
            this.#focus = number;
          },
        },
        drawCell(cell),
        cell.shape === "point" || cell.shape === "none" ? drawReach(cell) : null,
      ),
    );
    this.svg.replaceChildren(
      s(
        "g",
        {},
        areas.map(({ tone, points }) =>
          s("polygon", {
            class: `area ${tone}`,
            points: pairs(points)
              .map((p) => turn(...p).join())
              .join(" "),
          }),
        ),
      ),
      s(
        "g",
        {},
        lines
          .map(([a, b, c, d]) => [turn(a, b), turn(c, d)])
          .map(([p, q]) => s("line", { x1: p[0], y1: p[1], x2: q[0], y2: q[1], class: "joint" })),
      ),
      s("g", {}, this.places),
      s(
        "g",
        { class: "labels" },
        placed.map((label) => write(label.x, label.y, this.small, label.text, "")),
      ),
      ...[this.pieces, this.targets, this.marks, this.arrows].map((layer) => {
        layer.setAttribute("aria-hidden", "true");
        return layer;
      }),
    );
    this.#focus = Math.min(this.#focus, this.places.length - 1);
  }

  #showPieces() {
    const { board, pieces, played } = this.#view;
    if (!board) return;
    const colours = sideColours(this.#view);
    const onCell = Map.groupBy(
      pieces.filter((piece) => piece.cell in this.#cells),
      (piece) => piece.cell,
    );
    this.pieces.replaceChildren(
      ...[...onCell].flatMap(([number, held]) => {
        const cell = this.#cells[number];
        const standing = held.filter((piece) => piece.shape !== "text");
        const apart = standing.length > 1 ? Math.min(0.22, 0.5 / (standing.length - 1)) : 0;
        return held.map((piece) => {
          const aside =
            piece.shape === "text" ? 0 : (standing.indexOf(piece) - (standing.length - 1) / 2) * apart;
          return drawPiece(
            piece,
            cell.x + aside,
            cell.y,
            cell,
            colours[piece.side] ?? "nobody",
            board.symbols,
          );
        });
      }),
    );
    this.labelOf = this.#cells.map((cell, number) =>
      [cell.name, ...(onCell.get(number) ?? []).map((piece) => this.#name(piece))].join(", "),
    );
    const last = new Set(played.at(-1)?.touch.map((step) => step[0]) ?? []);
    this.places.forEach((place, number) => {
      place.classList.toggle("last", last.has(number));
    });
    this.marks.replaceChildren();
    this.arrows.replaceChildren();
  }

  /** Animate the last moved piece: from its cell, down its column, or by fading in. */
  #animate() {
    const touch = this.#view.played.at(-1)?.touch ?? [];
    const to = this.#cells[touch.at(-1)?.[0]];
    const piece =
      to &&
      [...this.pieces.children].findLast(
        (each) => each.getAttribute("transform") === `translate(${to.x} ${to.y})`,
      );
    if (!piece || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const from =
      touch.length > 1
        ? this.#cells[touch[0][0]]
        : touch[0].map((cell) => this.#cells[cell]).reduce((a, b) => (b.y < a.y ? b : a));
    const [dx, dy] = [from.x - to.x, from.y - to.y];
    for (const part of piece.children) {
      if (dx || dy)
        part.animate(
          { transform: [`translate(${dx}px, ${dy}px)`, "none"] },
          { duration: 120 + 30 * Math.hypot(dx, dy), easing: "ease-in" },
        );
      else part.animate({ opacity: [0, 1] }, 120);
    }
  }

  #name({ shape, side, text, count }) {
    const known = {
      disc: t("disc"),
      ring: t("ring"),
      cross: t("cross"),
      square: t("square"),
      die: t("die"),
      card: t("card"),
      text: "",
    };
    return [this.#view.sides[side], text || (known[shape] ?? shape), count || ""].filter(Boolean).join(" ");
  }

  #showButtons() {
    const bare = this.#view.board
      ? this.#view.actions.filter(({ touch }) => !touch.length)
      : this.#view.actions;
    this.buttons.replaceChildren(
      ...bare.map(({ move }) =>
        h("button", { type: "button", disabled: !this.#isActive, onclick: () => this.#play(move) }, move),
      ),
    );
    const isNeeded = bare.length > 0 && this.#view.player >= 0;
    this.#hasButtons = isNeeded || (this.#hasButtons && !this.#view.over);
    this.buttons.hidden = !this.#hasButtons;
    this.buttons.classList.toggle("away", !isNeeded); // they keep their space, so that nothing moves
  }

  // ---- touches -------------------------------------------------------------------------------------
  /** Return the actions that begin with these cells. */
  #fitting(path) {
    return this.#view.actions.filter(
      ({ touch }) => touch.length && path.every((cell, step) => touch[step]?.includes(cell)),
    );
  }

  /** Return the actions that consist of exactly these cells. */
  #complete(path) {
    return this.#fitting(path).filter(({ touch }) => touch.length === path.length);
  }

  #showTargets() {
    if (!this.#view.board) return;
    const fitting = this.#isActive ? this.#fitting(this.#path) : [];
    const next = new Map(); // a cell that can be touched -> whether it marks a move
    for (const { touch } of fitting) {
      (touch[this.#path.length] ?? []).forEach((cell, place) => {
        next.set(cell, next.get(cell) || place === 0);
      });
    }
    const isFirst = this.#path.length === 0;
    if (!isFirst && this.#complete(this.#path).length) next.set(this.#path.at(-1), true);
    const isDirect = fitting.every(({ touch }) => touch.length === 1);
    const taken = new Set(this.#view.pieces.map((piece) => piece.cell));
    const dots =
      isFirst && !isDirect ? [] : [...next].filter(([, isMarked]) => isMarked).map(([cell]) => cell);
    this.targets.replaceChildren(
      ...dots.map((number) => {
        const { x, y, size } = this.#cells[number];
        return taken.has(number)
          ? s("circle", { cx: x, cy: y, r: 0.44 * size, class: "take" })
          : s("circle", {
              cx: x,
              cy: y,
              r: Math.max(0.08, Math.min(0.13, 0.6 * this.small)) * size,
              class: "dot",
            });
      }),
    );
    this.places.forEach((place, number) => {
      const can = next.has(number);
      place.classList.toggle("can", can);
      place.classList.toggle("from", can && isFirst && !isDirect);
      place.classList.toggle("chosen", this.#path.includes(number));
      place.setAttribute("tabindex", number === this.#focus ? "0" : "-1");
      place.setAttribute("aria-label", this.labelOf[number] + (can ? `, ${t("can be played")}` : ""));
      if (this.#path.includes(number)) place.setAttribute("aria-pressed", "true");
      else place.removeAttribute("aria-pressed");
    });
  }

  /** Handle the touch of a cell: continue the move, begin another one, or cancel it. */
  #touch(cell) {
    if (!this.#isActive) return;
    this.#closeChooser();
    const before = this.#path;
    const isAgain = before.at(-1) === cell && !this.#fitting([...before, cell]).length;
    if (isAgain && this.#complete(before).length) return this.#decide(true); // not further
    if (isAgain && before.length === 1) this.#path = [];
    else if (this.#fitting([...before, cell]).length) this.#path = [...before, cell];
    else this.#path = this.#fitting([cell]).length ? [cell] : [];
    this.#decide(false);
  }

  /** Play if one move is left, ask if several end here. With `now`, ignore moves that continue. */
  #decide(now) {
    const complete = this.#complete(this.#path);
    if (complete.length && (now || complete.length === this.#fitting(this.#path).length)) {
      if (complete.length === 1) return this.#play(complete[0].move);
      this.#choose(complete);
    }
    this.#showTargets();
  }

  #play(move) {
    this.#path = [];
    this.#closeChooser();
    this.#isActive = false; // one move for each position
    if (this.#view.board) this.#showTargets();
    this.dispatchEvent(new CustomEvent("move", { detail: move }));
  }

  #choose(actions) {
    const { x, y } = this.#cells[this.#path.at(-1)];
    const cancel = () => {
      this.#path = [];
      this.#closeChooser();
      this.#showTargets();
      this.places[this.#focus].focus();
    };
    this.chooser.replaceChildren(
      h("p", { class: "small muted" }, t("Which move?")),
      ...actions.map(({ move }) => h("button", { type: "button", onclick: () => this.#play(move) }, move)),
      h("button", { type: "button", class: "quiet", onclick: cancel }, t("Cancel")),
    );
    this.chooser.style.left = `${(100 * (x - this.box.left)) / this.box.width}%`;
    this.chooser.style.top = `${(100 * (y - this.box.top)) / this.box.height}%`;
    this.chooser.classList.toggle("leftward", x > this.box.width / 2);
    this.chooser.classList.toggle("upward", y > this.box.height / 2);
    this.chooser.hidden = false;
    this.chooser.querySelector("button").focus();
  }

  #closeChooser() {
    this.chooser.hidden = true;
  }

  // ---- pointer and keys ----------------------------------------------------------------------------
  #press(event) {
    const place = event.target.closest?.(".cell");
    this.#isPointed = true;
    if (!place || event.button || !this.#isActive) return;
    const cell = Number(place.dataset.cell);
    this.#drag = {
      cell,
      x: event.clientX,
      y: event.clientY,
      isMoving: false,
      isChosen: this.#path.at(-1) === cell,
    };
    this.#focus = cell;
    const begins = this.#fitting([cell]).some(({ touch }) => touch.length > 1);
    if (!this.#drag.isChosen && begins && !this.#fitting([...this.#path, cell]).length) this.#path = [];
    if (!begins || (this.#path.length && !this.#drag.isChosen)) return;
    if (!this.#drag.isChosen) this.#touch(cell);
    this.svg.setPointerCapture(event.pointerId);
    this.#drag.began = true;
  }

  #move(event) {
    const drag = this.#drag;
    if (!drag?.began || !this.#path.length) return;
    drag.isMoving ||= Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > FAR;
    if (!drag.isMoving) return;
    const at = this.#place(event);
    const from = this.#cells[drag.cell];
    const number = this.#view.pieces.findLastIndex((piece) => piece.cell === drag.cell);
    drag.piece ??= [...this.pieces.children].findLast(
      (piece) => piece.getAttribute("transform") === `translate(${from.x} ${from.y})`,
    );
    if (number >= 0 && drag.piece) {
      this.pieces.append(drag.piece);
      drag.piece.setAttribute("transform", `translate(${at.x} ${at.y})`);
      drag.piece.classList.add("dragged");
    }
  }

  #release(event) {
    const drag = this.#drag;
    const place = document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".cell");
    this.#endDrag();
    if (!drag || !place || !this.contains(place)) return;
    const cell = Number(place.dataset.cell);
    this.places[this.#focus]?.setAttribute("tabindex", "-1");
    this.#focus = cell;
    if (drag.began && cell === drag.cell) {
      if (drag.isChosen) this.#touch(cell);
      return;
    }
    this.#isDropped = drag.isMoving;
    if (cell === drag.cell || drag.isMoving) this.#touch(cell);
  }

  /** Handle a click without a pointer, such as that of a screen reader. */
  #click(event) {
    const place = event.detail === 0 && event.target.closest?.(".cell");
    if (place) this.#touch(Number(place.dataset.cell));
  }

  #endDrag() {
    if (this.#drag?.piece) {
      const { x, y } = this.#cells[this.#drag.cell];
      this.#drag.piece.setAttribute("transform", `translate(${x} ${y})`);
      this.#drag.piece.classList.remove("dragged");
    }
    this.#drag = null;
  }

  /** Return the place of an event, in cells. */
  #place(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(
      this.svg.getScreenCTM().inverse(),
    );
    return { x: point.x, y: point.y };
  }

  #key(event) {
    if (event.key === "Escape" && (this.#path.length || !this.chooser.hidden)) {
      this.#path = [];
      this.#closeChooser();
      this.#showTargets();
      this.places[this.#focus].focus();
    } else if (event.target.closest(".cell") && event.key in DIRECTIONS && !this.#isPointed) {
      const next = this.#neighbour(...DIRECTIONS[event.key]);
      this.places[this.#focus].setAttribute("tabindex", "-1");
      this.places[next].setAttribute("tabindex", "0");
      this.places[next].focus();
    } else if (event.target.closest(".cell") && (event.key === "Enter" || event.key === " ")) {
      this.#touch(this.#focus);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Return the nearest cell in a direction, or the same cell if there is none. */
  #neighbour(dx, dy) {
    const from = this.#cells[this.#focus];
    let [best, least] = [this.#focus, Infinity];
    this.#cells.forEach((cell, number) => {
      const [x, y] = [cell.x - from.x, cell.y - from.y];
      const along = x * dx + y * dy;
      const aside = Math.abs(x * dy) + Math.abs(y * dx);
      const cost = along + 2.5 * aside;
      if (along > 0.05 && aside <= along * 1.8 && cost < least) [best, least] = [number, cost];
    });
    return best;
  }
}

const pairs = (numbers) => numbers.flatMap((x, place) => (place % 2 ? [] : [[x, numbers[place + 1]]]));

customElements.define("g-board", BoardElement);
