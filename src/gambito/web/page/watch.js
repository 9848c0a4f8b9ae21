// <g-watch>: a search of a tree or a position, step by step, with one algorithm or two on the same tree.

import { h, iconButton, toast } from "./dom.js";
import { Editor } from "./editor.js";
import { conclusions, counters, details, inShort, kindName, saving } from "./lesson.js";
import * as link from "./link.js";
import { QuestionForm } from "./question.js";
import { ask, connection, Lost, stream } from "./server.js";
import "./steps.js";
import { number, Trace } from "./trace.js";
import { readyBar } from "./ready.js";
import "./tree.js";
import { say, t } from "./words.js";

const KEPT = 4; // traces, to go back to
const LINK_DELAY = 250; // milliseconds
const BOARD_DELAY = 120;
const BESIDE_GAP = 80;
const traces = new Map();

/** The search of one algorithm: its tree, its sentence, and its current step. */
class Pane {
  at = 0;
  trace = null;
  running = null;

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
      const running = stream(
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
        if (this.running !== running) return false;
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
    this.running?.stop();
    this.running = null;
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

class WatchElement extends HTMLElement {
  #writing = 0;
  #looking = 0;
  #late = 0;
  #shown = 0; // when the panels were last shown
  #asked = 0;
  #address = ""; // last read or written

  connectedCallback() {
    this.form = new QuestionForm(this.catalogue, () => this.#changed());
    this.steps = h("g-steps", {
      class: "panel",
      ongo: ({ detail }) => this.go(detail),
      oncut: ({ detail }) => this.active.trace && this.go(this.active.cut(detail)),
      onplaying: ({ detail }) => this.#hush(detail),
    });
    this.together = h("input", { type: "checkbox", checked: true, onchange: () => this.#write() });
    this.follows = h("input", {
      type: "checkbox",
      checked: true,
      onchange: () => {
        for (const pane of this.panes) pane.tree.follows = this.follows.checked;
      },
    });
    this.counted = h("div");
    this.compiling = h("div");
    this.counters = h(
      "section",
      { class: "panel", "aria-label": t("Counters") },
      this.counted,
      this.compiling,
    );
    this.node = h("div", { class: "stack tight" });
    this.board = h("g-board", { class: "small-board", hidden: true });
    this.shown = h(
      "section",
      { class: "panel node", "aria-label": t("Node") },
      h("h2", {}, t("Node")),
      this.node,
      this.board,
    );
    this.list = h("ol", { class: "conclusions" });
    this.concluded = h(
      "section",
      { class: "panel", "aria-label": t("Conclusions") },
      h("h2", {}, t("Conclusions")),
      this.list,
    );
    this.trees = h("div", { class: "panes" });
    this.panes = [new Pane(this)];
    this.active = this.panes[0];
    this.steps.choices = [
      h("label", { class: "check small" }, this.follows, t("Follow")),
      h("label", { class: "check small pair" }, this.together, t("Together")),
    ];
    this.beside = h(
      "div",
      { class: "stack beside" },
      this.counters,
      this.shown,
      this.concluded,
      h(
        "p",
        { class: "small muted keys" },
        t("← → step · ↑ ↓ cut-offs · Home End · space plays · shift and arrows select a node"),
      ),
    );
    this.append(
      h("h1", { class: "unseen" }, t("Watch a search")),
      this.form.element,
      h("div", { class: "lesson" }, h("div", { class: "stack" }, this.trees, this.steps), this.beside),
    );
    this.away = new AbortController();
    const again = () => this.panes.every(({ trace }) => trace) || this.#ask();
    connection.addEventListener("open", again, { signal: this.away.signal });
    this.follow();
  }

  disconnectedCallback() {
    this.away.abort();
    this.plain?.stop();
    if (this.#writing) this.#writeNow();
    clearTimeout(this.#writing);
    clearTimeout(this.#looking);
    clearTimeout(this.#late);
    for (const pane of this.panes) pane.stop();
  }

  // ---- the address ---------------------------------------------------------------------------------
  follow() {
    const said = link.read();
    this.#address = location.hash;
    this.form.read(said);
    this.together.checked = said.text("apart") !== "1";
    const at = said.whole("step", 0, Infinity, 0);
    const zoom = said.number("zoom", 0);
    this.wanted = {
      at: [at, said.whole("step2", 0, Infinity, at)],
      node: said.has("node") ? said.list("node") : null,
      view: zoom > 0 ? { zoom, x: said.number("x", 0) } : null,
    };
    this.#ask();
  }

  #write() {
    this.#writing ||= setTimeout(() => this.#writeNow(), LINK_DELAY);
  }

  #writeNow() {
    this.#writing = 0;
    const [first, second] = this.panes;
    const { tree, trace } = this.active;
    if (!trace || location.hash !== this.#address) return; // the user has gone to another address
    const { isFit, zoom, x } = tree.view;
    link.write("watch", {
      ...this.form.link(),
      step: first.at,
      step2: second && second.at !== first.at ? second.at : "",
      apart: second && !this.together.checked,
      node: tree.picked > 0 ? trace.path(tree.picked) : "",
      zoom: isFit ? "" : zoom.toPrecision(4),
      x: isFit ? "" : Math.round(x),
    });
    this.#address = location.hash;
  }

  // ---- asking --------------------------------------------------------------------------------------
  #changed() {
    const pane = this.active;
    const isDone = pane.trace && pane.at === pane.trace.steps;
    const picked = pane.trace && pane.tree.picked > 0 ? pane.trace.path(pane.tree.picked) : null;
    this.wanted = { at: this.panes.map(({ at }) => (isDone ? Infinity : at)), node: picked, view: null };
    this.#ask();
  }

  async #ask() {
    const asked = ++this.#asked;
    this.steps.pause();
    this.plain?.stop();
    const questions = this.form.questions();
    while (this.panes.length < questions.length) this.panes.push(new Pane(this));
    for (const pane of this.panes.splice(questions.length)) pane.stop();
    if (!this.panes.includes(this.active)) this.active = this.panes[0];
    this.trees.replaceChildren(...this.panes.map(({ element }) => element));
    this.classList.toggle("two", this.panes.length > 1);
    for (const pane of this.panes) pane.editor.close();
    const loaded = await Promise.all(this.panes.map((pane, place) => pane.load(questions[place])));
    if (asked !== this.#asked || !this.isConnected) return;
    if (loaded.every(Boolean)) {
      this.#restore();
      this.#compare();
    } else if (!this.panes.every(({ trace }) => trace)) this.#clear();
  }

  #clear() {
    this.steps.show(0, 0);
    for (const part of [this.counted, this.list, this.node]) part.replaceChildren();
    this.board.hidden = true;
  }

  /** Is there a plain search for this game? */
  get #isPlainFit() {
    const { algorithms, chance } = this.form.game;
    return algorithms.includes(chance ? "expectiminimax" : "minimax");
  }

  /** Ask what plain minimax costs. It may have to be compiled, so the search is shown before. */
  async #compare() {
    const [pane] = this.panes;
    const { trace } = pane;
    const { record } = trace;
    if (record.minimax !== undefined || !record.depth || !trace.hasVisits || !this.#isPlainFit) return;
    const asked = stream("plain", { ...this.form.match(), depth: record.depth }, (told) =>
      this.compiling.replaceChildren(readyBar(told)),
    );
    this.plain = asked;
    try {
      record.minimax = (await asked.done).plain;
    } catch (problem) {
      if (!(problem instanceof Lost)) record.minimax = null;
    }
    if (this.plain !== asked) return;
    this.compiling.replaceChildren();
    if (!this.isConnected || pane.trace !== trace) return;
    pane.describe();
    this.#showBeside();
  }

  #restore() {
    const { at, node, view } = this.wanted;
    this.form.showDepth(this.panes[0].trace.record.depth);
    this.panes.forEach((pane, place) => {
      pane.go(at[place] ?? at[0] ?? 0);
      if (node) pane.tree.pick(pane.trace.follow(node));
    });
    if (view) this.active.tree.view = view;
    this.#show();
  }

  // ---- stepping ------------------------------------------------------------------------------------
  go(at) {
    if (!this.active.trace) return;
    const moved = this.together.checked ? this.panes : [this.active];
    for (const pane of moved) if (pane.trace) pane.go(at);
    for (const pane of moved) pane.tree.pick(-1);
    this.#show();
  }

  #show() {
    const { active, panes } = this;
    if (!panes.every(({ trace }) => trace)) return;
    const last = this.together.checked
      ? Math.max(...panes.map(({ trace }) => trace.steps))
      : active.trace.steps;
    const at = this.together.checked ? Math.max(...panes.map((pane) => pane.at)) : active.at;
    this.steps.show(at, last);
    for (const pane of panes) pane.element.classList.toggle("active", panes.length > 1 && pane === active);
    this.#late ||= setTimeout(
      () => this.#showBeside(),
      Math.max(0, this.#shown + BESIDE_GAP - performance.now()),
    );
    this.#write();
  }

  /** Update the panels beside the tree a little later, so that fast steps stay fast. */
  #showBeside() {
    this.#late = 0;
    this.#shown = performance.now();
    const { active, panes } = this;
    if (!this.isConnected || !panes.every(({ trace }) => trace)) return;
    const table = counters(panes, this.#isPlainFit, this.form.game.chance);
    this.counted.replaceChildren(h("h2", {}, t("Counters")), table);
    this.list.replaceChildren(
      ...conclusions(active.trace, active.at, (step) => {
        this.steps.pause();
        this.go(step);
      }),
    );
    this.#teach();
    const line = this.list.querySelector(".last");
    if (line) this.list.scrollTop = line.offsetTop - this.list.clientHeight / 2;
    this.#describe();
  }

  /** Show the pseudo-code and all that belongs to the lecture; it is loaded after the tree is there. */
  async #teach() {
    if (!this.lecture) {
      const { Lecture } = await import("./lecture.js");
      this.lecture ??= new Lecture(this);
      this.beside.prepend(this.lecture.element);
    }
    if (this.active.trace) this.lecture.show(this.active);
  }

  /** During automatic play, screen readers get no sentences; the last one is read when it stops. */
  #hush(isPlaying) {
    for (const pane of this.panes)
      pane.sentence.setAttribute("aria-live", isPlaying || pane !== this.active ? "off" : "polite");
    if (!isPlaying && this.active.trace) this.#describe();
  }

  activate(pane) {
    if (pane === this.active) return;
    this.active = pane;
    this.#hush(this.steps.isPlaying);
    this.#show();
  }

  // ---- the selected node ---------------------------------------------------------------------------
  pick(pane, node) {
    this.activate(pane);
    pane.editor.close();
    pane.tree.pick(node);
    this.#show();
    if (node >= 0 && this.lecture?.judge(pane, node)) return;
    if (node >= 0 && this.#isEditable(pane, node)) this.#edit(pane, node);
  }

  #describe() {
    const { trace, at, tree } = this.active;
    const node = tree.picked >= 0 ? tree.picked : trace.nodeAt(at);
    this.node.replaceChildren(...details(trace, node, at), ...this.#buttons(node));
    clearTimeout(this.#looking);
    if (trace.record.board || this.form.game.editable || node < 0 || this.steps.isHurried)
      this.board.hidden = true;
    else this.#looking = setTimeout(() => this.#look(node), BOARD_DELAY);
  }

  #buttons(node) {
    const { active } = this;
    if (node < 0) return [];
    if (this.#isEditable(active, node)) {
      return [
        h(
          "div",
          { class: "row" },
          h("button", { type: "button", onclick: () => this.#edit(active, node) }, t("Edit the value")),
        ),
      ];
    }
    return active.trace.array.size[node] > 20
      ? [
          h(
            "div",
            { class: "row" },
            h("button", { type: "button", onclick: () => active.tree.zoomTo(node) }, t("Zoom in here")),
          ),
        ]
      : [];
  }

  async #look(node) {
    const { trace } = this.active;
    const { game, start, moves } = this.form.match();
    try {
      const asked = ask("view", { game, start, moves: [...moves, ...trace.path(node)] });
      const [view] = await Promise.all([asked, import("./board.js")]);
      if (this.active.trace !== trace || !this.isConnected) return;
      this.board.hidden = false;
      this.board.show(view);
    } catch {
      this.board.hidden = true;
    }
  }

  // ---- editing -------------------------------------------------------------------------------------
  #isEditable({ trace }, node) {
    return this.form.game.editable && trace.array.size[node] === 1 && trace.isLeaf(node);
  }

  #edit(pane, node) {
    const box = pane.tree.boxOf(node);
    if (!box) return;
    pane.editor.open(
      box,
      pane.trace.label(node),
      async (value) => {
        const path = pane.trace.path(node);
        try {
          const { start } = await ask("edit", { ...this.form.match(), path, value });
          this.form.setPosition(start);
        } catch (problem) {
          toast(problem.message, true);
        }
      },
      () => pane.tree.canvas.focus(),
    );
  }
}

customElements.define("g-watch", WatchElement);
