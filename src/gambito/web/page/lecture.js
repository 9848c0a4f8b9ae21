// The lecture beside a watched search: pseudo-code, passes, the numbers of a choice, the open list, a quiz.
// It is loaded after the tree. It reads the trace and never changes it.

import { h, prose, put, s, table } from "./dom.js";
import { copy } from "./copy.js";
import { lectureOf, linesOf, markOf, sideOf } from "./pseudo-code.js";
import { end, INFINITE, number } from "./trace.js";
import { count, lang, t } from "./words.js";

const MOST_OPEN = 12; // states of the open list that are shown
const MOST_PASSES = 60;
const MOST_PRINTED = 3000; // steps
const [WIDE, ROW] = [280, 15]; // of the strip of passes
const RETURNS = new Set(["leaf", "leave"]);
const lectures = new Map(); // promises, by language

document.head.append(h("link", { rel: "stylesheet", href: "lecture.css" }));

const load = (name) => {
  if (!lectures.has(name))
    lectures.set(
      name,
      fetch(`lectures/${name}.json`).then((answer) => answer.json()),
    );
  return lectures.get(name);
};

export class Lecture {
  #quiz = null; // {pane, step, tries}
  #right = 0;
  #asked = 0;

  constructor(page) {
    this.page = page;
    this.code = h("pre", {
      class: "pseudo-code",
      role: "group",
      tabindex: "0",
      "aria-label": t("Pseudo-code"),
    });
    this.variables = h("p", { class: "small variables" });
    this.more = h("div", { class: "stack tight" });
    this.quizzer = h("button", { type: "button", onclick: () => this.#ask() }, t("Quiz"));
    this.question = h("div", { class: "quiz", role: "status", hidden: true });
    this.element = h(
      "section",
      { class: "panel lecture", "aria-label": t("Lecture") },
      h("h2", {}, t("Pseudo-code")),
      this.code,
      this.variables,
      this.more,
      this.question,
      h(
        "div",
        { class: "row" },
        this.quizzer,
        h("button", { type: "button", onclick: () => this.#print() }, t("Print the steps")),
        h("button", { type: "button", onclick: () => this.#copy() }, t("Link to this step")),
      ),
      h("details", { class: "legend small" }, h("summary", {}, t("Legend")), legend()),
    );
  }

  async show(pane) {
    const { trace, at } = pane;
    const all = await load(lang).catch(() => ({}));
    if (pane.trace !== trace || pane.at !== at) return;
    this.#showCode(trace, at, lectureOf(all, trace.record));
    put(this.variables, this.#variables(trace, at));
    put(
      this.more,
      passes(trace, at, (step) => this.page.go(step)),
      choice(trace, at),
      regrets(trace, at),
      openList(trace, at),
    );
    this.quizzer.hidden = !trace.cutSteps.length;
    if (this.#quiz && (this.#quiz.trace !== trace || this.#quiz.step !== at)) this.#end();
  }

  // ---- the pseudo-code -----------------------------------------------------------------------------
  #showCode(trace, at, lecture) {
    this.element.classList.toggle("bare", !lecture);
    if (!lecture) return put(this.code);
    const lines = linesOf(lecture, trace.record.options);
    const line = markOf(trace, at, lecture.marks, new Set(lines.map(([place]) => place)));
    put(
      this.code,
      lines.map(([place, text]) =>
        h(
          "code",
          {
            class: place === line ? "now" : "",
            style: `--indent: ${text.search(/\S|$/)}ch`,
            "aria-current": place === line ? "true" : null,
          },
          text.trimStart(),
        ),
      ),
    );
    const now = this.code.querySelector(".now");
    if (now) this.code.scrollTop = now.offsetTop - this.code.clientHeight / 2;
  }

  #variables(trace, at) {
    const step = at - 1;
    if (step < 0) return t("The search has not begun.");
    const node = trace.array.node[step];
    const parts = [[t("state"), trace.name(node)]];
    if (trace.windowed) {
      const { alpha, beta } = trace.array;
      parts.push(["α", end(alpha[step], "−∞")], ["β", end(beta[step], "+∞")]);
    }
    const value = trace.value(step);
    if (value) parts.push([RETURNS.has(trace.kindOf(step)) ? t("returned") : t("best"), value]);
    for (const [name, held] of trace.facts(node, at)) parts.push([name, number(held)]);
    return [
      parts.map(([name, held]) => h("span", { class: "variable" }, h("b", {}, name), ` ${held} `)),
      trace.windowed ? h("span", { class: "muted" }, t("(all values are MAX's)")) : null,
    ];
  }

  // ---- the quiz ------------------------------------------------------------------------------------
  /** Go to the step before the next cut-off, and ask which branch it drops. */
  #ask() {
    const pane = this.page.active;
    const { trace } = pane;
    const after = trace.cutSteps.find(
      (each) => each > pane.at - (this.#quiz ? 0 : 1) && drops(trace, each).length,
    );
    const step = after ?? trace.cutSteps.find((each) => drops(trace, each).length);
    if (step === undefined) return this.#tell(t("This search cuts off nothing that is in the picture."));
    this.page.steps.pause();
    this.#quiz = { trace, step, tries: 0 };
    this.page.go(step);
    this.#tell(
      t("Which branch is cut next? Click it in the tree."),
      h("button", { type: "button", class: "quiet", onclick: () => this.#reveal() }, t("Show it")),
    );
  }

  /** Take a click on a node as the answer to the question. Return whether there was a question. */
  judge(pane, node) {
    const quiz = this.#quiz;
    if (!quiz || quiz.trace !== pane.trace) return false;
    const { trace } = pane;
    const dropped = drops(trace, quiz.step);
    let branch = node;
    while (branch > 0 && !dropped.includes(branch)) branch = trace.array.parent[branch];
    quiz.tries += 1;
    if (branch > 0) {
      this.#asked += 1;
      this.#right += quiz.tries === 1 ? 1 : 0;
      this.#reveal(t("Right."));
    } else {
      const isSeen = trace.lastStep(node, quiz.step) >= 0;
      const hint = isSeen
        ? t("No: the search has already been at {0}.", trace.name(node))
        : t("No: nothing is known yet that makes {0} useless.", trace.action(node) || trace.name(node));
      this.question.firstChild.textContent = `${hint} ${t("Look at the window of {0}.", trace.name(trace.array.node[quiz.step]))}`;
    }
    return true;
  }

  #reveal(word = "") {
    const { trace, step } = this.#quiz;
    if (!word) this.#asked += 1;
    this.#quiz = null;
    this.page.go(step + 1);
    const [first] = drops(trace, step);
    const score = t("{0} of {1} at once", this.#right, this.#asked);
    this.#tell(
      `${word} ${trace.name(trace.array.node[step])}: ${trace.sentence(step)}. ${trace.why(first)}. (${score})`.trim(),
      h("button", { type: "button", onclick: () => this.#ask() }, t("Next question")),
    );
  }

  #tell(words, button = null) {
    put(this.question, h("p", {}, words), button);
    this.question.hidden = false;
  }

  #end() {
    this.#quiz = null;
    this.question.hidden = true;
  }

  // ---- to take away --------------------------------------------------------------------------------
  #copy() {
    setTimeout(() => copy(location.href), 300); // the address follows the steps a little later
  }

  /** Show all steps on a sheet, and let the browser print it. */
  #print() {
    const { trace, tree } = this.page.active;
    const { record } = trace;
    const steps = [];
    for (let step = 0; step < Math.min(trace.steps, MOST_PRINTED); step++)
      steps.push(h("li", {}, h("b", {}, trace.name(trace.array.node[step])), `: ${trace.sentence(step)}`));
    const sheet = h(
      "div",
      { class: "sheet" },
      h("h1", {}, `${record.algorithm} · ${record.game}`),
      h("p", {}, record.position),
      h("img", { src: tree.canvas.toDataURL("image/png"), alt: t("The tree of the search") }),
      h("ol", {}, steps),
      trace.steps > MOST_PRINTED ? h("p", {}, t("… {0} more", count(trace.steps - MOST_PRINTED))) : null,
    );
    document.body.append(sheet);
    addEventListener("afterprint", () => sheet.remove(), { once: true });
    sheet.querySelector("img").decode().then(print, print);
  }
}

function drops(trace, step) {
  const { dropped, dropped_from: from } = trace.array;
  return [...dropped.subarray(from[step], from[step + 1])];
}

// ---- the passes of searches that ask about one window after another ---------------------------------
function passes(trace, at, go) {
  const { order, node, alpha, beta, value } = trace.array;
  const found = [];
  for (let k = trace.stepsFrom[0]; k < trace.stepsFrom[1]; k++) {
    const step = trace.stepsOf[k];
    if (order[step]) found.push({ step, alpha: alpha[step], beta: beta[step] });
    if (found.length && trace.kindOf(step) === "leave" && node[step] === 0)
      Object.assign(found.at(-1), { end: step, value: value[step], bound: sideOf(trace, step) });
  }
  if (found.length < 2) return null;
  const shown = found.slice(-MOST_PASSES);
  let [low, high] = [-Infinity, Infinity];
  const rows = shown.map((pass) => {
    const before = [low, high];
    if (pass.end !== undefined && pass.end < at) {
      if (pass.bound !== "upper") low = Math.max(low, pass.value);
      if (pass.bound !== "lower") high = Math.min(high, pass.value);
    }
    return { ...pass, before, after: [low, high] };
  });
  const ends = rows
    .flatMap((row) => [row.value, row.alpha, row.beta])
    .filter((end) => Math.abs(end) < INFINITE);
  const [least, most] = [Math.min(...ends) - 1, Math.max(...ends) + 1];
  const x = (end) => (Math.max(0, Math.min(1, (end - least) / (most - least))) * WIDE).toFixed(1);
  const bars = rows.map((row, place) => {
    const isKnown = row.end !== undefined && row.end < at;
    const [from, to] = isKnown ? row.after : row.before;
    const guess = [row.beta, row.alpha].find((end) => Math.abs(end) < INFINITE); // none: the whole window
    const y = place * ROW;
    return s(
      "g",
      { class: row.step < at ? "pass" : "pass future", onclick: () => go((row.end ?? row.step) + 1) },
      s("title", {}, passText(row, place + 1 + found.length - shown.length, isKnown)),
      s("rect", { x: 0, y, width: WIDE, height: ROW, class: "ground" }),
      s("rect", {
        x: x(from),
        y: y + 3,
        width: Math.max(2, x(to) - x(from)),
        height: ROW - 6,
        class: "range",
      }),
      guess !== undefined && s("line", { x1: x(guess), x2: x(guess), y1: y, y2: y + ROW, class: "guess" }),
    );
  });
  const now = rows.findLast((row) => row.step < at);
  const words = now ? passText(now, rows.indexOf(now) + 1 + found.length - shown.length, now.end < at) : "";
  return h(
    "div",
    { class: "passes" },
    h("h3", {}, t("Passes: the bounds close in")),
    s("svg", { viewBox: `0 0 ${WIDE} ${rows.length * ROW}`, role: "img", "aria-label": words }, bars),
    h("p", { class: "small" }, words),
  );
}

function passText({ alpha, beta, value, bound, after }, place, isKnown) {
  const window = `(${end(alpha, "−∞")}, ${end(beta, "+∞")})`;
  if (!isKnown) return t("Pass {0}: window {1}", place, window);
  const sign = { lower: "≥", upper: "≤" }[bound] ?? "=";
  const [low, high] = after.map((end) => (Number.isFinite(end) ? number(end) : end > 0 ? "+∞" : "−∞"));
  return t(
    "Pass {0}: window {1}, value {2}; now between {3} and {4}",
    place,
    window,
    `${sign} ${number(value)}`,
    low,
    high,
  );
}

// ---- UCT: why this child ----------------------------------------------------------------------------
function choice(trace, at) {
  const step = at - 1;
  const { exploration } = trace.record;
  if (exploration == null || step < 0 || trace.kindOf(step) !== "select") return null;
  const node = trace.array.node[step];
  const known = (one) => Object.fromEntries(factsOf(trace, one, at));
  const all = known(node).visits ?? 0;
  const sign = trace.array.player[node] === 1 ? -1 : 1;
  const next = step + 1 < trace.steps ? trace.array.node[step + 1] : -1;
  const rows = trace.children(node).map((child) => {
    const { visits = 0, mean = 0 } = known(child);
    const bonus = visits ? exploration * Math.sqrt(Math.log(all) / visits) : Infinity;
    return { child, visits, mean: sign * mean, bonus, sum: sign * mean + bonus };
  });
  const chosen = rows.find(({ child }) => child === next || isBelow(trace, next, child));
  if (!chosen) return null;
  const isBest = rows.every(({ visits, mean }) => !visits || mean <= chosen.mean);
  const why = !chosen.visits
    ? t("It has no visits yet, so it comes first.")
    : isBest
      ? t("Its mean is the highest: exploitation won.")
      : t("Its bonus is what made it the highest: exploration won.");
  const cell = (value) => (Number.isFinite(value) ? number(value) : "∞");
  return h(
    "div",
    { class: "choice" },
    h("h3", {}, t("The choice: mean + c · √(ln N / n), N = {0}", count(all))),
    table(
      "numbers",
      [t("Move"), "n", t("mean"), t("bonus"), t("sum")],
      rows.map(({ child, visits, mean, bonus, sum }) => [
        h("th", { scope: "row", class: child === chosen.child ? "chosen" : "" }, trace.action(child)),
        count(visits),
        visits ? number(mean) : "–",
        cell(bonus),
        cell(sum),
      ]),
    ),
    h("p", { class: "small" }, why),
  );
}

function isBelow(trace, node, above) {
  return node > above && node < above + trace.array.size[above];
}

/** Return the facts of a node by their English names. */
function factsOf(trace, node, at) {
  const { fact, fact_from: from, fact_value: value } = trace.array;
  for (let k = trace.stepsFrom[node + 1] - 1; k >= trace.stepsFrom[node]; k--) {
    const step = trace.stepsOf[k];
    if (step >= at || from[step] === from[step + 1]) continue;
    const found = [];
    for (let f = from[step]; f < from[step + 1]; f++) found.push([trace.fact_names[fact[f]], value[f]]);
    return found;
  }
  return [];
}

// ---- CFR: what an information set has missed ---------------------------------------------------------
function regrets(trace, at) {
  const step = at - 1;
  if (step < 0 || !["regret", "average"].includes(trace.kindOf(step))) return null;
  const above = trace.array.parent[trace.array.node[step]];
  const cell = (value, isShare) =>
    value === undefined ? "–" : isShare ? `${Math.round(100 * value)} %` : number(value);
  const rows = trace.children(above).map((child) => {
    const { regret, policy, average } = allFacts(trace, child, at);
    const now = child === trace.array.node[step] ? "chosen" : "";
    return [
      h("th", { scope: "row", class: now }, trace.action(child)),
      cell(regret),
      cell(policy, true),
      cell(average, true),
    ];
  });
  return h(
    "div",
    { class: "choice" },
    h("h3", {}, t("Regrets: what each action would have won more")),
    table("numbers", [t("Move"), t("regret"), t("next"), t("average")], rows),
    h("p", { class: "small" }, t("The next policy is in proportion to the regrets above 0.")),
  );
}

/** Return the last value of each fact of a node, by their English names. */
function allFacts(trace, node, at) {
  const { fact, fact_from: from, fact_value: value } = trace.array;
  const found = {};
  for (let k = trace.stepsFrom[node]; k < trace.stepsFrom[node + 1] && trace.stepsOf[k] < at; k++) {
    const step = trace.stepsOf[k];
    for (let f = from[step]; f < from[step + 1]; f++) found[trace.fact_names[fact[f]]] = value[f];
  }
  return found;
}

// ---- best-first searches: what is open ---------------------------------------------------------------
function openList(trace, at) {
  if (!trace.kinds.includes("close") || !trace.array.kind.includes(trace.kinds.indexOf("close"))) return null;
  const known = new Map(); // of each state: the node of the cheapest way to it
  for (let node = 0; node < trace.nodes; node++) {
    const step = trace.lastStep(node, at);
    if (step < 0) continue;
    const each = [node, Object.fromEntries(factsOf(trace, node, at)), trace.kindOf(step)];
    const name = trace.label(node) || trace.name(node);
    if (!(known.get(name)?.[1].g <= each[1].g)) known.set(name, each);
  }
  const open = [...known.values()].filter(([, , kind]) => kind === "open");
  open.sort(([, a], [, b]) => (a.f ?? 0) - (b.f ?? 0));
  const rows = open
    .slice(0, MOST_OPEN)
    .map(([node, { f, g, h: rest }]) => [
      trace.label(node) || trace.name(node),
      number(f),
      number(g),
      number(rest),
    ]);
  return h(
    "div",
    {},
    h("h3", {}, t("Open list: {0}", count(open.length))),
    table("numbers", [t("State"), "f", "g", "h"], rows),
  );
}

// ---- the legend -------------------------------------------------------------------------------------
function legend() {
  const shape = (css, path) =>
    s("svg", { viewBox: "0 0 24 20", class: `shape ${css}`, "aria-hidden": "true" }, path);
  const line = (css) => shape(css, s("line", { x1: 1, x2: 23, y1: 10, y2: 10 }));
  const rows = [
    [shape("max", s("path", { d: "M12 1 23 19H1z" })), t("MAX moves: the highest value")],
    [shape("min", s("path", { d: "M12 19 23 1H1z" })), t("MIN moves: the lowest value")],
    [
      shape("chance", s("circle", { cx: 12, cy: 10, r: 9 })),
      t("Chance: the average, by the probabilities at the edges"),
    ],
    [shape("leaf", s("rect", { x: 2, y: 3, width: 20, height: 14, rx: 2 })), t("A leaf and its value")],
    [line("now"), t("The way to the current node")],
    [line("principal"), t("The best line, at the end")],
    [line("gone"), t("Cut off: the search never goes there")],
    [h("b", {}, "≥ 3"), t("The value is at least 3: `≤` at most, `=` exactly")],
    [h("b", { class: "badge" }, "2"), t("The second conclusion, in the list of conclusions")],
  ];
  return h(
    "ul",
    {},
    rows.map(([sign, words]) => h("li", {}, sign, h("span", {}, prose(words)))),
  );
}
