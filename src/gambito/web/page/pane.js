// A watched search on the page of Watch: its tree, its sentence, and its current step.

import { h, iconButton } from "./dom.js";
import { Editor } from "./editor.js";
import { inShort, kindName, saving } from "./lesson.js";
import { Asker, Lost } from "./server.js";
import { number, Trace } from "./trace.js";
import "./tree.js";
import { say, t } from "./words.js";

const KEPT = 4; // traces, to go back to
const traces = new Map();

/** The search of one algorithm: its tree, its sentence, and its current step. */
export class Pane {
  at = 0;
  trace = null;
  running = null;
  asker = new Asker();

  constructor(page) {
    this.page = page;
    this.title = h("h2", {});
    this.result = h("p", { class: "small muted result" });
    this.tree = h("g-tree", {
      onpick: ({ detail }) => page.pick(this, detail),
      onopen: ({ detail }) => page.pick(this, detail),
    });
    this.tree.describe = (node, isWedge) => inShort(this.trace, node, this.at, isWedge);
    this.kind = h("b", { class: "kind" });
    this.words = h("span", {});
    this.sentence = h(
      "p",
      { class: "sentence", "aria-live": "polite", "aria-atomic": "true" },
      this.kind,
      this.words,
    );
    this.message = h("div", { class: "message", role: "status", hidden: true });
    this.map = h("g-board", { class: "map", hidden: true });
    this.frame = h("div", { class: "canvas" }, this.map, this.tree, this.message);
    this.element = h(
      "section",
      { class: "panel pane", onpointerdown: () => page.activate(this), onfocusin: () => page.activate(this) },
      h("div", { class: "title" }, this.title, this.result, this.#zoomBar()),
      this.frame,
      this.sentence,
    );
    this.editor = new Editor(this.frame);
  }

  #zoomBar() {
    return h(
      "div",
      { class: "zoom" },
      iconButton("plus", t("Zoom in"), () => this.tree.zoomBy(1.5)),
      iconButton("−", t("Zoom out"), () => this.tree.zoomBy(1 / 1.5)),
      iconButton("⤢", t("Show the whole tree"), () => this.tree.fit()),
    );
  }

  say(words, isBad = false, stop = null) {
    this.message.hidden = !words;
    this.message.classList.toggle("bad", isBad);
    this.message.replaceChildren(
      h("p", {}, words),
      stop ? h("button", { type: "button", onclick: stop }, t("Stop")) : "",
    );
  }

  /** Ask for the search, unless it is known. Return whether there is one now. */
  async load(question) {
    this.stop();
    const key = JSON.stringify(question);
    let trace = traces.get(key);
    if (!trace) {
      const running = this.asker.stream(
        "trace",
        question,
        ({ phase }) =>
          this.say(phase === "drawing" ? t("Drawing…") : t("Searching…"), false, () => running.stop()),
        true,
      );
      this.running = running;
      this.say(t("Searching…"), false, () => running.stop());
      try {
        const { record, buffer } = await running.done;
        trace = new Trace(record, buffer);
      } catch (problem) {
        if (this.running === running) this.#fail(problem);
        return false;
      }
      this.running = null;
      traces.set(key, trace);
      if (traces.size > KEPT) traces.delete(traces.keys().next().value);
    }
    this.say("");
    this.show(trace);
    return true;
  }

  /** Show what went wrong instead of an earlier search. After a lost connection, the page asks again. */
  #fail(problem) {
    const isLost = problem instanceof Lost;
    this.say(isLost ? t("The connection was lost; trying again…") : problem.message, true);
    this.running = this.trace = null;
    for (const part of [this.title, this.result, this.kind, this.words]) part.textContent = "";
    this.tree.hidden = true;
  }

  stop() {
    this.running = null;
    this.asker.drop();
  }

  show(trace) {
    const isSame =
      this.trace?.nodes === trace.nodes && this.trace.record.algorithm === trace.record.algorithm;
    this.trace = trace;
    this.at = Math.min(this.at, trace.steps);
    this.describe();
    this.tree.hidden = false;
    const { board } = trace.record;
    this.map.hidden = !board;
    this.frame.classList.toggle("mapped", Boolean(board));
    if (board) this.#drawMap(board);
    this.tree.show(trace, this.at, isSame);
  }

  /** Draw the map of a search that has one; the board is loaded for it. */
  async #drawMap(board) {
    await import("./board.js");
    if (this.trace?.record.board !== board) return;
    this.map.show({ board, pieces: [], actions: [], played: [], sides: [], player: 0, over: false });
    this.#paintMap();
  }

  /** Colour the cells of the map: what is open, what is closed, the way. */
  #paintMap() {
    const { trace, at } = this;
    if (!trace.record.board || !this.map.places) return;
    for (const place of this.map.places) place.classList.remove("open", "close", "path", "here");
    for (let node = 0; node < trace.nodes; node++) {
      const step = trace.lastStep(node, at);
      const place = this.map.places[trace.array.cell[node]];
      if (step >= 0 && place) place.classList.add(trace.kindOf(step));
    }
    this.map.places[at ? trace.array.cell[trace.nodeAt(at)] : -1]?.classList.add("here");
  }

  /** Say what was searched, and what was found. */
  describe() {
    const { record } = this.trace;
    this.title.textContent = record.algorithm;
    const words = [
      t("depth {0}", record.depth),
      record.value == null ? "" : t("value {0}", number(record.value)),
      record.line.length ? t("line {0}", record.line.join(" ")) : "",
      this.page.panes?.length > 1 ? "" : saving(this),
      record.note ? say(record.note) : "",
    ];
    this.result.textContent = words.filter(Boolean).join(" · ");
  }

  go(at) {
    this.at = Math.max(0, Math.min(at, this.trace.steps));
    this.tree.isHurried = this.page.steps.isHurried;
    this.tree.go(this.at);
    this.#paintMap();
    this.tell();
  }

  /** Return the number of boxes so far, and of all. */
  get box() {
    const { conclusionSteps } = this.trace;
    const next = conclusionSteps.findIndex((step) => step >= this.at);
    return [next < 0 ? conclusionSteps.length : next, conclusionSteps.length];
  }

  goToBox(number) {
    const { conclusionSteps } = this.trace;
    this.go(number > 0 ? conclusionSteps[Math.min(number, conclusionSteps.length) - 1] + 1 : 0);
  }

  tell() {
    const { trace, at } = this;
    this.kind.textContent = at ? kindName(trace, trace.kindOf(at - 1)) : "";
    this.kind.className = `kind ${at ? trace.kindOf(at - 1) : ""}`;
    const before = trace.steps
      ? t("The search has not begun. The right arrow key takes a step.")
      : t("The game is over here; there is nothing to search.");
    this.words.textContent = at ? `${trace.name(trace.nodeAt(at))}: ${trace.sentence(at - 1)}` : before;
  }

  cut(way) {
    const { cutSteps } = this.trace;
    const found =
      way > 0 ? cutSteps.find((step) => step + 1 > this.at) : cutSteps.findLast((step) => step + 1 < this.at);
    return found === undefined ? (way > 0 ? this.trace.steps : 0) : found + 1;
  }
}
