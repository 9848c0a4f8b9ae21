// <g-watch>: a search of a tree or a position, step by step, with one algorithm or two on the same tree.

import { h, toast } from "./dom.js";
import { conclusions, counters, details } from "./lesson.js";
import * as link from "./link.js";
import { Pane } from "./pane.js";
import { QuestionForm } from "./question.js";
import { Asker, connection, Lost } from "./server.js";
import "./steps.js";
import { readyBar } from "./ready.js";
import { t } from "./words.js";

const LINK_DELAY = 250; // milliseconds
const BOARD_DELAY = 120;
const BESIDE_GAP = 80;

class WatchElement extends HTMLElement {
  #writing = 0;
  #looking = 0;
  #late = 0;
  #asker = new Asker(); // of the cost of plain minimax, and of an edited leaf
  #looker = new Asker(); // of the board of a node
  #shown = 0; // when the panels were last shown
  #asked = 0;
  #address = ""; // last read or written

  connectedCallback() {
    this.form = new QuestionForm(this.catalogue, () => this.#changed());
    this.steps = h("g-steps", {
      class: "panel",
      ongo: ({ detail }) => this.#goTo(detail),
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
    this.numbered = h("input", {
      type: "checkbox",
      onchange: () => this.form.number(this.numbered.checked),
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
      h(
        "label",
        {
          class: "check small",
          title: t("Number leaves and conclusions as Winston does, and step from one to the next"),
        },
        this.numbered,
        t("Boxes"),
      ),
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
    this.#forget();
    if (this.#writing) this.#writeNow();
    clearTimeout(this.#writing);
    clearTimeout(this.#looking);
    clearTimeout(this.#late);
    for (const pane of this.panes) pane.stop();
  }

  // ---- the address ---------------------------------------------------------------------------------
  async follow() {
    const said = link.read();
    this.#address = location.hash;
    const isWanted = await this.form.read(said);
    if (!isWanted || !this.isConnected) return;
    this.numbered.checked = this.form.boxes;
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
    this.#forget();
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

  /** What was asked about the searches before is not wanted any more. */
  #forget() {
    this.#asker.drop();
    this.#looker.drop();
    this.compiling.replaceChildren();
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
    const asked = this.#asker.stream("plain", { ...this.form.match(), depth: record.depth }, (told) =>
      this.compiling.replaceChildren(readyBar(told)),
    );
    try {
      record.minimax = (await asked.done).plain;
    } catch (problem) {
      if (problem instanceof Lost) return;
      record.minimax = null;
    }
    this.compiling.replaceChildren();
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
  /** Return whether the bar counts boxes, which searches by simulations do not have. */
  get isBoxed() {
    return this.form.boxes && this.panes.every(({ trace }) => trace?.hasVisits);
  }

  /** Go to a number of the bar: that of a step, or of a box. */
  #goTo(number) {
    if (!this.isBoxed) return this.go(number);
    for (const pane of this.together.checked ? this.panes : [this.active]) pane.goToBox(number);
    this.#moved();
  }

  go(at) {
    if (!this.active.trace) return;
    const moved = this.together.checked ? this.panes : [this.active];
    for (const pane of moved) if (pane.trace) pane.go(at);
    this.#moved();
  }

  #moved() {
    for (const pane of this.together.checked ? this.panes : [this.active]) pane.tree.pick(-1);
    this.#show();
  }

  #show() {
    const { active, panes } = this;
    if (!panes.every(({ trace }) => trace)) return;
    const shown = this.together.checked ? panes : [active];
    const places = shown.map((pane) => (this.isBoxed ? pane.box : [pane.at, pane.trace.steps]));
    this.numbered.parentElement.hidden = !panes.every(({ trace }) => trace.hasVisits);
    const [at, last] = [0, 1].map((which) => Math.max(...places.map((place) => place[which])));
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
    this.#looker.drop();
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
      const asked = this.#looker.ask("view", { game, start, moves: [...moves, ...trace.path(node)] });
      const [view] = await Promise.all([asked, import("./board.js")]);
      this.board.hidden = false;
      this.board.show(view);
    } catch (problem) {
      if (!(problem instanceof Lost)) this.board.hidden = true;
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
          const { start } = await this.#asker.ask("edit", { ...this.form.match(), path, value });
          this.form.setPosition(start);
        } catch (problem) {
          if (!(problem instanceof Lost)) toast(problem.message, true);
        }
      },
      () => pane.tree.canvas.focus(),
    );
  }
}

customElements.define("g-watch", WatchElement);
