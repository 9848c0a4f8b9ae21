// <g-analyse>: the value of each move of a position, the curve of a game, and two algorithms side by side.

import "./board.js";
import "./moves.js";
import { checkPlayers, readPlayer, usualAlgorithm } from "./choose.js";
import { Comparison } from "./compare.js";
import { accuracyTable, slipTable, slipText } from "./curve.js";
import { h, icon, iconButton, refill, say, toast } from "./dom.js";
import { openFiles } from "./files.js";
import * as link from "./link.js";
import { match } from "./match.js";
import { GamePage } from "./page.js";
import { sideColours, valueClass } from "./pieces.js";
import { readyBar } from "./ready.js";
import { Lost, stream } from "./server.js";
import { finalShare, lineOf, tableText, valueText } from "./thinking.js";
import { depthOf, inUnits, seenBy } from "./values.js";
import { count, signed, t } from "./words.js";

const USUAL = { seconds: 10, lines: 3 };
const LINES = [1, 2, 3, 5, 8, 20];
const SIGNS = ["!", "?", "!!", "??", "!?", "?!"]; // of the numbers 1 to 6 in a record
const FEW = 16; // so many moves that each fill one cell are all valued: the board shows their values
const REVIEW = { game: 12, least: 0.05, most: 0.5 }; // seconds for a whole game, and limits for one position

class Analyse extends GamePage {
  name = "analyse";
  #search = null; // the running analysis
  #review = null; // the running review
  #told = null; // the last result of the analysis

  connectedCallback() {
    super.connectedCallback();
    if (link.read().number("review", 0) === 1) this.#startReview();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#review?.drop();
    this.insight?.drop();
    this.comparison.stop();
  }

  restart() {
    this.#setUp();
    this.#show();
  }

  // ---- the elements --------------------------------------------------------------------------------
  build() {
    this.picker = h("g-game", {
      onchoose: () => {
        history.pushState(null, "", location.href);
        match.begin(this.picker.value);
      },
    });
    this.chooser = h("g-algorithm", {
      onchoose: () => {
        this.algorithm = this.chooser.value;
        this.#setUp();
        this.#show();
      },
    });
    this.lineCount = h(
      "select",
      {
        "aria-label": t("Lines"),
        onchange: () => {
          this.lines = Number(this.lineCount.value);
          this.#show();
        },
      },
      LINES.map((number) => h("option", { value: number }, String(number))),
    );
    this.runner = h("button", { type: "button", class: "main", onclick: () => this.#run(!this.#search) });
    this.board.addEventListener("move", ({ detail }) => match.play(detail));
    this.curve = h("g-curve", { onlook: ({ detail }) => match.look(detail) });
    this.insights = h("span");
    this.remark = h("p", { class: "small muted", role: "status" });
    this.watcher = h("a", { class: "button quiet" }, t("See the search"));
    this.reviewer = h("button", {
      type: "button",
      onclick: () => (this.#review ? this.#review.stop() : this.#startReview()),
    });
    this.curveHead = h("div", { class: "title" }, h("h2", {}, t("Value over the game")), this.reviewer);
    this.slip = h("p", { class: "small slip-text" });
    this.counters = h("p", { class: "small muted counters", "aria-live": "off" });
    this.variations = h(
      "div",
      {},
      h(
        "button",
        { type: "button", class: "quiet", onclick: () => this.#openVariations(true) },
        t("Comments and signs"),
      ),
    );
    this.candidates = h("ol", { class: "candidates", "aria-label": t("Candidate moves") });
    this.believed = h("section", { class: "panel", "aria-label": t("What may be hidden"), hidden: true });
    this.shower = h("button", {
      type: "button",
      class: "quiet",
      hidden: true,
      onclick: () => {
        this.isOpen = !this.isOpen;
        this.#show();
      },
    });
    this.slips = h("section", { class: "panel", "aria-label": t("Mistakes"), hidden: true });
    this.comparison = new Comparison(
      () => this.#save(),
      (line, place) => this.#goTo(line, place),
      () => this.#halt(),
    );
    this.below = h(
      "div",
      { class: "below stack" },
      h(
        "section",
        { class: "panel", "aria-label": t("Value over the game") },
        this.curveHead,
        this.curve,
        this.slip,
      ),
      this.comparison.element,
    );
    this.player = h(
      "a",
      {
        class: "button",
        href: "#/play",
        onclick: () => {
          if (!match.isAtEnd) match.takeBack(match.cursor);
        },
      },
      t("Play from here"),
    );
    this.replaceChildren(
      h("h1", { class: "unseen" }, t("Analyse")),
      h(
        "section",
        { class: "centre", "aria-label": t("Board") },
        h("div", { class: "board-row" }, this.bar, this.board),
        h(
          "div",
          { class: "bar tools", role: "toolbar", "aria-label": t("Controls") },
          this.flipper,
          iconButton("file", t("Position and game…"), () =>
            openFiles(this.game, this.dialogs).catch(
              (problem) => problem instanceof Lost || toast(problem.message, true),
            ),
          ),
          this.insights,
          h("span", { class: "gap" }),
          this.shower,
          this.watcher,
          this.player,
        ),
      ),
      this.below,
      h(
        "div",
        { class: "side stack" },
        h(
          "section",
          { class: "panel", "aria-label": t("Analysis") },
          h("div", { class: "title" }, this.counters, this.runner),
          this.candidates,
          this.remark,
        ),
        this.believed,
        h("section", { class: "panel", "aria-label": t("Moves") }, this.moves, this.variations),
        this.slips,
      ),
      h(
        "section",
        { class: "setup panel stack", "aria-label": t("Setup") },
        this.picker,
        this.chooser,
        h("label", {}, h("span", {}, t("Lines")), this.lineCount),
      ),
    );
  }

  readSettings(read) {
    this.algorithm = read.text("algorithm", this.#usual);
    const lines = read.number("lines", USUAL.lines);
    this.lines = LINES.includes(lines) ? lines : USUAL.lines;
    this.isRunning = read.number("run", 1) === 1;
    this.readFlip(read);
    this.versus = read.list("versus");
    if (read.text("tree")) import("./variations.js").then(({ plant }) => plant(read.text("tree")));
  }

  get #usual() {
    return `${usualAlgorithm(this.game) ?? ""}:seconds=${USUAL.seconds}`;
  }

  #setUp() {
    if (!this.game.algorithms.includes(readPlayer(this.algorithm)?.algorithm)) this.algorithm = this.#usual;
    this.picker.show(this.catalogue.games, match.game);
    this.chooser.show(this.catalogue, this.game.algorithms, this.algorithm, ["seconds"]);
    this.lineCount.value = String(this.lines);
    this.comparison.setUp(this.catalogue, this.game, this.versus);
    this.versus = this.comparison.players;
  }

  #save() {
    this.versus = this.comparison.isOpen ? this.comparison.players : [];
    link.write("analyse", {
      ...match.link(),
      main: match.line ? match.lines[0] : [],
      tree: this.treeText?.() ?? link.read().text("tree"),
      algorithm: this.algorithm,
      lines: this.lines === USUAL.lines ? "" : this.lines,
      run: this.isRunning ? "" : "0",
      flip: this.flipText,
      review: this.reviewed != null,
      versus: this.versus,
    });
  }

  // ---- the position --------------------------------------------------------------------------------
  changed(what) {
    if (what === "begin") this.restart();
    else if (what === "note") this.draw();
    else this.#show();
  }

  /** Show the current position, and analyse it if the analysis is on. */
  async #show() {
    const ticket = this.nextTicket();
    this.#search = null;
    if (this.showExpected()) this.#save();
    const views = await this.#views(ticket).catch((problem) => this.recover(ticket, problem));
    if (ticket !== this.ticket || !views) return;
    const [view, end] = views;
    try {
      const texts = this.game.algorithms.length ? [this.algorithm, ...this.versus] : [];
      const checked = await checkPlayers(match.game, texts, this.#usual, this.asker);
      if (ticket !== this.ticket) return;
      if (checked.join() !== texts.join()) {
        [this.algorithm, ...this.versus] = checked;
        this.#setUp();
      }
      [this.view, this.end, this.#told] = [view, end, null];
      if (this.reviewed && `${this.reviewed.moves}` !== `${match.moves}`) this.#leaveReview();
      this.draw();
      if (!this.game.hidden) this.comparison.look(match.at(), view);
      const isFirst = this.game.hidden && !match.cursor && !match.start; // the value of the whole game
      const isAsked = view.player >= 0 || isFirst || match.table != null; // a seat always believes something
      if (this.isRunning && !view.over && isAsked && this.game.algorithms.length) await this.#analyse(ticket);
    } catch (problem) {
      this.#fail(ticket, problem);
    }
  }

  /** Return the current position and the last. Of a game that hides something, one player's view is shown. */
  async #views(ticket) {
    if (this.game.hidden) this.strategy ??= await import("./beliefs.js");
    if (this.game.hidden && !match.table && !match.moves.length && !match.start) await this.#resume();
    if (ticket !== this.ticket) return null;
    const seen = (this.game.hidden && !this.isOpen) || undefined;
    return Promise.all([match.view(match.cursor, seen), match.view(match.moves.length)]);
  }

  /** Take up the game that the server keeps for this browser; one that it has forgotten is left. */
  async #resume() {
    const { leave, resume } = await import("./table.js");
    const table = resume(match.game);
    const view = await table?.live().catch((problem) => {
      if (problem instanceof Lost) throw problem;
      leave();
    });
    if (!view || view.finished) return;
    match.table = table;
    match.notice(view);
    match.cursor = match.moves.length;
  }

  async #analyse(ticket) {
    const { algorithm, options, seconds = USUAL.seconds } = readPlayer(this.algorithm);
    const hear = (told) => {
      if (told.phase) this.counters.replaceChildren(readyBar(told));
      if (told.beliefs) this.#drawBeliefs(told);
      if (!told.candidates) return;
      this.#told = told;
      this.#drawAnalysis();
    };
    const what = match.table ? "seat_analyse" : "analyse";
    const { actions } = this.view;
    const isSmall = actions.length <= FEW && actions.every(({ touch }) => touch.length < 2);
    const lines = isSmall ? Math.max(this.lines, actions.length) : this.lines;
    this.#search = this.asker.stream(what, { ...match.at(), algorithm, seconds, lines, options }, hear);
    this.#drawRunner();
    const told = await this.#search.done;
    if (ticket !== this.ticket) return;
    this.#search = null;
    hear(told);
    this.#drawRunner();
    const best = told.candidates?.[0];
    if (best?.value != null) say(t("The best move is {0}, value {1}.", best.move, signed(best.value)));
  }

  #run(isOn) {
    this.isRunning = isOn;
    if (isOn) this.#show();
    else this.#halt();
  }

  /** Stop the running search, which then returns what it has found. */
  #halt() {
    this.isRunning = false;
    this.#search?.stop();
    this.#save();
  }

  #fail(ticket, problem) {
    if (ticket !== this.ticket || problem instanceof Lost) return;
    this.#search = null;
    this.isRunning = false;
    toast(problem.message, true);
    this.#drawRunner();
  }

  /** Go to a position of a line that starts at the current position. */
  #goTo(moves, place) {
    for (const move of moves.slice(0, place + 1)) match.play(move);
  }

  // ---- the game ------------------------------------------------------------------------------------
  #leaveReview() {
    this.#review?.drop();
    this.#review = this.reviewed = null;
  }

  async #startReview() {
    this.#leaveReview();
    const asked = match.at(match.moves.length);
    const reviewed = { moves: asked.moves, start: asked.start, game: asked.game, plies: [] };
    const seconds = Math.max(REVIEW.least, Math.min(REVIEW.most, REVIEW.game / (asked.moves.length + 1)));
    const review = stream("review", { ...asked, seconds }, (told) => {
      reviewed.plies[told.ply] = told;
      this.#drawCurve();
    });
    [this.reviewed, this.#review] = [reviewed, review];
    this.#drawCurve();
    this.#save();
    try {
      const { plies } = await review.done;
      if (plies) reviewed.plies = plies;
    } catch (problem) {
      if (review !== this.#review) return;
      if (!(problem instanceof Lost)) toast(problem.message, true);
    }
    this.#review = null;
    if (this.isConnected) this.draw();
  }

  // ---- drawing -------------------------------------------------------------------------------------
  draw() {
    if (!this.view) return; // a review has ended before the position came
    this.showBoard(!this.view.over && this.view.player >= 0 && !match.table);
    this.below.hidden = this.player.hidden = this.game.hidden;
    this.lineCount.parentNode.hidden = this.game.hidden;
    this.believed.hidden = true;
    this.shower.hidden = !this.game.hidden || match.table != null;
    this.shower.textContent = this.isOpen ? t("Show what the player sees") : t("Show everything");
    const plies = this.reviewed?.plies ?? [];
    const marks = new Map(
      plies
        .filter((each) => each?.mark)
        .map((each) => [each.ply + 1, { mark: each.mark, title: slipText(each) }]),
    );
    if (Object.keys(match.notes).length)
      for (let ply = 1; ply <= match.moves.length; ply++) {
        const { text = "", signs = [] } = match.note(ply);
        if (signs.length) marks.set(ply, { mark: SIGNS[signs[0] - 1] ?? "", title: text });
      }
    this.moves.show(this.end.played, match.cursor, marks);
    this.#drawVariations();
    this.#drawCurve();
    this.#drawAnalysis();
    this.#drawRunner();
    this.#drawInsight();
    this.#save();
  }

  /** Show threats, territory and the user's arrows; what they need is loaded after the first position. */
  async #drawInsight() {
    if (!this.insight) {
      const { Insight } = await import("./insight.js");
      this.insight ??= new Insight(this);
      this.insights.replaceChildren(this.insight.element);
    }
    if (!this.view) return;
    this.insight.show();
    this.#point();
  }

  /** Load the tree of variations, if there are any or the user wants to write a comment. */
  async #openVariations(isOpen = false) {
    const { VariationPanel, linkText } = await import("./variations.js");
    [this.tree, this.treeText] = [this.tree ?? new VariationPanel(), linkText];
    if (isOpen) this.tree.editor.open = true;
    this.variations.replaceChildren(this.tree.element);
    if (this.view) this.#drawVariations();
  }

  #drawVariations() {
    const isTree = match.lines.length > 1 || Object.keys(match.notes).length > 0;
    this.variations.hidden = this.game.hidden;
    if (this.tree) this.tree.show(this.view.sides.length === 2 && !this.game.chance);
    else if (isTree) this.#openVariations();
  }

  #drawRunner() {
    const where = match.table ? { game: match.game, start: this.view?.text } : match.at();
    this.watcher.href = link.href("watch", { ...where, a: readPlayer(this.algorithm)?.algorithm });
    this.watcher.hidden = !this.game.algorithms.length || where.start === undefined;
    const isOn = this.#search != null;
    this.runner.replaceChildren(icon(isOn ? "stop" : "play"), isOn ? t("Stop") : t("Analyse"));
    this.runner.disabled = this.view?.over ?? true;
  }

  #drawBeliefs(told) {
    this.strategy.showBeliefs(this.believed, told);
    this.board.warm(told.beliefs);
  }

  #drawStrategy() {
    const { candidates = [] } = this.#told ?? {};
    const { over, verdict, player } = this.view;
    const play = match.table ? null : (move) => match.play(move);
    this.counters.textContent = over
      ? verdict
      : this.#told
        ? this.strategy.strategyText(this.#told)
        : player < 0
          ? t("Chance decides here.")
          : "";
    refill(this.candidates, this.strategy.strategyRows(candidates, play));
    this.board.paint(candidates.slice(0, this.strategy.MOST_ACTIONS).filter(({ share }) => share >= 0.005));
    if (this.#told?.beliefs) this.#drawBeliefs(this.#told);
    this.bar.hidden = true;
  }

  #drawAnalysis() {
    if (this.game.hidden) return this.#drawStrategy();
    const { candidates = [], depth, nodes, nps } = this.#told ?? {};
    const { over, verdict, player } = this.view;
    this.counters.textContent = over
      ? verdict
      : this.#told
        ? t("Depth {0} · {1} nodes · {2}/s", depth ?? "–", count(nodes), count(nps)) + tableText(this.#told)
        : player < 0
          ? t("Chance decides here.")
          : "";
    const { measure } = this.game;
    const seen = (candidate) => seenBy(candidate, player, this.view.sides.length); // for the side that is chosen
    refill(
      this.candidates,
      candidates.slice(0, this.lines).map((candidate) => {
        const line = candidate.line?.length ? candidate.line : [candidate.move];
        return h(
          "li",
          {},
          h(
            "b",
            {
              class: `pill e${valueClass(candidate.expectation)}`,
              title: valueText(seen(candidate), measure),
            },
            inUnits(seen(candidate), measure),
          ),
          lineOf(line, (at) => this.#goTo(line, at)),
          depthOf(candidate),
        );
      }),
    );
    const walks = candidates.some(({ touch }) => touch.length > 1); // many moves end on one cell
    const painted = walks ? candidates.slice(0, this.lines) : candidates;
    this.board.paint(painted.map((each) => ({ ...each, text: inUnits(seen(each), measure) })));
    this.pointed = candidates
      .slice(0, walks ? this.lines : 1)
      .map((candidate, place) => ({ ...candidate, css: place ? "other" : "best" }))
      .reverse();
    this.#point();
    const best = candidates[0]?.expectation;
    const known = this.reviewed?.plies[match.cursor]?.expectation;
    const share = over
      ? finalShare(this.view)
      : best != null
        ? player === 0
          ? best
          : 1 - best
        : (known ?? null);
    this.bar.show(share, this.view, this.isTurned);
  }

  #point() {
    this.board.point([...(this.pointed ?? []), ...(this.insight?.arrows() ?? [])]);
  }

  #drawCurve() {
    if (!this.view) return;
    const plies = this.reviewed?.plies ?? [];
    const { sides } = this.view;
    this.curve.hidden = !plies.length;
    this.curve.show(plies, match.moves.length, match.cursor, sides[0], sideColours(this.view)[0]);
    this.reviewer.replaceChildren(
      icon(this.#review ? "stop" : "chart"),
      this.#review ? t("Stop") : t("Review the game"),
    );
    this.reviewer.disabled = !match.moves.length || this.game.hidden;
    const here = plies[match.cursor - 1];
    this.slip.textContent = here?.mark ? slipText(here) : "";
    const isDone = plies.length > 1 && !this.#review;
    this.slips.hidden = !isDone;
    if (isDone)
      this.slips.replaceChildren(
        h("h2", {}, t("Mistakes")),
        accuracyTable(plies, this.end.played, sides) ?? "",
        slipTable(plies, this.end.played, sides, (ply) => match.look(ply)),
      );
  }
}

customElements.define("g-analyse", Analyse);
