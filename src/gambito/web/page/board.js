// <g-board>: a position as its game describes it, and the touches that make a move.
// Without a description it shows the position as text and the moves as buttons.
// It sends the event "move" with the move's name. It knows neither who plays nor what a move does.

import { moveButtons } from "./bets.js";
import { Chooser } from "./chooser.js";
import { h, s } from "./dom.js";
import { layOut, neighbour } from "./geometry.js";
import { glide, leavers, pieceAt, soundOf } from "./gliding.js";
import { drawGround, drawMarks, materials } from "./ground.js";
import { arrowsOf, completeBy, halfMoved, likeIn, signsOf, waysFrom } from "./moving.js";
import {
  BLANK,
  colourOf,
  drawArrow,
  drawCell,
  drawHeat,
  drawLast,
  drawPiece,
  drawReach,
  drawTarget,
  drawValue,
  FLAT,
  pieceName,
  sideColours,
} from "./pieces.js";
import { nameOf, t } from "./words.js";
import { Zoom } from "./zoom.js";

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const FAR = 8; // pixels after which a press is a drag
const [OPEN, MANY] = [0.75, 30]; // the share of the free cells, and the number, from which on dots tell nothing

class BoardElement extends HTMLElement {
  #view = null;
  #flip = false;
  #isActive = false;
  #path = []; // cells touched so far
  #early = []; // cells touched before the last move was confirmed
  #focus = 0; // the cell with the keyboard focus
  #drawn = ""; // the geometry in the document
  #drawnPieces = null; // the pieces in the document
  #drag = null;
  #isDropped = false; // the last move was made by dragging
  #hasButtons = false; // a position of this game had moves without cells
  #isPointed = false; // the focus was set by a pointer, so the arrow keys belong to the page

  connectedCallback() {
    if (this.firstChild) return;
    this.svg = s("svg", { role: "application", "aria-label": t("Board") });
    this.chooser = new Chooser(
      (move) => this.#play(move),
      () => this.#cancel(),
    );
    this.text = h("pre", {
      class: "text-board",
      role: "group",
      "aria-label": t("Board"),
      tabindex: "0",
      hidden: true,
    });
    this.remarks = h("p", { class: "remarks", hidden: true });
    this.buttons = h("div", { class: "row moves-as-buttons" });
    this.zoom = new Zoom(this.svg, t("Whole board"));
    this.append(
      h("div", { class: "board-frame" }, this.svg, this.chooser.element, this.zoom.button),
      this.text,
      this.remarks,
      this.buttons,
    );
    this.svg.addEventListener("pointerdown", (event) => this.#press(event));
    this.svg.addEventListener("pointermove", (event) => this.#move(event));
    this.svg.addEventListener("pointerup", (event) => this.#release(event));
    this.svg.addEventListener("pointercancel", () => this.#endDrag());
    this.svg.addEventListener("click", (event) => this.#click(event));
    this.svg.addEventListener("pointerover", (event) => this.#hover(event));
    this.svg.addEventListener("pointerleave", () => this.ghosts?.replaceChildren());
    this.addEventListener("keydown", (event) => this.#key(event));
    this.addEventListener("keyup", ({ key }) => {
      if (key === "Tab") this.#isPointed = false;
    });
  }

  /** Show a position. `active` says whether moves can be made. */
  show(view, { flip = false, active = false } = {}) {
    if (view !== this.#view) this.#path = [];
    const isNext = this.#view?.ply + 1 === view.ply && !this.#isDropped;
    const before = isNext ? this.#view.pieces : [];
    this.#isDropped = false;
    this.#view = view;
    this.#flip = flip;
    this.#isActive = active;
    this.chooser.close();
    const hasBoard = view.board != null;
    this.svg.parentNode.hidden = !hasBoard;
    this.text.hidden = hasBoard;
    if (hasBoard) this.#build();
    else this.text.textContent = view.show;
    this.remarks.textContent = view.remarks ?? "";
    this.remarks.hidden = !view.remarks;
    this.#showPieces();
    this.#showButtons();
    this.#showTargets();
    if (isNext && hasBoard) {
      const draw = (piece) => this.#draw(piece, this.#cells[piece.cell].x);
      const played = view.played.at(-1) ?? { touch: [] };
      this.dispatchEvent(new CustomEvent("moved", { detail: soundOf(view, before) }));
      glide(this.pieces, this.#cells, played, leavers(before, view.pieces, draw));
    }
    if (!view.isExpected) this.#touchEarly();
  }

  /** Make the touches that came before the position did. They are forgotten if it is another's turn. */
  #touchEarly() {
    const early = this.#early;
    this.#early = [];
    for (const cell of early) this.#touch(cell);
  }

  /** Show values on the cells where moves end: [{touch, value, expectation}], the best first. */
  paint(candidates) {
    if (!this.marks) return;
    const seen = new Set();
    this.marks.replaceChildren();
    for (const candidate of candidates) {
      const cell = this.#cells?.[arrowsOf(candidate).at(-1)?.at(-1)];
      if (!cell || seen.has(cell)) continue;
      seen.add(cell);
      this.marks.append(drawValue(cell, candidate));
    }
  }

  /** Show where something that is not seen may lie: [{cell, heat}], the heat from 0 to 1. */
  warm(beliefs) {
    const known = beliefs.filter(({ cell, heat }) => heat > 0 && heat < 1 && this.#cells?.[cell]);
    const most = Math.max(...known.map(({ heat }) => heat));
    this.heats?.replaceChildren(
      ...known.map(({ cell, heat }) => drawHeat(this.#cells[cell], heat, heat / most)),
    );
  }

  /** Draw moves as arrows, or as rings where a piece is put or taken: [{touch, arrows, css}]. */
  point(moves) {
    this.arrows?.replaceChildren(
      ...moves.flatMap((move) => {
        return signsOf(move)
          .map((arrow) => arrow.map((cell) => this.#cells?.[cell]))
          .filter((arrow) => arrow.every(Boolean) && arrow[0] !== arrow[1])
          .map(([from, to]) => drawArrow(from, to, move.css));
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
    const laid = layOut(board, this.#flip);
    const { cells, box, small } = laid;
    Object.assign(this, { box, small });
    this.#cells = cells;
    this.svg.setAttribute("class", materials(laid));
    this.zoom.fit(box, cells);
    this.below = s("g", { class: "marked" });
    this.above = s("g", { class: "marked" });
    this.ghosts = s("g", { class: "ghosts" });
    this.targets = s("g", { class: "targets" });
    this.pieces = s("g", { class: "pieces" });
    this.lasts = s("g", { class: "lasts" });
    this.heats = s("g", { class: "heats" });
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
        drawReach(cell),
      ),
    );
    const [ground, joints, names] = drawGround(laid);
    const layers = [this.below, this.pieces, this.heats, this.lasts, this.above];
    layers.push(this.targets, this.ghosts, this.marks, this.arrows);
    for (const layer of layers) layer.setAttribute("aria-hidden", "true");
    this.svg.replaceChildren(ground, joints, s("g", {}, this.places), names, ...layers);
    this.#focus = Math.min(this.#focus, this.places.length - 1);
  }

  #showPieces() {
    if (!this.#view.board) return;
    this.#drawPieces(this.#view.pieces);
    const last = new Set(this.#view.played.at(-1)?.touch.map((step) => step[0]) ?? []);
    this.places.forEach((place, number) => {
      place.classList.toggle("last", last.has(number));
    });
    this.lasts.replaceChildren(
      ...[...last].map((number) =>
        drawLast(
          this.#cells[number],
          this.#view.pieces.findLast(({ cell, shape }) => cell === number && shape !== "text"),
        ),
      ),
    );
    for (const layer of [this.marks, this.arrows, this.heats, this.ghosts]) layer.replaceChildren();
    const { below, above, checked } = drawMarks(this.#view.marks ?? [], this.#cells, sideColours(this.#view));
    this.below.replaceChildren(...below);
    this.above.replaceChildren(...above);
    this.places.forEach((place, number) => {
      place.classList.toggle("check", checked.has(number));
    });
  }

  #draw(piece, x) {
    const cell = this.#cells[piece.cell];
    const { symbols } = this.#view.board;
    return drawPiece(piece, x, cell.y, cell, colourOf(piece, this.#view), symbols);
  }

  /** Draw the pieces: those of the position, or those after a part of a move. */
  #drawPieces(pieces) {
    this.#drawnPieces = pieces;
    const onCell = Map.groupBy(
      pieces.filter((piece) => piece.cell in this.#cells),
      (piece) => piece.cell,
    );
    this.pieces.replaceChildren(
      ...[...onCell].flatMap(([number, held]) => {
        const cell = this.#cells[number];
        const standing = held.filter(({ shape, base }) => !FLAT.has(shape) && !base);
        const apart = standing.length > 1 ? Math.min(0.22, 0.5 / (standing.length - 1)) : 0;
        return held.map((piece) => {
          const place = standing.indexOf(piece);
          const aside = place < 0 ? 0 : (place - (standing.length - 1) / 2) * apart;
          return this.#draw(piece, cell.x + aside);
        });
      }),
    );
    this.labelOf = this.#cells.map((cell, number) =>
      [
        nameOf(cell.name),
        ...(onCell.get(number) ?? []).map((piece) => pieceName(piece, this.#view.sides)),
      ].join(", "),
    );
  }

  #showButtons() {
    const bare = this.#view.board
      ? this.#view.actions.filter(({ touch }) => !touch.length)
      : this.#view.actions;
    const moves = bare.map(({ move }) => move);
    this.buttons.replaceChildren(...moveButtons(moves, this.#isActive, (move) => this.#play(move)));
    const isNeeded = bare.length > 0 && this.#view.player >= 0;
    this.#hasButtons = isNeeded || (this.#hasButtons && !this.#view.over);
    this.buttons.hidden = !this.#hasButtons;
    this.buttons.classList.toggle("away", !isNeeded); // they keep their space, so that nothing moves
  }

  // ---- touches -------------------------------------------------------------------------------------
  #ways(path) {
    return waysFrom(this.#view.actions, path);
  }

  #fitting(path) {
    return [...new Set(this.#ways(path).map(([action]) => action))];
  }

  #complete(path) {
    return completeBy(this.#view.actions, path);
  }

  #showTargets() {
    if (!this.#view.board) return;
    const ways = this.#isActive ? this.#ways(this.#path) : [];
    const isFirst = this.#path.length === 0;
    const next = new Map(); // a cell that can be touched -> whether a dot marks it
    const starts = new Set(); // cells where a way of several touches begins
    for (const [, way] of ways) {
      (way[this.#path.length] ?? []).forEach((cell, place) => {
        next.set(cell, next.get(cell) || (place === 0 && (!isFirst || way.length === 1)));
        if (isFirst && way.length > 1) starts.add(cell);
      });
    }
    if (!isFirst && this.#complete(this.#path).length) next.set(this.#path.at(-1), true);
    const pieces = isFirst ? this.#view.pieces : halfMoved(this.#view, this.#fitting(this.#path), this.#path);
    if (pieces !== this.#drawnPieces) this.#drawPieces(pieces);
    const taken = new Map(
      pieces.filter(({ text }) => text !== BLANK).map(({ cell, shape }) => [cell, shape]),
    );
    const free = this.#cells.filter(({ shape }, cell) => shape !== "none" && !taken.has(cell)).length;
    const dots = [...next].filter(([number, is]) => is && !taken.has(number)).length;
    const isOpen = isFirst && !starts.size && dots > 0 && (dots >= OPEN * free || dots > MANY);
    this.targets.replaceChildren(
      ...[...next]
        .filter(([, isMarked]) => isMarked && !isOpen)
        .map(([number]) => drawTarget(this.#cells[number], taken.get(number), this.small)),
    );
    this.places.forEach((place, number) => {
      const can = next.has(number);
      place.classList.toggle("can", can);
      place.classList.toggle("from", starts.has(number));
      place.classList.toggle("chosen", this.#path.includes(number));
      place.setAttribute("tabindex", number === this.#focus ? "0" : "-1");
      place.setAttribute("aria-label", this.labelOf[number] + (can ? `, ${t("can be played")}` : ""));
      if (this.#path.includes(number)) place.setAttribute("aria-pressed", "true");
      else place.removeAttribute("aria-pressed");
    });
  }

  /** Handle the touch of a cell: continue the move, begin another one, or cancel it. */
  #touch(cell) {
    if (!this.#isActive) {
      if (this.#view.isExpected) this.#early.push(cell);
      return;
    }
    this.chooser.close();
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
    this.chooser.close();
    this.#isActive = false; // one move for each position
    if (this.#view.board) this.#showTargets();
    this.dispatchEvent(new CustomEvent("move", { detail: move }));
  }

  /** Show under the pointer what a touch would put there. */
  #hover(event) {
    const place = event.target.closest?.(".cell.can");
    this.ghosts?.replaceChildren();
    if (!place || event.pointerType === "touch" || this.#path.length) return;
    const [[, way] = []] = this.#ways([Number(place.dataset.cell)]);
    const cell = way?.length === 1 ? way[0][0] : -1;
    if (cell < 0 || this.#view.pieces.some((piece) => piece.cell === cell && !piece.base)) return;
    const like = likeIn(this.#view, this.#view.pieces, cell);
    this.ghosts.replaceChildren(
      like
        ? this.#draw({ ...like, cell, count: 0 }, this.#cells[cell].x)
        : drawTarget(this.#cells[cell], false, this.small),
    );
  }

  #choose(actions) {
    const { x, y } = this.#cells[this.#path.at(-1)];
    this.chooser.ask(actions, this.#view, [
      (x - this.box.left) / this.box.width,
      (y - this.box.top) / this.box.height,
    ]);
  }

  #cancel() {
    this.#path = [];
    this.chooser.close();
    this.#showTargets();
    this.places[this.#focus].focus();
  }

  // ---- pointer and keys ----------------------------------------------------------------------------
  #press(event) {
    const place = event.target.closest?.(".cell");
    this.#isPointed = true;
    if (!place || event.button) return;
    const cell = Number(place.dataset.cell);
    if (!this.#isActive) {
      this.#drag = { cell, isEarly: true };
      return this.#touch(cell);
    }
    this.#drag = {
      cell,
      x: event.clientX,
      y: event.clientY,
      isMoving: false,
      isChosen: this.#path.at(-1) === cell,
    };
    this.#focus = cell;
    const begins = this.#ways([cell]).some(([, way]) => way.length > 1);
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
    drag.piece ??= pieceAt(this.pieces, from);
    if (number >= 0 && drag.piece) {
      this.pieces.append(drag.piece);
      drag.piece.setAttribute("transform", `translate(${at.x} ${at.y})`);
      drag.piece.classList.add("dragged");
    }
  }

  #release(event) {
    const drag = this.#drag;
    const place = document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".cell");
    if (this.zoom.enter(event, this.#cells[place?.dataset.cell])) return this.#endDrag();
    this.#endDrag();
    if (!drag || !place || !this.contains(place)) return;
    const cell = Number(place.dataset.cell);
    this.places[this.#focus]?.setAttribute("tabindex", "-1");
    this.#focus = cell;
    if (drag.isEarly) return cell === drag.cell ? undefined : this.#touch(cell);
    if (drag.began && cell === drag.cell) {
      if (drag.isChosen) this.#touch(cell);
      return;
    }
    this.#isDropped = drag.isMoving;
    if (cell === drag.cell || drag.isMoving) this.#touch(cell);
  }

  #click(event) {
    const place = event.detail === 0 && event.target.closest?.(".cell");
    if (place) this.#touch(Number(place.dataset.cell));
  }

  #endDrag() {
    if (this.#drag?.piece) this.#drawPieces(this.#drawnPieces);
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
    if (event.key === "Escape" && (this.#path.length || this.chooser.isOpen)) this.#cancel();
    else if (event.target.closest(".cell") && event.key in DIRECTIONS && !this.#isPointed) {
      const next = neighbour(this.#cells, this.#focus, ...DIRECTIONS[event.key]);
      this.places[this.#focus].setAttribute("tabindex", "-1");
      this.places[next].setAttribute("tabindex", "0");
      this.places[next].focus();
    } else if (event.target.closest(".cell") && (event.key === "Enter" || event.key === " ")) {
      this.#touch(this.#focus);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

customElements.define("g-board", BoardElement);
