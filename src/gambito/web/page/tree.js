// <g-tree>: the tree of a search on a canvas, after a number of steps. It draws only what is in view. A subtree
// that is too narrow to read becomes a wedge, and a node's text grows with the free space on its level.
// It sends the events "pick" with a node, and "open" after a double click or Enter on a node.

import { h } from "./dom.js";
import { Painter } from "./painter.js";
import { t } from "./words.js";

const PAD = 24; // pixels around the tree
const WEDGE = 18; // a narrower subtree is a wedge
const LEAST = 2; // pixels between two things on a level
const LARGEST = 3; // zoom
const FLATTEST = 0.15;
const BIGGEST = 1.25; // zoom of a tree that is shown whole
const STILL = 4; // pixels that a click may move
const SOFT = 160; // milliseconds of an animated move of the view
const ZOOMED = 1.35; // zoom factor of a key or a button

class TreeElement extends HTMLElement {
  trace = null;
  at = 0;
  picked = -1;
  follows = true;
  isHurried = false; // steps are too fast for animated moves
  #zoom = 1;
  #x = 0; // the tree's x at the left edge
  #y = 0; // pixels above the upper edge
  #size = [0, 0];
  #drawn = []; // what is on the screen, to find what the pointer is on: [node, left, top, right, bottom, isWedge]
  #frame = 0;
  #fingers = new Map();
  #isFit = true;
  #target = null;

  connectedCallback() {
    if (this.canvas) return;
    this.canvas = h("canvas", {
      role: "application",
      tabindex: "0",
      "aria-roledescription": t("search tree"),
      "aria-description": t(
        "Shift and the arrow keys select a node; Enter opens it; plus, minus and 0 zoom.",
      ),
    });
    this.tip = h("div", { class: "tip", hidden: true, "aria-hidden": "true" });
    this.append(this.canvas, this.tip);
    this.painter = new Painter(this.canvas);
    this.watcher = new ResizeObserver(() => this.#resize());
    this.watcher.observe(this);
    this.repaint = () => {
      this.painter.readColours(this);
      this.#ask();
    };
    addEventListener("themechange", this.repaint);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", this.repaint);
    this.painter.readColours(this);
    this.#listen();
  }

  disconnectedCallback() {
    this.watcher?.disconnect();
    removeEventListener("themechange", this.repaint);
    matchMedia("(prefers-color-scheme: dark)").removeEventListener("change", this.repaint);
  }

  /** Show a search after a number of steps. `keepView`: the tree is similar to the one before. */
  show(trace, at, keepView = false) {
    this.trace = trace;
    this.at = at;
    this.picked = -1;
    this.canvas.setAttribute(
      "aria-label",
      t("The tree of {0}: {1} nodes", trace.record.algorithm, trace.nodes),
    );
    if (!keepView || this.#isFit) this.fit();
    this.#ask();
  }

  go(at) {
    this.at = at;
    if (this.follows) this.#reveal(this.trace.nodeAt(at));
    this.#ask();
  }

  pick(node) {
    this.picked = node;
    if (node >= 0) this.#reveal(node);
    this.#ask();
  }

  // ---- the view ------------------------------------------------------------------------------------
  get view() {
    return { zoom: this.#zoom, x: this.#x, y: this.#y, isFit: this.#isFit };
  }

  set view({ zoom, x, y = 0 }) {
    this.#isFit = false;
    this.#zoom = zoom;
    this.#x = x;
    this.#y = y;
    this.#clamp();
    this.#ask();
  }

  get #fitted() {
    const [wide] = this.#size;
    return Math.min(BIGGEST, Math.max(1, wide - 2 * PAD) / Math.max(1, this.trace.width));
  }

  /** The whole tree fills the height of the view; zooming in scales both directions equally. */
  get #zoomY() {
    const room = (this.#size[1] - 2 * PAD) / Math.max(1, this.trace.height);
    const whole = Math.min(BIGGEST, Math.max(FLATTEST, room));
    return Math.max(whole, Math.min(this.#zoom, (whole * this.#zoom) / this.#fitted));
  }

  fit() {
    this.#isFit = true;
    this.#target = null;
    this.#zoom = this.#fitted;
    this.#x = (this.trace.width - this.#size[0] / this.#zoom) / 2;
    this.#y = -PAD;
    this.#clamp();
    this.#ask();
  }

  /** Zoom by a factor around a point of the canvas, or its centre. */
  zoomBy(factor, x = this.#size[0] / 2, y = this.#size[1] / 2) {
    const worldX = this.#x + x / this.#zoom;
    const worldY = (this.#y + y) / this.#zoomY;
    const zoom = Math.min(LARGEST, Math.max(Math.min(this.#fitted, 1), this.#zoom * factor));
    this.#isFit = zoom <= this.#fitted && factor < 1;
    if (this.#isFit) {
      this.fit();
      return;
    }
    this.#target = null;
    this.#zoom = zoom;
    this.#x = worldX - x / zoom;
    this.#y = worldY * this.#zoomY - y;
    this.#clamp();
    this.#ask();
  }

  zoomTo(node) {
    const { low, high } = this.trace;
    const zoom = Math.min(1, Math.max(1, this.#size[0] - 2 * PAD) / Math.max(1, high[node] - low[node]));
    this.#move({ zoom, x: (low[node] + high[node]) / 2 - this.#size[0] / zoom / 2, y: this.#y });
  }

  #reveal(node) {
    const [wide, high] = this.#size;
    const isWhole = this.#isFit && this.trace.height * this.#zoomY + 2 * PAD <= high + 1;
    if (node < 0 || !wide || isWhole) return;
    const x = this.#screenX(node);
    const y = this.trace.tops[this.trace.array.level[node]] * this.#zoomY - this.#y;
    const edge = Math.min(90, wide / 5);
    const to = { zoom: this.#zoom, x: this.#x, y: this.#y };
    if (x < edge || x > wide - edge) to.x = this.trace.array.x[node] - wide / this.#zoom / 2;
    if (y < PAD || y > high - 70) to.y = this.#y + y - high / 2;
    if (to.x !== this.#x || to.y !== this.#y) this.#move(to);
  }

  /** Animate a move of the view, unless the user prefers reduced motion. */
  #move(to) {
    const isSudden = this.isHurried || matchMedia("(prefers-reduced-motion: reduce)").matches;
    const from = { zoom: this.#zoom, x: this.#x, y: this.#y };
    this.#isFit = false;
    this.#target = isSudden ? null : { from, to, began: performance.now() };
    if (isSudden) this.#place(to);
    this.#ask();
  }

  #place({ zoom, x, y }) {
    this.#zoom = zoom;
    this.#x = x;
    this.#y = y;
    this.#clamp();
  }

  #glide(now) {
    const { from, to, began } = this.#target;
    const part = Math.min(1, (now - began) / SOFT);
    const eased = 1 - (1 - part) ** 3;
    const zoom = from.zoom * (to.zoom / from.zoom) ** eased;
    const middle = (place) => place.x + this.#size[0] / place.zoom / 2;
    const x = middle(from) + (middle(to) - middle(from)) * eased - this.#size[0] / zoom / 2;
    const target = this.#target;
    this.#place({ zoom, x, y: from.y + (to.y - from.y) * eased });
    this.#target = part < 1 ? target : null;
    if (part < 1) this.#ask();
  }

  /** Keep the tree in view. A tree smaller than the view is centred. */
  #clamp() {
    const [wide, high] = this.#size;
    const seen = wide / this.#zoom;
    const pad = PAD / this.#zoom;
    const room = this.trace.width + 2 * pad - seen;
    this.#x = room <= 0 ? -pad + room / 2 : Math.min(this.trace.width + pad - seen, Math.max(-pad, this.#x));
    const over = this.trace.height * this.#zoomY + 2 * PAD - high;
    this.#y = over <= 0 ? -PAD + Math.max(over / 2, -40) : Math.min(over - PAD, Math.max(-PAD, this.#y));
  }

  #screenX(node) {
    return (this.trace.array.x[node] - this.#x) * this.#zoom;
  }

  #resize() {
    const { clientWidth: wide, clientHeight: high } = this;
    if (!wide || !high) return;
    const middle = this.#x + this.#size[0] / this.#zoom / 2;
    this.#size = [wide, high];
    this.painter.resize(wide, high);
    if (!this.trace) return;
    if (this.#isFit) this.fit();
    else this.#x = middle - wide / this.#zoom / 2;
    this.#clamp();
    this.drawNow();
  }

  // ---- drawing -------------------------------------------------------------------------------------
  #ask() {
    if (!this.#frame) this.#frame = requestAnimationFrame((now) => this.#onFrame(now));
  }

  #onFrame(now) {
    this.#frame = 0;
    if (!this.trace) return;
    if (this.#target) this.#glide(now);
    this.drawNow();
  }

  drawNow() {
    if (!this.#size[0] || !this.trace) return;
    const began = performance.now();
    this.#drawn = [];
    this.painter.begin(this.trace, this.at, this.picked);
    if (this.trace.nodes) this.#walk();
    this.painter.finish();
    this.drawTime = performance.now() - began;
    this.dispatchEvent(new Event("drawn"));
  }

  #walk() {
    const { trace, painter } = this;
    const { x, level, parent, size } = trace.array;
    const [wide, high] = this.#size;
    const zoom = this.#zoom;
    const zoomY = this.#zoomY;
    const largest = Math.max(1, zoom);
    const last = new Float32Array(trace.tops.length).fill(-1e9);
    const place = (node) => {
      const scale = Math.min(zoom * trace.room[node], largest, zoomY * trace.stretch[level[node]]);
      return [(x[node] - this.#x) * zoom, trace.tops[level[node]] * zoomY - this.#y, scale];
    };
    let node = 0;
    while (node < trace.nodes) {
      const below = size[node];
      const row = level[node];
      const from = (trace.low[node] - this.#x) * zoom;
      const to = (trace.high[node] - this.#x) * zoom;
      const [px, py, scale] = place(node);
      const isTight = px - last[row] < LEAST && to - from < WEDGE;
      const isAway = to < 0 || from > wide || py > high;
      const above = parent[node];
      if (above >= 0 && !isTight && py > 0) {
        const [ax, ay, aScale] = place(above);
        if (!(Math.max(ax, px) < 0 || Math.min(ax, px) > wide || ay > high)) {
          painter.edge(
            node,
            ax,
            ay,
            aScale,
            ay + (trace.floors[row - 1] - trace.tops[row - 1]) * aScale,
            px,
            py,
            scale,
          );
          if (isAway) last[row] = px;
        }
      }
      if (isAway || isTight) {
        node += below;
        continue;
      }
      last[row] = px;
      const isWedge = below > 1 && to - from < WEDGE;
      if (isWedge) {
        const bottom = trace.floors[trace.deepest[node]] * zoomY - this.#y;
        painter.wedge(node, px, py, from, to, bottom);
        this.#drawn.push([node, from - 2, py, to + 2, bottom, true]);
      } else if (py + 80 * scale > 0) {
        const half = painter.node(
          node,
          px,
          py,
          scale,
          trace.array.right[node] * Math.max(scale, zoom * trace.room[node]),
        );
        this.#drawn.push([
          node,
          px - half - 3,
          py - 3,
          px + half + 3,
          py + trace.array.height[node] * scale + 3,
          false,
        ]);
      }
      node += isWedge ? below : 1;
    }
  }

  // ---- user input ----------------------------------------------------------------------------------
  #listen() {
    const { canvas } = this;
    canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        const [x, y] = this.#local(event);
        if (Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey)
          this.#pan(-(event.deltaX || event.deltaY), 0);
        else this.zoomBy(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), x, y);
      },
      { passive: false },
    );
    canvas.addEventListener("pointerdown", (event) => this.#press(event));
    canvas.addEventListener("pointermove", (event) => this.#drag(event));
    for (const name of ["pointerup", "pointercancel"])
      canvas.addEventListener(name, (event) => this.#release(event));
    canvas.addEventListener("pointerleave", () => {
      this.tip.hidden = true;
    });
    canvas.addEventListener("dblclick", (event) => {
      const hit = this.#hit(...this.#local(event));
      if (hit) this.#open(hit[0]);
    });
    canvas.addEventListener("keydown", (event) => this.#key(event));
  }

  #local(event) {
    const box = this.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  #pan(dx, dy) {
    this.#target = null;
    this.#isFit = false;
    this.#x -= dx / this.#zoom;
    this.#y -= dy;
    this.#clamp();
    this.#ask();
  }

  #press(event) {
    this.canvas.setPointerCapture(event.pointerId);
    const [x, y] = this.#local(event);
    this.#fingers.set(event.pointerId, { x, y, moved: 0 });
    this.tip.hidden = true;
  }

  #drag(event) {
    const [x, y] = this.#local(event);
    const finger = this.#fingers.get(event.pointerId);
    if (!finger) {
      this.#hover(x, y);
      return;
    }
    const other = [...this.#fingers].find(([id]) => id !== event.pointerId)?.[1];
    const [dx, dy] = [x - finger.x, y - finger.y];
    finger.moved += Math.abs(dx) + Math.abs(dy);
    if (other) {
      const before = Math.hypot(finger.x - other.x, finger.y - other.y);
      const now = Math.hypot(x - other.x, y - other.y);
      if (before > 10) this.zoomBy(now / before, (x + other.x) / 2, (y + other.y) / 2);
      this.#pan(dx / 2, dy / 2);
    } else if (finger.moved > STILL) {
      this.canvas.classList.add("held");
      this.#pan(dx, dy);
    }
    Object.assign(finger, { x, y });
  }

  #release(event) {
    const finger = this.#fingers.get(event.pointerId);
    this.#fingers.delete(event.pointerId);
    this.canvas.classList.remove("held");
    if (!finger || event.type === "pointercancel" || finger.moved > STILL) return;
    const hit = this.#hit(finger.x, finger.y);
    this.#say("pick", hit ? hit[0] : -1);
  }

  #hit(x, y) {
    let found = null;
    for (const one of this.#drawn) {
      if (x >= one[1] && x <= one[3] && y >= one[2] && y <= one[4]) found = one;
    }
    return found;
  }

  #hover(x, y) {
    const hit = this.#hit(x, y);
    this.canvas.classList.toggle("over", Boolean(hit));
    this.tip.hidden = !hit;
    if (!hit) return;
    this.tip.replaceChildren(...this.describe(hit[0], hit[5]).map((line) => h("div", {}, line)));
    const [wide] = this.#size;
    this.tip.style.left = `${Math.max(4, Math.min(x + 14, wide - this.tip.offsetWidth - 4))}px`;
    this.tip.style.top = `${Math.max(4, y > this.#size[1] / 2 ? y - this.tip.offsetHeight - 12 : y + 18)}px`;
  }

  describe(node) {
    return [this.trace.name(node)];
  }

  #open(node) {
    if (this.trace.array.size[node] > 1) this.zoomTo(node);
    this.#say("open", node);
  }

  #say(what, node) {
    this.dispatchEvent(new CustomEvent(what, { detail: node }));
  }

  boxOf(node) {
    const found = this.#drawn.find((one) => one[0] === node && !one[5]);
    return (
      found && { left: found[1], top: found[2], width: found[3] - found[1], height: found[4] - found[2] }
    );
  }

  #key(event) {
    const { trace, picked } = this;
    const node = picked >= 0 ? picked : Math.max(0, trace.nodeAt(this.at));
    const siblings = () => trace.children(trace.array.parent[node]);
    const beside = (way) => (node ? (siblings()[siblings().indexOf(node) + way] ?? node) : node);
    const ways = {
      ArrowUp: () => Math.max(0, trace.array.parent[node]),
      ArrowDown: () => (trace.array.size[node] > 1 ? node + 1 : node),
      ArrowLeft: () => beside(-1),
      ArrowRight: () => beside(1),
    };
    if (event.shiftKey && ways[event.key]) this.#say("pick", ways[event.key]());
    else if (event.key === "Enter") this.#open(node);
    else if (event.key === "+" || event.key === "=") this.zoomBy(ZOOMED);
    else if (event.key === "-") this.zoomBy(1 / ZOOMED);
    else if (event.key === "0") this.fit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

customElements.define("g-tree", TreeElement);
