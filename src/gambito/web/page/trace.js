// A watched search, from the arrays that the server sends (web/record.py describes them).
// The state of a node after any number of steps is looked up, not replayed, so every jump costs the same.

import { say, t } from "./words.js";

const TYPES = {
  f4: Float32Array,
  f8: Float64Array,
  u4: Uint32Array,
  i4: Int32Array,
  u2: Uint16Array,
  u1: Uint8Array,
  i1: Int8Array,
};
const HEAD = 8; // bytes before the arrays: the number of the question
const TALL = 0.5; // the share of the distance between two levels that a node may take
const FEW = 100; // nodes of a level that are drawn in the same size
export const INFINITE = 2 ** 39; // values beyond are those of a window without an end
const ON_LINE = 1;
const DEEP = 4;
const SIGNS = { exact: "=", lower: "≥", upper: "≤" };
const GREEK = { alpha: "α", beta: "β" };
const TABLES = "nodes steps tops floors width shapes bounds kinds reasons words sentences fact_names".split(
  " ",
);
const FINAL = new Set(["leaf", "leave"]);
const CUTS = new Set(["cut", "pass cut", "fail high cut", "fail low cut"]);
const TURNS = ["begin", "iteration", "open", "close"];

export class Trace {
  constructor(header, buffer) {
    this.record = header; // game, position, algorithm, value, line …
    for (const name of TABLES) this[name] = header[name];
    this.array = {};
    for (const [name, type, count, offset] of header.arrays)
      this.array[name] = new TYPES[type](buffer, HEAD + offset, count);
    this.kindOf = (step) => this.kinds[this.array.kind[step]];
    this.height = this.floors.at(-1) ?? 0;
    this.#indexSteps();
    this.#indexCuts();
    this.#measure();
  }

  /** Index the steps of each node, the first step of each visit, and the counts. */
  #indexSteps() {
    const { node, kind, order, leaf, alpha, beta } = this.array;
    this.stepsFrom = starts(this.nodes, node);
    this.stepsOf = new Uint32Array(this.steps);
    this.entry = new Int32Array(this.steps).fill(-1);
    this.counts = [0, 1, 2].map(() => new Uint32Array(this.steps + 1)); // visited, evaluated, cut-offs
    this.cutSteps = [];
    this.conclusionSteps = [];
    this.windowed = false;
    const next = this.stepsFrom.slice();
    const entered = new Int32Array(this.nodes).fill(-1);
    const isCut = this.kinds.map((name) => CUTS.has(name));
    for (let step = 0; step < this.steps; step++) {
      const at = node[step];
      this.stepsOf[next[at]++] = step;
      if (order[step]) entered[at] = step;
      this.entry[step] = entered[at];
      if (isCut[kind[step]]) this.cutSteps.push(step);
      if (this.array.conclusion[step]) this.conclusionSteps.push(step);
      this.windowed ||= !Number.isNaN(alpha[step]) || !Number.isNaN(beta[step]);
      const now = [order[step] > 0, leaf[step], isCut[kind[step]]];
      this.counts.forEach((list, which) => {
        list[step + 1] = list[step] + now[which];
      });
    }
    this.hasVisits = this.counts[0][this.steps] > 0;
    this.isSimulated = this.kinds.includes("simulate");
    this.hasCounts = this.hasVisits || this.#countTurns();
  }

  /** Count the visits of a search without windows, by the kind of step that it takes once for each: the
      beginning of a simulation, a state that is opened … Return whether there is one. */
  #countTurns() {
    const { kind } = this.array;
    for (const name of TURNS) {
      const which = this.kinds.indexOf(name);
      if (which < 0 || kind.filter((each) => each === which).length !== this.record.visited) continue;
      for (let step = 0; step < this.steps; step++)
        this.counts[0][step + 1] = this.counts[0][step] + (kind[step] === which);
      return true;
    }
    return false;
  }

  #indexCuts() {
    const { dropped, dropped_from: from } = this.array;
    this.cutsFrom = starts(this.nodes, dropped);
    this.cutsOf = new Uint32Array(dropped.length);
    const next = this.cutsFrom.slice();
    for (let step = 0; step < this.steps; step++) {
      for (let k = from[step]; k < from[step + 1]; k++) this.cutsOf[next[dropped[k]]++] = step;
    }
  }

  /** Compute the extent of each subtree and the free space of each node. */
  #measure() {
    const { x, left, right, level, parent } = this.array;
    const n = this.nodes;
    this.low = new Float32Array(n);
    this.high = new Float32Array(n);
    this.deepest = new Uint16Array(n);
    this.room = new Float32Array(n).fill(1e6);
    const before = new Int32Array(this.tops.length).fill(-1);
    for (let i = 0; i < n; i++) {
      this.low[i] = x[i] - left[i];
      this.high[i] = x[i] + right[i];
      this.deepest[i] = level[i];
      const near = before[level[i]];
      if (near >= 0) {
        const ratio = (x[i] - x[near]) / (right[near] + left[i]);
        this.room[i] = ratio;
        this.room[near] = Math.min(this.room[near], ratio);
      }
      before[level[i]] = i;
    }
    this.#evenOut(level);
    const high = (row) => this.floors[row] - this.tops[row];
    this.stretch = this.tops
      .slice(1)
      .map((below, row) => Math.max(1, (TALL * (below - this.tops[row])) / high(row)));
    this.stretch.push(this.stretch.at(-1) ?? 1);
    for (let i = n - 1; i > 0; i--) {
      const above = parent[i];
      this.low[above] = Math.min(this.low[above], this.low[i]);
      this.high[above] = Math.max(this.high[above], this.high[i]);
      this.deepest[above] = Math.max(this.deepest[above], this.deepest[i]);
    }
  }

  /** On a level of few nodes, limit the size of each node to that of most nodes. */
  #evenOut(level) {
    const rooms = this.tops.map(() => []);
    level.forEach((row, i) => {
      rooms[row].push(this.room[i]);
    });
    const usual = rooms.map((row) => (row.length > FEW ? 1e6 : row.sort((a, b) => a - b)[row.length >> 1]));
    level.forEach((row, i) => {
      this.room[i] = Math.min(this.room[i], usual[row]);
    });
  }

  // ---- what is known after `at` steps --------------------------------------------------------------
  /** Return the last step at a node, or -1. */
  lastStep(node, at) {
    return lastBefore(this.stepsOf, this.stepsFrom[node], this.stepsFrom[node + 1], at);
  }

  lastEntry(node, at) {
    const step = this.lastStep(node, at);
    return step < 0 ? -1 : this.entry[step];
  }

  /** Return whether a cut-off dropped the node, and the search has not entered it since. */
  isDropped(node, at) {
    const from = this.cutsFrom[node];
    if (from === this.cutsFrom[node + 1]) return false;
    const cut = lastBefore(this.cutsOf, from, this.cutsFrom[node + 1], at);
    return cut >= 0 && cut > this.lastEntry(node, at) && cut > this.lastEntry(this.array.parent[node], at);
  }

  isGone(node, at) {
    for (let one = node; one > 0; one = this.array.parent[one]) if (this.isDropped(one, at)) return true;
    return false;
  }

  /** Return the current node after `at` steps; -1 before the first. */
  nodeAt(at) {
    return at > 0 ? this.array.node[at - 1] : -1;
  }

  conclusions(node, at) {
    const found = [];
    for (let k = this.stepsFrom[node]; k < this.stepsFrom[node + 1] && this.stepsOf[k] < at; k++) {
      const number = this.array.conclusion[this.stepsOf[k]];
      if (number) found.push(number);
    }
    return found;
  }

  facts(node, at) {
    const { fact, fact_from: from, fact_value: value } = this.array;
    const first = this.stepsFrom[node];
    for (let k = placeOf(this.stepsOf, first, this.stepsFrom[node + 1], at) - 1; k >= first; k--) {
      const step = this.stepsOf[k];
      const found = [];
      for (let f = from[step]; f < from[step + 1]; f++)
        found.push([say([this.fact_names[fact[f]]]), value[f]]);
      if (found.length) return found;
    }
    return [];
  }

  // ---- words ---------------------------------------------------------------------------------------
  /** Return the value that a step gives to its node: "= 3", "≥ 3", "2 … 9"; "" if there is none. */
  value(step) {
    const { value, alpha, beta, bound } = this.array;
    const kind = step < 0 ? "" : this.bounds[bound[step]];
    if (!kind) return "";
    if (kind === "between") return `${end(alpha[step], "−∞")} … ${end(beta[step], "+∞")}`;
    return `${SIGNS[kind]} ${this.vector(step) || number(value[step])}`;
  }

  /** Return the values for all players that a step gives to its node: "(−1, 2, −1)"; "" if it gives one. */
  vector(step) {
    const { fact, fact_from: from, fact_value: held } = this.array;
    const found = [];
    for (let f = from[step]; f < from[step + 1]; f++)
      if (/^v[0-9]+$/.test(this.fact_names[fact[f]])) found.push(number(held[f]));
    return found.length > 1 ? `(${found.join(", ")})` : "";
  }

  isFinal(step) {
    return step >= 0 && FINAL.has(this.kindOf(step));
  }

  /** Return what α and β are: a window, or bounds of the value. */
  get interval() {
    return this.array.kind.includes(this.kinds.indexOf("bounds")) ? t("Bounds") : t("Window");
  }

  window(step) {
    const { alpha, beta } = this.array;
    return `(${end(alpha[step], "−∞")}, ${end(beta[step], "+∞")})`;
  }

  label(node) {
    return this.words[this.array.label[node]];
  }

  action(node) {
    return this.words[this.array.action[node]];
  }

  /** Return what stands at the edge to a node: its action, and its probability if chance makes it. */
  edge(node) {
    const share = this.array.chance?.[node];
    return Number.isNaN(share ?? Number.NaN)
      ? this.action(node)
      : `${this.action(node)} · ${fraction(share)}`;
  }

  shape(node) {
    return this.shapes[this.array.shape[node]];
  }

  isLeaf(node) {
    return this.shape(node) === "leaf" || this.shape(node) === "other";
  }

  isOnLine(node) {
    return (this.array.flags[node] & ON_LINE) > 0;
  }

  /** Return the name of a node: its own, the root, or the number of its first visit. */
  name(node) {
    if (this.label(node) && this.array.size[node] > 1) return this.label(node);
    if (node === 0) return t("the root");
    const first = this.stepsOf[this.stepsFrom[node]];
    const order = this.stepsFrom[node] < this.stepsFrom[node + 1] ? this.array.order[first] : 0;
    return order ? `#${order}` : this.action(node);
  }

  /** Return the player to move at a node, or the kind of the node. */
  who(node) {
    if (this.shape(node) === "leaf") return t("Leaf");
    if (this.shape(node) === "other") return t("Not searched below");
    const player = this.array.player[node];
    if (this.record.is_many && player >= 0) return t("Player {0}", player + 1);
    return (
      { 0: t("MAX"), 1: t("MIN"), "-1": t("Chance"), "-2": t("State") }[player] ?? t("Player {0}", player + 1)
    );
  }

  /** Describe in a few words why branches of a node were dropped: "deep β-cut by #4". */
  cutLabel(child) {
    const { reason, by, flags } = this.array;
    const letter = GREEK[this.reasons[reason[child]]];
    if (!letter) return t("window cut");
    const cause = by[child] < 0 ? t("the window") : this.name(by[child]);
    return flags[child] & DEEP ? t("deep {0}-cut by {1}", letter, cause) : t("{0}-cut by {1}", letter, cause);
  }

  letter(child) {
    return GREEK[this.reasons[this.array.reason[child]]] ?? "";
  }

  why(node) {
    return say(this.sentences[this.array.why[node]]);
  }

  sentence(step) {
    return say(this.sentences[this.array.sentence[step]]);
  }

  path(node) {
    const moves = [];
    for (let one = node; one > 0; one = this.array.parent[one]) moves.unshift(this.action(one));
    return moves;
  }

  /** Return the node that moves lead to, or -1 if the search has no node there. */
  follow(moves) {
    let node = 0;
    for (const move of moves) {
      node = this.children(node).find((child) => this.action(child) === move) ?? -1;
      if (node < 0) return -1;
    }
    return node;
  }

  children(node) {
    const found = [];
    const { size } = this.array;
    for (let child = node + 1; child < node + size[node]; child += size[child]) found.push(child);
    return found;
  }
}

/** Write a value with at most three decimals and a real minus sign. */
export function number(value) {
  if (value == null || Number.isNaN(value)) return "?";
  return String(Math.round(value * 1000) / 1000)
    .replace("-", "−")
    .replace(/^−0$/, "0");
}

/** Write a probability as a simple fraction, if it is one. */
function fraction(share) {
  for (let parts = 1; parts <= 36; parts++) {
    const whole = Math.round(share * parts);
    if (whole && Math.abs(share * parts - whole) < 1e-4) return parts === 1 ? "1" : `${whole}/${parts}`;
  }
  return number(share);
}

/** Write an end of a window; one that is infinite is none of the values. */
export const end = (value, infinite) =>
  Number.isNaN(value) ? infinite : Math.abs(value) < INFINITE ? number(value) : value > 0 ? "+∞" : "−∞";

/** Return where the entries of each place begin in a list sorted by place. */
function starts(count, places) {
  const from = new Uint32Array(count + 1);
  for (const place of places) from[place + 1]++;
  for (let k = 0; k < count; k++) from[k + 1] += from[k];
  return from;
}

/** Return the first index of an ascending range whose entry is not below `limit`. */
function placeOf(list, from, to, limit) {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Return the last entry below `limit` of such a range, or -1. */
function lastBefore(list, from, to, limit) {
  const place = placeOf(list, from, to, limit);
  return place > from ? list[place - 1] : -1;
}
