// The game on the screen: its first position, its moves, and the current position. All pages share it.
// The game may have other lines beside the current one: no move drops the moves that it replaces.
// A position may have a note, a comment and signs: {text, signs}. Its key is the moves that lead to it, joined.

import { keep } from "./dom.js";
import { expected } from "./moving.js";
import { ask, Lost } from "./server.js";
import { lang } from "./words.js";

const KEPT = 500; // views

const isTexts = (value) => Array.isArray(value) && value.every((each) => typeof each === "string");
const isSame = (a, b, length = Math.max(a.length, b.length)) =>
  a.slice(0, length).join("\n") === b.slice(0, length).join("\n");

class Match extends EventTarget {
  #views = new Map(); // promises
  #known = new Map(); // those that are kept, by the same keys

  constructor() {
    super();
    const last = keep.get("match");
    const isMatch = isTexts([last?.game, last?.start]) && isTexts(last.moves);
    this.game = isMatch ? last.game : ""; // "": the default game
    this.start = isMatch ? last.start : "";
    this.moves = isMatch ? last.moves : [];
    const isKept = isMatch && Array.isArray(last.lines) && last.lines.every(isTexts);
    this.lines = isKept ? last.lines : [this.moves]; // the game, then its variations
    this.line = this.lines.findIndex((line) => isSame(line, this.moves)); // the current one
    if (this.line < 0) [this.lines, this.line] = [[this.moves], 0];
    this.notes = isKept && typeof last.notes === "object" ? (last.notes ?? {}) : {};
    this.cursor = this.moves.length; // plies before the current position
    this.undone = []; // moves that were taken back: lists of moves, the last list first
    this.table = null; // where the server keeps the game, if it hides something: then `moves` are those seen
  }

  get isAtEnd() {
    return this.cursor === this.moves.length;
  }

  /** Return the game up to a ply, in the form that every question contains. */
  at(ply = this.cursor) {
    if (this.table) return { key: this.table.key, ply };
    return { game: this.game, start: this.start, moves: this.moves.slice(0, ply) };
  }

  /** Return the position after a number of plies, as the server describes it: all of it, or what its player
      to move has `seen`. */
  view(ply = this.cursor, seen = undefined) {
    if (this.table) return this.table.view(ply);
    const asked = { ...this.at(ply), seen };
    const key = this.#key(ply) + (seen ? " seen" : "");
    if (!this.#views.has(key)) {
      const answer = ask("view", asked);
      answer
        .then((view) => this.#known.set(key, view))
        .catch(() => {
          this.#views.delete(key);
        });
      this.#views.set(key, answer);
      if (this.#views.size > KEPT) {
        const [oldest] = this.#views.keys();
        this.#views.delete(oldest);
        this.#known.delete(oldest);
      }
    }
    return this.#views.get(key);
  }

  /** Return what the current position will be, as far as that is known; null if the server has told it. */
  expected(ply = this.cursor) {
    if (!ply || this.table || this.#known.has(this.#key(ply))) return null;
    const before = this.#known.get(this.#key(ply - 1));
    return before ? expected(before, this.moves[ply - 1]) : null;
  }

  #key(ply) {
    return JSON.stringify([lang, this.at(ply)]);
  }

  /** Start a game. `main` is the line that the moves may have left. */
  begin(game, start = "", moves = [], cursor = moves.length, main = moves) {
    const lines = isSame(main, moves) ? [moves] : [main, moves];
    Object.assign(this, { game, start, moves, cursor: Math.min(cursor, moves.length), undone: [] });
    Object.assign(this, { lines, line: lines.length - 1, notes: {}, table: null });
    this.#changed("begin");
  }

  /** Start a game that has variations and notes; its first line is the game. */
  beginTree(game, start, { lines, notes }) {
    Object.assign(this, { game, start, lines, notes, line: 0, moves: lines[0], undone: [], table: null });
    this.cursor = 0;
    this.#changed("begin");
  }

  /** Take over what a seat has seen; the last position stays in view. */
  notice({ played }) {
    const { isAtEnd } = this;
    this.moves = played.map(({ move }) => move ?? "?");
    this.lines = [this.moves];
    if (isAtEnd) this.cursor = this.moves.length;
  }

  /** Play a move in the current position. If other moves follow there, it begins a variation. */
  play(move) {
    if (this.moves[this.cursor] !== move) {
      const moves = [...this.moves.slice(0, this.cursor), move];
      if (!this.isAtEnd) this.#branch(moves);
      else if (this.undone.length && this.undone.at(-1)[0] !== move) {
        this.lines[this.line] = [...this.moves, ...this.undone.toReversed().flat()];
        this.#branch(moves);
      } else {
        this.undone.at(-1)?.shift();
        if (!this.undone.at(-1)?.length) this.undone.pop();
        this.moves = moves;
      }
    }
    this.cursor += 1;
    this.#changed("play");
  }

  #branch(moves) {
    const known = this.lines.findIndex((line) => isSame(line, moves, moves.length));
    this.line = known < 0 ? this.lines.push(moves) - 1 : known;
    this.moves = this.lines[this.line];
    this.undone = [];
  }

  /** Change to another line, at the position where it leaves the current one. */
  takeLine(line) {
    const moves = this.lines[line];
    const place = moves.findIndex((move, ply) => move !== this.moves[ply]);
    [this.line, this.moves] = [line, moves];
    this.cursor = Math.min(this.cursor, place < 0 ? moves.length : place + 1);
    this.undone = [];
    this.#changed("line");
  }

  /** Go to the position after these moves, which one of the lines begins with. */
  visit(path) {
    const holds = (line) => isSame(line, path, path.length);
    if (!holds(this.moves)) {
      this.line = this.lines.findIndex(holds);
      this.moves = this.lines[this.line];
      this.undone = [];
    }
    this.cursor = path.length;
    this.#changed("line");
  }

  /** Replace the lines; the current one is that of these moves. */
  rearrange(lines, moves, cursor) {
    Object.assign(this, { lines, moves, cursor, undone: [] });
    this.line = lines.findIndex((line) => isSame(line, moves));
    this.#changed("line");
  }

  /** Return the note of the current position. */
  note(ply = this.cursor) {
    return this.notes[this.moves.slice(0, ply).join("\n")] ?? {};
  }

  annotate(note) {
    const key = this.moves.slice(0, this.cursor).join("\n");
    if (note.text || note.signs?.length || note.arrows?.length) this.notes[key] = note;
    else delete this.notes[key];
    this.#changed("note");
  }

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

  redo() {
    this.moves = [...this.moves, ...(this.undone.pop() ?? [])];
    this.cursor = this.moves.length;
    this.#changed("redo");
  }

  /** Simplify a game that the server could not read: drop the last move if all before it was read, else all
      moves, then the position, the parameters, the game. */
  recover(games) {
    if (this.moves.length && this.#known.has(this.#key(this.moves.length - 1)))
      return this.takeBack(this.moves.length - 1);
    const [name] = splitGame(this.game);
    const game = games.some((each) => each.name === name) ? name : usualGame(games);
    if (this.moves.length) this.begin(this.game, this.start);
    else if (this.start) this.begin(this.game);
    else if (this.game !== game) this.begin(game);
  }

  link() {
    if (this.table) return { game: this.game };
    return {
      game: this.game,
      start: this.start,
      moves: this.moves,
      at: this.isAtEnd ? "" : String(this.cursor),
    };
  }

  /** Take the game from a link, if it names one. */
  read(link) {
    if (!link.has("game")) return;
    if (this.table && link.text("game") === this.game && !link.has("moves")) return;
    const moves = link.list("moves");
    const cursor = link.whole("at", 0, moves.length, moves.length);
    const said = JSON.stringify([link.text("game"), link.text("start"), moves]);
    if (said === JSON.stringify([this.game, this.start, this.moves])) this.look(cursor);
    else {
      const main = link.list("main");
      this.begin(link.text("game"), link.text("start"), moves, cursor, main.length ? main : moves);
    }
  }

  #changed(what) {
    this.lines[this.line] = this.moves;
    const { game, start, moves, lines, notes } = this;
    keep.set("match", this.table ? { game, start, moves: [] } : { game, start, moves, lines, notes });
    this.dispatchEvent(new CustomEvent("change", { detail: what }));
  }
}

export const match = new Match();

/** Return the game to begin with: the user's own, or a well-known one. */
export const usualGame = (games) => games.find(({ usual }) => usual).name;

const variants = new Map(); // games with parameters or from a position on, as the server describes them
const variantKey = (text, place) => JSON.stringify([lang, text, place]);

/** Ask what depends on the parameters of a game: its players, and the algorithms that fit it. A `place`, with
    its start and moves, is a position that decides too. */
export async function learn(text, place = null) {
  const key = variantKey(text, place);
  if (!(place || text.includes(":")) || variants.has(key)) return;
  try {
    variants.set(key, await ask("about", { game: text, ...place }));
    if (variants.size > KEPT) variants.delete(variants.keys().next().value);
  } catch (problem) {
    if (problem instanceof Lost) return await learn(text, place); // another refusal is told with the position
  }
}

/** Return a game with its parameters, as far as they are known, from the games of the catalogue. */
export const gameOf = (games, text, place = null) =>
  variants.get(variantKey(text, place)) ??
  variants.get(variantKey(text, null)) ??
  games.find(({ name }) => name === splitGame(text)[0]) ??
  games[0];

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
