// The dialog to set up a position: pieces from a palette, the side to move, and the other fields of the notation.
// The server knows what the symbols of a notation mean, and whether the game accepts a position.

import "./board.js";
import { h, iconButton, prose, s, toast } from "./dom.js";
import { match } from "./match.js";
import { colourOf, drawPiece, pieceName } from "./pieces.js";
import { ask } from "./server.js";
import { t } from "./words.js";

document.head.append(h("link", { rel: "stylesheet", href: "arrange.css" }));

/** Open the dialog at the position that is shown, unless the asker drops it; `flip`: the board is turned. */
export async function openArrange(game, asker, flip = false) {
  const where = match.at();
  const [view, told] = await Promise.all([match.view(), asker.ask("arrange", where)]);
  if (!told.palette.length)
    return toast(t("Positions of this game are written as text: use the field and its notation."));
  new Arrange(game, view, told, flip).open();
}

class Arrange {
  #asked = 0;

  constructor(game, view, told, flip) {
    Object.assign(this, { game, view, told, flip });
    this.cells = [...told.cells];
    this.fields = [...told.fields];
    this.chosen = told.palette.find(({ symbol }) => symbol !== told.empty) ?? { symbol: "1", layer: 0 };
    this.board = h("g-board");
    this.board.addEventListener("move", ({ detail }) => this.#put(Number(detail)));
    this.problem = h("p", { class: "bad small", role: "alert" });
    this.text = h("output", { class: "mono small" });
    this.begin = h("button", { type: "submit", class: "main" }, t("Begin from this position"));
    this.dialog = h(
      "dialog",
      { class: "arrange", "aria-label": t("Set up a position"), onclose: () => this.dialog.remove() },
      h(
        "form",
        { method: "dialog", onsubmit: (event) => this.#finish(event) },
        h(
          "div",
          { class: "title" },
          h("h3", {}, t("Set up a position")),
          iconButton("close", t("Close"), () => this.dialog.close()),
        ),
        h(
          "div",
          { class: "arrange-board" },
          this.board,
          h("div", { class: "stack tight" }, this.#palette(), this.#rest()),
        ),
        this.text,
        this.problem,
        h("div", { class: "row" }, this.begin),
      ),
    );
  }

  open() {
    document.body.append(this.dialog);
    this.dialog.showModal();
    this.#show(this.view.pieces);
    this.#check();
  }

  // ---- the palette ---------------------------------------------------------------------------------
  #palette() {
    const { palette, numbers, least, empty } = this.told;
    if (numbers) {
      const number = h("input", {
        type: "number",
        min: String(least),
        max: "999",
        value: this.chosen.symbol,
        oninput: () => {
          this.chosen = { symbol: number.value || empty, layer: 0 };
        },
      });
      return h("label", {}, h("span", {}, t("Number to place with each touch")), number);
    }
    return h(
      "div",
      { class: "palette", role: "radiogroup", "aria-label": t("Pieces") },
      palette.map((each) => this.#choice(each)),
    );
  }

  #choice(each) {
    const { symbol, pieces } = each;
    const names = pieces.map((piece) => pieceName(piece, this.view.sides));
    const name = names.join(", ") || this.#bareName(symbol);
    const input = h("input", {
      type: "radio",
      name: "symbol",
      class: "unseen",
      "aria-label": name,
      checked: each === this.chosen,
      onchange: () => {
        this.chosen = each;
      },
    });
    const cell = { x: 0.5, y: 0.5, size: 1, shape: "square", tone: "plain" };
    const drawn = pieces.map((piece) =>
      drawPiece(piece, 0.5, 0.5, cell, colourOf(piece, this.view), this.view.board.symbols),
    );
    const picture = pieces.length
      ? s("svg", { viewBox: "0 0 1 1", "aria-hidden": "true" }, drawn)
      : h("span", { class: "mono", "aria-hidden": "true" }, symbol === this.told.empty ? "∅" : symbol);
    return h("label", { class: "palette-piece", title: name }, input, picture);
  }

  #bareName(symbol) {
    return symbol === this.told.empty ? t("empty") : symbol;
  }

  // ---- the other fields ----------------------------------------------------------------------------
  #rest() {
    const { turn, turns } = this.told;
    const others = () => this.fields.filter((_, place) => place !== turn).join(" ");
    const sides = h(
      "select",
      {
        onchange: () => {
          this.fields[turn] = sides.value;
          this.#check();
        },
      },
      Object.entries(turns).map(([side, word]) =>
        h("option", { value: word, selected: word === this.fields[turn] }, this.view.sides[side]),
      ),
    );
    const words = h("input", {
      type: "text",
      class: "mono",
      spellcheck: "false",
      autocomplete: "off",
      value: others(),
      oninput: () => {
        const said = words.value.split(/\s+/).filter(Boolean);
        const first = turn == null ? [] : [this.fields[turn]];
        this.fields = turn == null ? said : [...said.slice(0, turn), ...first, ...said.slice(turn)];
        this.#check();
      },
    });
    return [
      turn == null ? null : h("label", {}, h("span", {}, t("To move")), sides),
      others() ? h("label", {}, h("span", {}, t("Other fields")), words) : null,
      this.game.positions ? h("p", { class: "small muted" }, prose(this.game.positions)) : null,
      h(
        "div",
        { class: "row" },
        h(
          "button",
          { type: "button", onclick: () => this.#fill(() => this.told.empty) },
          t("Clear the board"),
        ),
        h(
          "button",
          { type: "button", onclick: () => this.#fill((place) => this.told.cells[place]) },
          t("As it was"),
        ),
      ),
    ];
  }

  // ---- the board -----------------------------------------------------------------------------------
  /** Put the chosen piece on a cell, or take it away if it stands there already; the empty cell clears all layers. */
  #put(cell) {
    const { symbol, layer } = this.chosen;
    const { empty } = this.told;
    const size = this.view.board.cells.length;
    if (symbol === empty)
      for (let place = cell; place < this.cells.length; place += size) this.cells[place] = empty;
    else {
      const place = layer * size + cell;
      this.cells[place] = this.cells[place] === symbol ? empty : symbol;
    }
    this.#change();
  }

  #fill(symbolOf) {
    this.cells = this.cells.map((_, place) => symbolOf(place));
    this.#change();
  }

  #change() {
    this.#show(this.#looks());
    this.#check();
  }

  /** Return the pieces as the palette shows them, until the game has read the position. */
  #looks() {
    const known = new Map(
      this.told.palette.map(({ symbol, layer, pieces }) => [`${layer} ${symbol}`, pieces]),
    );
    const size = this.view.board.cells.length;
    return this.cells.flatMap((symbol, place) =>
      (known.get(`${Math.floor(place / size)} ${symbol}`) ?? []).map((piece) => ({
        ...piece,
        cell: place % size,
      })),
    );
  }

  #show(pieces) {
    const { board, sides } = this.view;
    const actions = board.cells.map((_, cell) => ({ move: String(cell), touch: [[cell]] }));
    const view = { board, pieces, actions, sides, played: [], player: 0, over: false };
    this.board.show(view, { flip: this.flip, active: true });
  }

  /** Let the game read the position; it says what is wrong with it. */
  async #check() {
    const asked = ++this.#asked;
    try {
      const { start, pieces } = await ask("arrange", {
        game: match.game,
        cells: this.cells,
        fields: this.fields,
      });
      if (asked !== this.#asked) return;
      [this.start, this.text.textContent, this.problem.textContent] = [start, start, ""];
      this.#show(pieces);
    } catch (problem) {
      if (asked !== this.#asked) return;
      [this.start, this.text.textContent, this.problem.textContent] = [null, "", problem.message];
    }
    this.begin.disabled = this.start == null;
  }

  #finish(event) {
    event.preventDefault();
    if (this.start == null) return;
    history.pushState(null, "", location.href);
    match.begin(match.game, this.start);
    this.dialog.close();
  }
}
