// Draws a search tree on a canvas: edges, wedges, nodes and their texts, in the colours of the page.
// The tree gives the place and the size of each part; the trace gives what is known about it.

import { number } from "./trace.js";
import { count } from "./words.js";

const COLOURS = (
  "ink muted faint surface max max-fill min min-fill chance chance-fill " +
  "leaf-fill edge principal cut now open open-fill close-fill path-fill"
).split(" ");
const FAMILY = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif';
const READABLE = 0.5; // the smallest scale of texts
const SMALLEST = 2.5; // pixels of a shape
const BADGES = 4;
const ONE_LINE = 17; // characters of a reason
const FUTURE = 0,
  SEEN = 1,
  GONE = 2;
const MARKED = new Set(["open", "close", "path"]); // the kinds of steps that colour their node

export class Painter {
  #frame = 0;

  constructor(canvas) {
    this.canvas = canvas;
    this.pen = canvas.getContext("2d");
    this.colour = {};
  }

  resize(wide, high) {
    const ratio = window.devicePixelRatio || 1;
    this.size = [wide, high];
    this.canvas.width = Math.round(wide * ratio);
    this.canvas.height = Math.round(high * ratio);
    this.pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  readColours(host) {
    const probe = document.createElement("i");
    host.append(probe);
    for (const name of COLOURS) {
      probe.style.color = `var(--${name})`;
      this.colour[name] = getComputedStyle(probe).color;
    }
    probe.remove();
  }

  begin(trace, at, picked) {
    if (trace !== this.trace) {
      this.stamp = new Uint32Array(trace.nodes);
      this.state = new Uint8Array(trace.nodes);
      this.#frame = 0;
    }
    Object.assign(this, { trace, at, picked, now: trace.nodeAt(at), isDone: at === trace.steps });
    this.#frame++;
    this.open = new Set();
    for (let node = this.now; node >= 0; node = trace.array.parent[node]) this.open.add(node);
    this.cutAt = -1;
    this.edges = [];
    this.wedges = [];
    this.nodes = [];
  }

  edge(node, ax, ay, aScale, floor, x, y, scale) {
    this.edges.push([node, this.#look(node), ax, ay, aScale, floor, x, y, scale]);
  }

  wedge(node, x, y, from, to, bottom) {
    this.wedges.push([node, this.#look(node), x, y, from, to, bottom]);
  }

  /** Draw a node. `reach` is how far its text may extend from its centre. Return half the width of the shape. */
  node(node, x, y, scale, reach) {
    this.nodes.push([node, this.#look(node), x, y, scale, reach]);
    return Math.max(SMALLEST, this.trace.array.width[node] * scale) / 2;
  }

  /** Return what is known about a node in this frame. Its parent must be done before. */
  #look(node) {
    if (this.stamp[node] === this.#frame) return this.state[node];
    const { trace, at } = this;
    const above = trace.array.parent[node];
    const isGone =
      above >= 0 &&
      ((this.stamp[above] === this.#frame && this.state[above] === GONE) || trace.isDropped(node, at));
    this.stamp[node] = this.#frame;
    this.state[node] = isGone ? GONE : trace.lastStep(node, at) >= 0 ? SEEN : FUTURE;
    return this.state[node];
  }

  finish() {
    const {
      pen,
      size: [wide, high],
      colour,
    } = this;
    pen.globalAlpha = 1;
    pen.fillStyle = colour.surface;
    pen.fillRect(0, 0, wide, high);
    this.#paintEdges();
    for (const one of this.wedges) this.#paintWedge(...one);
    for (const one of this.nodes) this.#paintNode(...one);
    for (const one of this.edges) this.#paintOnEdge(...one);
  }

  // ---- edges ---------------------------------------------------------------------------------------
  #paintEdges() {
    const styles = [[], [], [], [], []]; // future, seen, gone, the open path, the principal line
    for (const one of this.edges) {
      const [node, state] = one;
      const isOnLine = this.isDone && this.trace.isOnLine(node);
      styles[isOnLine ? 4 : this.open.has(node) && !this.isDone ? 3 : state].push(one);
    }
    const { colour } = this;
    this.#strokeEdges(styles[FUTURE], colour.edge, 1.2, 0.3);
    this.#strokeEdges(styles[GONE], colour.faint, 1.2, 0.8, [4, 3]);
    this.#strokeEdges(styles[SEEN], colour.edge, 1.4, 1);
    this.#strokeEdges(styles[3], colour.now, 2.6, 1);
    this.#strokeEdges(styles[4], colour.principal, 3.4, 1);
  }

  #strokeEdges(edges, colour, width, alpha, dash = []) {
    if (!edges.length) return;
    const { pen } = this;
    const { height } = this.trace.array;
    pen.beginPath();
    for (const [node, , ax, ay, aScale, floor, x, y] of edges) {
      const bottom = ay + height[this.trace.array.parent[node]] * aScale;
      pen.moveTo(ax, bottom);
      if (floor > bottom + 1) pen.lineTo(ax, floor);
      pen.lineTo(x, y);
    }
    pen.setLineDash(dash);
    pen.lineJoin = "round";
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    pen.globalAlpha = alpha;
    pen.stroke();
    pen.setLineDash([]);
    pen.globalAlpha = 1;
  }

  #paintOnEdge(node, state, ax, _ay, _aScale, floor, x, y, scale) {
    const { pen, colour, trace } = this;
    const along = (part) => [ax + part * (x - ax), floor + part * (y - floor)];
    const isCut = state === GONE && this.state[trace.array.parent[node]] !== GONE;
    if (isCut) this.#cut(node, ...along(0.5), Math.max(0.45, Math.min(1, scale)), scale >= READABLE);
    if (scale < READABLE) return;
    const isOnLine = this.isDone && trace.isOnLine(node);
    const [tx, ty] = along(0.79);
    pen.globalAlpha = state === FUTURE ? 0.45 : 1;
    this.#text(clip(trace.edge(node), 14), tx, ty + 4 * scale, 11 * scale, {
      align: "center",
      weight: isOnLine ? 700 : 400,
      halo: true,
      fill: isOnLine ? colour.principal : state === GONE ? colour.faint : colour.ink,
    });
    pen.globalAlpha = 1;
  }

  /** Draw scissors, not too close together, and one letter for all branches cut at a node. */
  #cut(node, x, y, scale, hasLetter) {
    const above = this.trace.array.parent[node];
    const isFirst = this.cutAt !== above;
    if (!isFirst && x - this.cutX < 15 * scale) return;
    this.cutAt = above;
    this.cutX = x;
    this.#scissors(x, y, scale, isFirst && hasLetter ? this.trace.letter(node) : "");
  }

  #scissors(x, y, scale, letter) {
    const { pen, colour } = this;
    pen.strokeStyle = colour.cut;
    pen.lineWidth = 1.6;
    pen.beginPath();
    for (const way of [-1, 1]) {
      pen.moveTo(x - 6 * scale, y + 4 * way * scale);
      pen.lineTo(x + 6 * scale, y - 2.4 * way * scale);
    }
    pen.stroke();
    pen.fillStyle = colour.surface;
    for (const way of [-1, 1]) {
      pen.beginPath();
      pen.arc(x + 8 * scale, y + 3.6 * way * scale, 2.4 * scale, 0, 7);
      pen.fill();
      pen.stroke();
    }
    if (letter)
      this.#text(letter, x - 9 * scale, y + 4 * scale, 13 * scale, {
        align: "right",
        weight: 700,
        halo: true,
        fill: colour.cut,
      });
  }

  // ---- subtrees too narrow to read ------------------------------------------------------------------
  #paintWedge(node, state, x, y, from, to, bottom) {
    const { pen, colour, trace } = this;
    const half = Math.max(1, (to - from) / 2);
    pen.beginPath();
    pen.moveTo(x, y);
    pen.lineTo(x + half, bottom);
    pen.lineTo(x - half, bottom);
    pen.closePath();
    pen.globalAlpha = state === FUTURE ? 0.35 : 1;
    const kind = trace.shape(node);
    pen.fillStyle =
      state === GONE ? colour.surface : colour[`${kind === "min" || kind === "chance" ? kind : "max"}-fill`];
    pen.fill();
    pen.lineWidth = this.open.has(node) && !this.isDone ? 2 : 1;
    pen.strokeStyle =
      this.open.has(node) && !this.isDone ? colour.now : state === GONE ? colour.faint : colour.edge;
    pen.setLineDash(state === GONE ? [3, 2] : []);
    pen.stroke();
    pen.setLineDash([]);
    if (half > 4.5 && bottom - y > 36) {
      pen.save();
      pen.translate(x, bottom - 5);
      pen.rotate(-Math.PI / 2);
      this.#text(count(trace.array.size[node]), 0, 3.2, Math.min(9.5, 1.6 * half), { fill: colour.muted });
      pen.restore();
    }
    pen.globalAlpha = 1;
    if (node === this.picked) this.#ring(x, y + 4, 8, colour.ink, [2, 3]);
  }

  // ---- nodes ---------------------------------------------------------------------------------------
  #paintNode(node, state, x, y, scale, reach) {
    const { pen, colour, trace } = this;
    const shape = trace.shape(node);
    const wide = Math.max(SMALLEST, trace.array.width[node] * scale);
    const high = Math.max(SMALLEST, trace.array.height[node] * scale);
    const step = trace.lastStep(node, this.at);
    const isOnLine = this.isDone && trace.isOnLine(node);
    const isOpen = this.open.has(node) && !this.isDone;
    pen.globalAlpha = state === FUTURE ? 0.34 : 1;
    outline(pen, shape, x, y, wide, high);
    pen.fillStyle = state === GONE ? colour.surface : this.#fill(shape, step);
    pen.fill();
    pen.strokeStyle = isOnLine
      ? colour.principal
      : state === GONE
        ? colour.faint
        : (colour[shape] ?? colour.ink);
    pen.lineWidth = wide < 9 ? 1 : isOnLine || isOpen ? 3 : 1.5;
    pen.setLineDash(state === GONE && wide >= 9 ? [4, 3] : []);
    pen.stroke();
    pen.setLineDash([]);
    if (node === this.now && !this.isDone) {
      pen.strokeStyle = colour.now;
      pen.lineWidth = wide < 9 ? 2.5 : 4;
      pen.stroke();
    }
    if (scale >= READABLE) this.#words(node, state, step, shape, x, y, wide, high, scale, reach);
    pen.globalAlpha = 1;
    if (node === this.picked) this.#ring(x, y + high / 2, Math.max(wide, high) / 2 + 6, colour.ink, [3, 3]);
  }

  #fill(shape, step) {
    const kind = step >= 0 ? this.trace.kindOf(step) : "";
    if (MARKED.has(kind)) return this.colour[`${kind}-fill`];
    return this.colour[`${shape}-fill`] ?? this.colour["leaf-fill"];
  }

  #words(node, state, step, shape, x, y, wide, high, scale, reach) {
    const { colour, trace, at } = this;
    const label = trace.label(node);
    const value = trace.value(step);
    const soft = state === GONE ? colour.faint : colour.muted;
    const isLeaf = trace.isLeaf(node);
    const order = step >= 0 && trace.hasVisits ? trace.array.order[trace.entry[step]] : 0;
    if (isLeaf) {
      const shown = value.replace("= ", "") || (label.startsWith("-") ? `−${label.slice(1)}` : label);
      const isVector = shown.startsWith("(");
      this.#text(isVector ? shown : clip(shown, 9), x, y + 0.66 * high, (isVector ? 11 : 13) * scale, {
        align: "center",
        weight: 600,
        most: isVector ? wide : undefined,
        fill: state === GONE ? colour.faint : colour.ink,
      });
      if (order)
        this.#text(`#${order}`, x, y + high + 11 * scale, 10.5 * scale, { align: "center", fill: soft });
      return;
    }
    const isInside = label && label.length <= 3;
    if (isInside) {
      this.#text(label, x, y + (shape === "min" ? 0.44 : shape === "max" ? 0.84 : 0.66) * high, 11 * scale, {
        align: "center",
        weight: 600,
        fill: state === GONE ? colour.faint : colour.ink,
      });
    }
    const facts = trace.fact_names.length
      ? trace
          .facts(node, at)
          .map(([name, held]) => `${name} ${number(held)}`)
          .join("  ")
      : "";
    const head = [isInside ? "" : clip(label, 13), value || facts].filter(Boolean).join(" ");
    const lines = [];
    if (order) lines.push([`#${order}${trace.windowed ? ` ${trace.window(step)}` : ""}`, soft, 400]);
    const cut = this.#cutBelow(node);
    if (cut) for (const line of cut) lines.push([line, colour.cut, 600]);
    const left = x + wide / 2 + 5 * scale;
    const most = Math.max(20, x + reach - left);
    let top = y + Math.max(0, (high - (17 * Boolean(head) + 13 * lines.length) * scale) / 2);
    if (head) {
      this.#text(head, left, top + 14 * scale, (value ? 15 : 11.5) * scale, {
        weight: 700,
        most,
        fill: trace.isFinal(step) || facts ? colour.ink : soft,
      });
      top += 17 * scale;
    }
    for (const [line, fill, weight] of lines) {
      this.#text(line, left, top + 10 * scale, 11 * scale, { fill, weight, most });
      top += 13 * scale;
    }
    if (state !== GONE) this.#badges(trace.conclusions(node, at), x - wide / 2, y, scale);
  }

  /** Write why branches below a node are dropped now, in one or two lines. */
  #cutBelow(node) {
    const { trace, at } = this;
    const children = trace.children(node);
    const dropped =
      children.length && trace.isDropped(children.at(-1), at)
        ? children.at(-1)
        : children.find((child) => trace.isDropped(child, at));
    if (dropped === undefined || this.state[node] === GONE) return null;
    const words = trace.cutLabel(dropped);
    const space = words.lastIndexOf(" ", ONE_LINE);
    return words.length <= ONE_LINE || space < 0
      ? [words]
      : [words.slice(0, space), clip(words.slice(space + 1), 20)];
  }

  #badges(numbers, right, y, scale) {
    const { pen, colour } = this;
    const shown = numbers.length <= BADGES ? numbers : [...numbers.slice(0, BADGES - 1), 0];
    const wide = (5 + 6 * Math.max(2, String(Math.max(0, ...shown)).length)) * scale;
    shown.forEach((badge, place) => {
      const [row, column] = [place >> 1, place % 2];
      const abreast = Math.min(shown.length - 2 * row, 2);
      const x = right - (abreast - column - 0.5) * wide - scale;
      const cy = y + (row + 0.5) * 17 * scale;
      const words = badge ? String(badge) : "…";
      const half = (7.5 + 3 * Math.max(0, words.length - 2)) * scale;
      pen.beginPath();
      pen.roundRect(x - half, cy - 7.5 * scale, 2 * half, 15 * scale, 7.5 * scale);
      pen.fillStyle = colour.surface;
      pen.fill();
      pen.lineWidth = 1;
      pen.strokeStyle = colour.muted;
      pen.stroke();
      this.#text(words, x, cy + 3.4 * scale, 9.5 * scale, { align: "center", fill: colour.ink });
    });
  }

  #ring(x, y, radius, colour, dash) {
    const { pen } = this;
    pen.beginPath();
    pen.arc(x, y, radius, 0, 7);
    pen.setLineDash(dash);
    pen.lineWidth = 2;
    pen.strokeStyle = colour;
    pen.stroke();
    pen.setLineDash([]);
  }

  #text(words, x, y, size, { fill, weight = 400, align = "left", halo = false, most = undefined }) {
    if (!words) return;
    const { pen } = this;
    pen.font = `${weight} ${Math.round(size * 2) / 2}px ${FAMILY}`;
    pen.textAlign = align;
    if (halo) {
      pen.lineWidth = 4;
      pen.lineJoin = "round";
      pen.strokeStyle = this.colour.surface;
      pen.strokeText(words, x, y);
    }
    pen.fillStyle = fill;
    pen.fillText(words, x, y, most);
  }
}

/** Draw the shape of a node. The middle of its upper edge is at (x, y). */
function outline(pen, shape, x, y, wide, high) {
  pen.beginPath();
  if (shape === "max" || shape === "min") {
    const [point, base] = shape === "max" ? [y, y + high] : [y + high, y];
    pen.moveTo(x, point);
    pen.lineTo(x + wide / 2, base);
    pen.lineTo(x - wide / 2, base);
    pen.closePath();
  } else if (shape === "chance" || shape === "state") pen.arc(x, y + high / 2, high / 2, 0, 7);
  else pen.roundRect(x - wide / 2, y, wide, high, shape === "leaf" ? Math.min(2, wide / 4) : high / 2.4);
}

const clip = (text, letters) => (text.length <= letters ? text : `${text.slice(0, letters - 1)}…`);
