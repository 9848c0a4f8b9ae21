// The game on the screen: its first position, its moves, and the current position. All pages share it.

import { keep } from "./dom.js";
import { ask } from "./server.js";
import { lang } from "./words.js";

const KEPT = 500; // views

class Match extends EventTarget {
  #views = new Map();

  constructor() {
    super();
    const last = keep.get("match") ?? {};
    this.game = last.game ?? ""; // "": the default game
    this.start = last.start ?? "";
    this.moves = last.moves ?? [];
    this.cursor = this.moves.length; // plies before the current position
    this.undone = []; // moves that were taken back: lists of moves, the last list first
  }

  get isAtEnd() {
    return this.cursor === this.moves.length;
  }

  /** Return the game up to a ply, in the form that every question contains. */
  at(ply = this.cursor) {
    return { game: this.game, start: this.start, moves: this.moves.slice(0, ply) };
  }

  /** Return the position after a number of plies, as the server describes it. */
  view(ply = this.cursor) {
    const asked = this.at(ply);
    const key = JSON.stringify([lang, asked]);
    if (!this.#views.has(key)) {
      const answer = ask("view", asked);
      answer.catch(() => this.#views.delete(key));
      this.#views.set(key, answer);
      if (this.#views.size > KEPT) this.#views.delete(this.#views.keys().next().value);
    }
    return this.#views.get(key);
  }

  /** Start another game, or the same one from the beginning. */
  begin(game, start = "", moves = [], cursor = moves.length) {
    Object.assign(this, { game, start, moves, cursor: Math.min(cursor, moves.length), undone: [] });
    this.#changed("begin");
  }

  /** Play a move in the current position. Later moves are dropped, unless the next one is the same. */
  play(move) {
    if (this.moves[this.cursor] !== move) {
      if (!this.isAtEnd || this.undone.at(-1)?.[0] !== move) this.undone = [];
      else if (this.undone.at(-1).length > 1) this.undone.at(-1).shift();
      else this.undone.pop();
      this.moves = [...this.moves.slice(0, this.cursor), move];
    }
    this.cursor += 1;
    this.#changed("play");
  }

  /** Go to the position after a number of plies. */
  look(ply) {
    const cursor = Math.max(0, Math.min(ply, this.moves.length));
    if (cursor === this.cursor) return;
    this.cursor = cursor;
    this.#changed("look");
  }

  /** Take moves back until this number of moves is left. */
  takeBack(ply) {
    this.undone.push(this.moves.slice(ply));
    this.moves = this.moves.slice(0, ply);
    this.cursor = ply;
    this.#changed("undo");
  }

  /** Play the moves again that were taken back last. */
  redo() {
    this.moves = [...this.moves, ...(this.undone.pop() ?? [])];
    this.cursor = this.moves.length;
    this.#changed("redo");
  }

  /** Simplify a game that the server could not read: drop the moves, then the position, the parameters, the game. */
  recover(games) {
    const [name] = splitGame(this.game);
    const game = games.some((each) => each.name === name) ? name : usualGame(games);
    if (this.moves.length) this.begin(this.game, this.start);
    else if (this.start) this.begin(this.game);
    else if (this.game !== game) this.begin(game);
  }

  /** Return the values for a link. */
  link() {
    return {
      game: this.game,
      start: this.start,
      moves: this.moves,
      at: this.isAtEnd ? "" : String(this.cursor),
    };
  }

  /** Take the game from a link, if it names one. Return whether it is another game. */
  follow(link) {
    if (!link.has("game")) return false;
    const moves = link.list("moves");
    const cursor = link.number("at", moves.length);
    const said = JSON.stringify([link.text("game"), link.text("start"), moves]);
    if (said === JSON.stringify([this.game, this.start, this.moves])) {
      this.look(cursor);
      return false;
    }
    this.begin(link.text("game"), link.text("start"), moves, cursor);
    return true;
  }

  #changed(what) {
    keep.set("match", { game: this.game, start: this.start, moves: this.moves });
    this.dispatchEvent(new CustomEvent("change", { detail: what }));
  }
}

export const match = new Match();

/** Return the game to begin with: the user's own, or a well-known one. */
export const usualGame = (games) => games.find(({ usual }) => usual).name;

/** Split "connect-four:width=9" into the name and the parameters. */
export function splitGame(text) {
  const [name, given = ""] = text.split(/:(.*)/s);
  return [
    name,
    Object.fromEntries(
      given
        .split(",")
        .filter(Boolean)
        .map((pair) => pair.split(/=(.*)/s).slice(0, 2)),
    ),
  ];
}

/** Join a name and parameters. Parameters with their default value are left out. */
export function joinGame(game, given) {
  const changed = game.parameters.filter(
    (p) => p.name in given && String(given[p.name]) !== String(p.default),
  );
  return game.name + (changed.length ? `:${changed.map((p) => `${p.name}=${given[p.name]}`).join(",")}` : "");
}
