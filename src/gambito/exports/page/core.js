// An exported game: its rules, its searches, and the worker in which they think while a page goes on.
// DATA, which an export writes, says what the game is and where its module keeps everything.
// A position is plain bytes, an action a number. What is wrong is told by a GameError with a code.

import { DATA } from "./data.js";

export const CODES = {
  [-1]: ["illegal", "that is not a legal action here"],
  [-2]: ["strange", "that is no position of this game"],
  [-3]: ["over", "the game is over"],
  [-4]: ["raised", "the rules failed in this position"],
  [-5]: ["gave-up", "the search gave up: the position has too many actions"],
  [-6]: ["unknown", "there is no such algorithm, level, player or limit"],
  [-7]: ["busy", "a search is running; stop it first"],
  [-8]: ["text", "that names no move here"],
};

export class GameError extends Error {
  constructor(code, more = "") {
    super(CODES[code][1] + (more ? `: ${more}` : ""));
    this.name = "GameError";
    this.code = CODES[code][0];
  }
}

export const CHANCE = -1; // who moves where dice or cards decide
export const MOST = 2 ** 31 - 1;
export const NEVER = 1e20; // milliseconds: later than the end of any search
export const FULL = DATA.levels.length; // the highest level: the search alone

/** The functions of the module over its memory. Everything here answers at once. */
export class Module {
  constructor(instance) {
    this.calls = instance.exports;
    this.memory = this.calls.memory.buffer;
    const at = DATA.spaces;
    const view = (Kind, name, count) => new Kind(this.memory, at[name], count);
    this.given = view(Uint8Array, "gambito.given", DATA.bytes);
    this.made = view(Uint8Array, "desk.made", DATA.bytes);
    this.words = view(BigInt64Array, "desk.words", DATA.words);
    this.numbers = view(Float64Array, "desk.numbers", DATA.numbers);
  }

  place(position) {
    if (!(position instanceof Uint8Array) || position.length !== DATA.bytes) throw new GameError(-2);
    this.given.set(position);
  }

  ask(name, ...given) {
    const stack = this.calls.stack?.value;
    let answer;
    try {
      answer = this.calls[name](...given);
    } catch (problem) {
      if (stack !== undefined) this.calls.stack.value = stack; // it was left where the trap has ended the call
      throw new GameError(-4, problem.message);
    }
    if (answer < 0) throw new GameError(answer);
    return answer;
  }

  word = (name) => Number(this.words[DATA.at[name]]);

  list(name, Kind, count) {
    return Array.from(new Kind(this.memory, DATA.spaces[`desk.${name}`], count), Number);
  }

  look(position) {
    this.place(position);
    const count = this.ask("look");
    const mover = this.word("MOVER");
    const found = {
      mover,
      over: this.word("OVER") !== 0,
      key: BigInt.asUintN(64, this.words[DATA.at.KEY]),
      actions: this.list("actions", BigInt64Array, count),
      utilities: [...this.numbers.subarray(DATA.at.UTILITIES, DATA.at.UTILITIES + DATA.players)],
      statics: [...this.numbers.subarray(DATA.at.STATICS, DATA.at.STATICS + DATA.players)],
    };
    if (mover === CHANCE) found.chances = this.list("chances", Float64Array, count);
    return found;
  }

  play(position, action) {
    if (!Number.isSafeInteger(action)) throw new GameError(-1);
    this.place(position);
    this.ask("play", BigInt(action));
    return this.made.slice();
  }

  /** What stands on each cell, as numbers; none if the game has no board. */
  codes(position) {
    this.place(position);
    if (DATA.cells.how === "call") {
      this.ask("see");
      return this.list("cells", BigInt64Array, DATA.cells.count);
    }
    return DATA.cells.how === "bytes" ? DATA.cells.fields.flatMap((field) => readField(position, field)) : [];
  }

  /** The cells that each action touches, in the order of the actions; null: they are found in what changes. */
  touches(position, count) {
    if (!DATA.touches) return null;
    this.place(position);
    this.ask("touch");
    const cells = this.list("touches", BigInt64Array, DATA.most_touched * DATA.touches);
    return Array.from({ length: Math.min(count, DATA.most_touched) }, (_, number) => {
      const way = cells.slice(number * DATA.touches, (number + 1) * DATA.touches);
      const end = way.findIndex((cell) => cell < 0);
      return end < 0 ? way : way.slice(0, end);
    });
  }

  search(
    position,
    { algorithm = DATA.algorithms[0], depth = 0, nodes = 0, milliseconds = 0, seed = 1, forget = false } = {},
  ) {
    if (!DATA.algorithms.includes(algorithm)) throw new GameError(-6, String(algorithm));
    for (const limit of [depth, nodes, milliseconds, seed])
      if (typeof limit !== "number" || !(limit >= 0)) throw new GameError(-6, String(limit));
    if (this.look(position).over) throw new GameError(-3);
    this.place(position);
    const set = (name, value) => {
      this.words[DATA.at[name]] = BigInt(Math.trunc(Math.min(value, 2 ** 53)));
    };
    set("DEPTH", Math.min(depth, MOST));
    set("MOST_NODES", nodes);
    set("SEED", seed);
    set("FORGET", forget ? 1 : 0);
    this.numbers[DATA.at.MILLISECONDS] = milliseconds;
    this.ask(`search_${algorithm.replace(/-/g, "_")}`);
    return this.found(algorithm);
  }

  /** What the last search has found, or one that is running has found so far. */
  found(algorithm) {
    const line = this.list("line", BigInt64Array, this.word("LINE"));
    const isSum = algorithm === "mcts";
    const count = isSum ? this.word("COUNT") : 0;
    return {
      algorithm,
      action: line[0] ?? null,
      line,
      value: this.numbers[DATA.at.VALUE],
      depth: this.word("REACHED"),
      nodes: this.word("COUNTED"),
      proven: this.word("EXACT") !== 0,
      endsIn: this.word("ENDS_IN") || null,
      values: algorithm === "max-n" ? this.list("means", Float64Array, DATA.players) : null,
      candidates: this.list("actions", BigInt64Array, count).map((action, number) => ({
        action,
        visits: this.list("visits", BigInt64Array, count)[number],
        value: this.list("means", Float64Array, count)[number],
      })),
    };
  }

  /** An action at the strength of a level. Weaker ones look less far, and misjudge what they see. */
  choose(position, { level = FULL, seed = Date.now(), ...limits } = {}) {
    if (!Number.isInteger(level) || level < 1 || level > FULL) throw new GameError(-6, String(level));
    const { over, mover, actions } = this.look(position);
    if (over) throw new GameError(-3);
    if (mover === CHANCE) throw new GameError(-1);
    const { depth, error } = DATA.levels[level - 1];
    if (depth === null) return this.search(position, { milliseconds: 2000, seed, ...limits });
    const random = sequence(seed);
    const nodes = Math.ceil(DATA.level_nodes / actions.length);
    let [best, chosen, visited] = [-Infinity, null, 0];
    for (const [number, action] of actions.entries()) {
      const found = this.judge(position, action, mover, depth, nodes, seed + number);
      const worth = Math.asinh(found.value / DATA.unit) + error * normal(random);
      visited += found.nodes;
      if (worth > best) [best, chosen] = [worth, { ...found, action, line: [action, ...found.line] }];
    }
    return { ...chosen, depth, nodes: visited, value: chosen.value + 0 };
  }

  /** What an action is worth to the player who chooses it. */
  judge(position, action, mover, depth, nodes, seed) {
    const child = this.play(position, action);
    const after = this.look(child);
    const none = {
      algorithm: DATA.algorithms[0],
      line: [],
      depth: 1,
      nodes: 1,
      proven: false,
      candidates: [],
    };
    if (after.over) return { ...none, value: after.utilities[mover], proven: true };
    if (depth === 1 && after.mover !== CHANCE && DATA.algorithms[0] !== "mcts")
      return { ...none, value: after.statics[mover] };
    const limits =
      DATA.algorithms[0] === "mcts"
        ? { nodes: 10 * 3 ** depth, seed }
        : { depth: Math.max(depth - 1, 1), nodes };
    const found = this.search(child, limits);
    const whose = Math.max(after.mover, 0);
    const value = found.values ? found.values[mover] : whose === mover ? found.value : -found.value;
    return { ...found, value };
  }
}

/** Numbers from 0 to 1, the same for the same seed (Mulberry32). */
export function sequence(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const normal = (random) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

export const READERS = {
  int8: "getInt8",
  uint8: "getUint8",
  bool: "getUint8",
  int16: "getInt16",
  uint16: "getUint16",
  int32: "getInt32",
  uint32: "getUint32",
  int64: "getBigInt64",
  uint64: "getBigUint64",
  float32: "getFloat32",
  float64: "getFloat64",
};

/** The numbers of one field of a position. */
export function readField(position, { at, type, count }) {
  const view = new DataView(position.buffer, position.byteOffset, position.length);
  const size = Number(/\d+$/.exec(type)?.[0] ?? 8) / 8;
  return Array.from({ length: count }, (_, place) => {
    const held = view[READERS[type]](at + place * size, true);
    return typeof held === "bigint" && held <= Number.MAX_SAFE_INTEGER ? Number(held) : held;
  });
}

const MOST_TOUCHED = 3; // cells that one action fills; of more, nobody knows which are touched

/** What an action does, found in what it changes: [from, to] moves a piece, [cell] puts one; see boards/changes. */
function arrowsOf(before, after, named) {
  const { cells, empty } = DATA.kit;
  const found = [];
  for (let first = before.length - cells; first >= 0; first -= cells) {
    const all = Array.from({ length: cells }, (_, cell) => first + cell);
    const changed = all.filter((cell) => before[cell] !== after[cell]);
    if (changed.includes(first + named) && named >= 0) return [[named]];
    const filled = changed.filter((cell) => before[cell] === empty);
    const [source, to] = movedIn(before, after, all, changed);
    if (to >= 0) found.push([source - first, to - first]);
    const isKnown = [filled, changed].some(({ length }) => length > 0 && length <= MOST_TOUCHED);
    const hasLeft = (code) => all.some((cell) => before[cell] === code && after[cell] !== code);
    for (const cell of isKnown ? changed : []) {
      if (cell === to) continue;
      const isFilled = before[cell] === empty;
      const isTouched =
        to < 0
          ? filled.length === 0 || isFilled
          : (cell === source || isFilled) && after[cell] !== empty && !hasLeft(after[cell]);
      if (isTouched) found.push([cell - first]);
    }
  }
  return found;
}

/** Where a piece of a layer stood, and where it stands now; -1 if none has moved. */
function movedIn(before, after, all, changed) {
  const { empty } = DATA.kit;
  const placeOf = (left) =>
    all.find((cell) => cell !== left && after[cell] === before[left] && after[cell] !== before[cell]) ?? -1;
  const left = changed.filter((cell) => after[cell] === empty);
  for (const cell of left) if (placeOf(cell) >= 0) return [cell, placeOf(cell)];
  // It became another piece.
  if (changed.length === 2 && left.length === 1) return [left[0], changed.find((cell) => cell !== left[0])];
  for (const cell of changed.length <= MOST_TOUCHED ? changed : []) {
    // It left something behind.
    const to = before[cell] === empty ? -1 : placeOf(cell);
    if (to >= 0 && before[to] === empty) return [cell, to];
  }
  return [-1, -1];
}

/** A game with its opponent. Rules answer at once, searches with a promise. */
export class Game {
  #module;
  #compiled;
  #script;
  #worker = null;
  #waiting = null; // the search that runs: what settles it, and what it has found so far
  #flag = null; // where the page may share memory with its worker: a search ends as soon as it is set

  constructor(compiled, instance, script) {
    this.#module = new Module(instance);
    this.#compiled = compiled;
    this.#script = script;
    if (globalThis.crossOriginIsolated) this.#flag = new Int32Array(new SharedArrayBuffer(4));
  }

  get title() {
    return DATA.title;
  }
  get players() {
    return DATA.players;
  }
  get sides() {
    return [...DATA.sides];
  }
  get algorithms() {
    return [...DATA.algorithms];
  }
  get levels() {
    return DATA.levels.map(({ name }) => name);
  }

  /** The first position. */
  start() {
    return Uint8Array.from(DATA.start);
  }

  actions(position) {
    const { mover, over, actions } = this.#module.look(position);
    return over || mover === CHANCE ? [] : actions;
  }

  /** What dice or cards may give here: [{outcome, name, probability}]; none if a player moves. */
  outcomes(position) {
    const { actions, chances = [] } = this.#module.look(position);
    return chances.map((probability, number) => {
      const outcome = actions[number];
      return { outcome, name: DATA.throws?.[outcome] ?? String(outcome), probability };
    });
  }

  /** Draw an outcome of dice or cards; `random` gives numbers from 0 to 1. */
  roll(position, random = Math.random) {
    const outcomes = this.outcomes(position);
    if (!outcomes.length) throw new GameError(-1);
    let left = random();
    for (const { outcome, probability } of outcomes) {
      left -= probability;
      if (left < 0) return outcome;
    }
    return outcomes.at(-1).outcome;
  }

  /** The position after an action, or after an outcome where dice or cards decide. */
  play(position, action) {
    return this.#module.play(position, action);
  }

  isOver(position) {
    return this.#module.look(position).over;
  }

  /** Who moves: 0, 1 …; -1: dice or cards decide. */
  mover(position) {
    return this.#module.look(position).mover;
  }

  /** The result of a finished game for a player. */
  utility(position, player) {
    if (!Number.isInteger(player) || player < 0 || player >= DATA.players)
      throw new GameError(-6, String(player));
    return this.#module.look(position).utilities[player];
  }

  /** A number that is the same for equal positions. */
  key(position) {
    return this.#module.look(position).key;
  }

  /** What stands on each cell, as numbers. */
  cells(position) {
    return this.#module.codes(position);
  }

  /** The legal actions with their names and the cells that a person touches: [{action, name, touch}]. */
  moves(position) {
    const actions = this.actions(position);
    const named = actions.map((action) => DATA.names?.[action]);
    const hasCells = DATA.kit !== null;
    const before = hasCells ? this.cells(position) : [];
    const ways = hasCells ? this.#ways(position, actions, before) : actions.map(() => []);
    const names = ways.map((way, number) => named[number] ?? this.#nameOf(way, before, actions[number]));
    const often = new Map();
    for (const name of names) often.set(name, (often.get(name) ?? 0) + 1);
    return actions.map((action, number) => ({
      action,
      name: often.get(names[number]) > 1 ? `${names[number]}:${action}` : names[number],
      touch: ways[number],
    }));
  }

  #ways(position, actions, before) {
    const told = this.#module.touches(position, actions.length);
    if (told) return actions.map((_, number) => told[number] ?? []);
    const isByCell = actions.every((action) => action < DATA.kit.cells);
    return actions.map((action) =>
      arrowsOf(before, this.cells(this.play(position, action)), isByCell ? action : -1).flat(),
    );
  }

  #nameOf(way, before, action) {
    if (!way.length) return String(action);
    const { step, taking, empty, names } = DATA.kit;
    return way.map((cell) => names[cell]).join(way.length === 2 && before[way[1]] !== empty ? taking : step);
  }

  /** The action that a text names. */
  read(position, text) {
    const bare = (name) => name.toLowerCase().replace(/[-x:=\s]/g, "");
    const moves = this.moves(position);
    const fitting = [(a) => a, (a) => a.toLowerCase(), bare]
      .map((plain) => moves.filter(({ name }) => plain(name) === plain(String(text).trim())))
      .find((found) => found.length === 1);
    if (!fitting) throw new GameError(-8, String(text));
    return fitting[0].action;
  }

  /** The name of an action. */
  write(position, action) {
    const move = this.moves(position).find((each) => each.action === action);
    if (!move) throw new GameError(-1);
    return move.name;
  }

  /** The position after moves from the first one, with spaces between; an outcome of dice is its number. */
  parse(text) {
    return String(text)
      .split(/[\s,]+/)
      .filter(Boolean)
      .reduce((position, word) => {
        const isRoll = this.mover(position) === CHANCE && /^\d+$/.test(word);
        return this.play(position, isRoll ? Number(word) : this.read(position, word));
      }, this.start());
  }

  /** The moves of a game as text, which `parse` reads. */
  text(actions) {
    let position = this.start();
    return actions
      .map((action) => {
        const word = this.mover(position) === CHANCE ? String(action) : this.write(position, action);
        position = this.play(position, action);
        return word;
      })
      .join(" ");
  }

  /** Search in this thread, and answer at the end. */
  searchNow(position, options = {}) {
    return "level" in options
      ? this.#module.choose(position, options)
      : this.#module.search(position, options);
  }

  /** Search in a worker: {action, line, value, depth, nodes, proven …}; `progress` hears what is found so far. */
  search(position, { progress, ...options } = {}) {
    if (this.#waiting) return Promise.reject(new GameError(-7));
    if (!this.#script || typeof Worker === "undefined")
      return new Promise((resolve) => resolve(this.searchNow(position, options)));
    if (this.#flag) this.#flag[0] = 0;
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject, progress, best: null };
      this.#worker ??= this.#begin();
      this.#worker.postMessage({ position, options });
    });
  }

  #begin() {
    const worker = new Worker(this.#script.url, { type: this.#script.type, name: "gambito" });
    worker.onmessage = ({ data }) => {
      const waiting = this.#waiting;
      if (!waiting) return;
      if (data.progress) {
        waiting.best = data.progress;
        waiting.progress?.(data.progress);
        return;
      }
      this.#waiting = null;
      if (data.problem) waiting.reject(Object.assign(new GameError(-4), data.problem));
      else waiting.resolve(data.found);
    };
    worker.onerror = (problem) => {
      this.#waiting?.reject(new GameError(-4, problem.message));
      this.#waiting = null;
    };
    worker.postMessage({ compiled: this.#compiled, flag: this.#flag });
    return worker;
  }

  /** End the search that runs; it answers with what it has found, or with null if that is nothing yet. */
  stop() {
    const waiting = this.#waiting;
    if (!waiting) return;
    if (this.#flag) {
      this.#flag[0] = 1;
      return;
    }
    this.#worker.terminate();
    this.#worker = null;
    this.#waiting = null;
    waiting.resolve(waiting.best);
  }

  /** The best action at full strength. */
  async hint(position, options = {}) {
    return (await this.search(position, { milliseconds: 1000, ...options }))?.action ?? null;
  }

  /** End the worker. */
  close() {
    this.stop();
    this.#worker?.terminate();
    this.#worker = null;
  }
}

/** Instantiate the module; `tell` is called whenever it asks for the time, and may end its search. */
export async function instantiate(compiled, tell = () => false) {
  const start = performance.now();
  const now = () => (tell() ? NEVER : performance.now() - start);
  return WebAssembly.instantiate(compiled, { env: { gambito_now: now } });
}

/** Write what the game has learned into the memory of its module. */
export function fill(instance, weights) {
  let at = 0;
  for (const { place, size } of DATA.weights) {
    new Uint8Array(instance.exports.memory.buffer, place, size).set(weights.subarray(at, at + size));
    at += size;
  }
}

/** What a worker does: it waits for positions, and searches them. */
export function serve(scope) {
  let module = null;
  let flag = null;
  let ready = null;
  let [rounds, algorithm] = [0, ""];
  const tell = () => {
    const now = module.word("ROUNDS");
    if (now > rounds && algorithm) {
      rounds = now;
      scope.postMessage({ progress: module.found(algorithm) });
    }
    return flag !== null && Atomics.load(flag, 0) === 1;
  };
  scope.onmessage = async ({ data }) => {
    if (data.compiled) {
      flag = data.flag;
      ready = instantiate(data.compiled.module, tell).then((instance) => {
        fill(instance, data.compiled.weights);
        module = new Module(instance);
      });
      return;
    }
    await ready;
    try {
      const { position, options } = data;
      [rounds, algorithm] = [0, options.level < FULL ? "" : (options.algorithm ?? DATA.algorithms[0])];
      const found = "level" in options ? module.choose(position, options) : module.search(position, options);
      scope.postMessage({ found });
    } catch (problem) {
      scope.postMessage({ problem: { code: problem.code ?? "raised", message: problem.message } });
    }
  };
}

/** A game from the bytes of its module and of what it has learned; `script` is where a worker finds this text. */
export async function open(bytes, weights = new Uint8Array(), script = null) {
  const module = await WebAssembly.compile(bytes);
  const instance = await instantiate(module);
  fill(instance, weights);
  return new Game({ module, weights }, instance, script);
}
