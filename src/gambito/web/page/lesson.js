// The panels beside the tree of a search: its counters, the selected node, the numbered conclusions.

import { h, rowHead, table } from "./dom.js";
import { number } from "./trace.js";
import { count, say, t } from "./words.js";

const AROUND = 16; // conclusions shown on each side of the last one
const HISTORY = 8; // steps of a node that are listed

export function kindName(trace, kind) {
  const known = {
    enter: t("Enter"),
    leaf: t("Leaf"),
    alpha: t("α rises"),
    beta: t("β falls"),
    value: t("Value"),
    bounds: t("Bounds"),
    cut: t("Cut-off"),
    leave: t("Leave"),
    note: t("Table"),
    select: t("Selection"),
    expand: t("Expansion"),
    simulate: t("Simulation"),
    backup: t("Backup"),
    open: t("Open"),
    close: t("Close"),
    path: t("Path"),
  };
  const title = trace.record.titles[kind];
  return title ? say([title]) : (known[kind] ?? kind);
}

/** Return the counters of each search, beside those of the plain search that fits the game, if one does. */
export function counters(panes, isFit, hasChance) {
  const hasVisits = panes.some(({ trace }) => trace.hasVisits);
  const isMinimax = isFit && hasVisits;
  const isSimulated = panes.every(({ trace }) => trace.isSimulated);
  const rows = [
    [isSimulated ? t("Simulations") : t("Visited"), 0, "visited", "nodes"],
    [t("Evaluated"), 1, "evaluations", "evaluations"],
    [t("Cut-offs"), 2, "cutoffs", ""],
  ].slice(0, hasVisits ? 3 : 1);
  const isOne = panes.length === 1;
  const plain = isMinimax && panes[0].trace.record.minimax;
  const cell = ({ trace, at }, which, name, most) => {
    const whole = trace.record[name];
    const isDone = at === trace.steps;
    const now = isDone || !trace.hasCounts ? whole : trace.counts[which][at];
    const share = most ? now / Math.max(1, most) : 0;
    return h(
      "td",
      {},
      h("strong", {}, count(now)),
      isDone || !isOne ? null : h("span", { class: "muted" }, ` / ${count(whole)}`),
      most ? meter(share) : null,
    );
  };
  const ofPlain = (of) => (of ? (plain ? count(plain[of]) : unknown(plain)) : "0");
  return table(
    "tally",
    [
      "",
      ...panes.map(({ trace }) => (isOne ? t("This search") : trace.record.algorithm)),
      isMinimax ? (hasChance ? t("Plain expectiminimax") : t("Plain minimax")) : null,
    ],
    rows.map(([title, which, name, of]) => [
      rowHead(title),
      ...panes.map((pane) => cell(pane, which, name, of && plain?.[of])),
      isMinimax ? h("td", { class: "muted" }, ofPlain(of)) : null,
    ]),
  );
}

/** Stand for the cost of a plain search that is not known: it takes too long, or its answer is not there yet. */
const unknown = (plain) =>
  plain === null ? h("abbr", { title: t("It did not end within two seconds.") }, "…") : "";

function meter(share) {
  const part = h("i");
  part.style.width = `${Math.min(100, 100 * share).toFixed(1)}%`;
  return h("span", { class: "meter", title: t("{0} % of plain minimax", Math.round(100 * share)) }, part);
}

/** Describe how many evaluations fewer than minimax a search needed for the same value. */
export function saving({ trace }) {
  const { minimax, evaluations, value } = trace.record;
  if (!minimax?.evaluations || minimax.value !== value) return "";
  const part = Math.round(100 * (1 - evaluations / minimax.evaluations));
  return part > 0 ? t("{0} % fewer evaluations than plain minimax", part) : "";
}

export function inShort(trace, node, at, isWedge) {
  const step = trace.lastStep(node, at);
  const lines = [`${trace.who(node)} ${trace.name(node)}${step >= 0 ? ` ${trace.value(step)}` : ""}`];
  if (step >= 0 && trace.windowed) lines.push(`${trace.interval} ${trace.window(step)}`);
  for (const [name, held] of trace.facts(node, at)) lines.push(`${name} ${number(held)}`);
  if (trace.isDropped(node, at)) lines.push(trace.why(node));
  else if (trace.isGone(node, at)) lines.push(t("inside a pruned branch"));
  if (isWedge) lines.push(t("{0} nodes; double click zooms in", count(trace.array.size[node])));
  return lines;
}

export function details(trace, node, at) {
  if (node < 0) return [h("p", { class: "muted" }, t("Select a node of the tree, or take a step."))];
  const step = trace.lastStep(node, at);
  const path = trace.path(node);
  const rows = [];
  const row = (title, ...value) => rows.push(h("div", {}, h("dt", {}, title), h("dd", {}, ...value)));
  if (step >= 0 && trace.windowed) row(trace.interval, trace.window(step));
  if (step >= 0 && trace.value(step))
    row(
      t("Value"),
      trace.value(step),
      trace.isFinal(step) ? "" : h("span", { class: "muted small" }, ` ${t("so far")}`),
    );
  for (const [name, held] of trace.facts(node, at)) row(name, number(held));
  const visits = stays(trace, node, at);
  if (visits) row(t("Visits"), count(visits));
  if (trace.array.size[node] > 1) row(t("Nodes below"), count(trace.array.size[node] - 1));
  const pruned = trace.isDropped(node, at)
    ? trace.why(node)
    : trace.isGone(node, at)
      ? t("inside a pruned branch")
      : "";
  return [
    h("h3", {}, `${trace.who(node)} ${trace.name(node)}`),
    path.length ? h("p", { class: "small muted" }, t("after {0}", path.join(" "))) : null,
    h("dl", { class: "known" }, rows),
    pruned ? h("p", { class: "pruned" }, t("Pruned: {0}", pruned)) : null,
    step < 0 && !pruned ? h("p", { class: "small muted" }, t("The search has not been here yet.")) : null,
    h("ol", { class: "history small" }, history(trace, node, at)),
  ].filter(Boolean);
}

function stays(trace, node, at) {
  let found = 0;
  for (let k = trace.stepsFrom[node]; k < trace.stepsFrom[node + 1] && trace.stepsOf[k] < at; k++)
    found += trace.array.order[trace.stepsOf[k]] > 0;
  return found;
}

function history(trace, node, at) {
  const steps = [];
  for (let k = trace.stepsFrom[node]; k < trace.stepsFrom[node + 1] && trace.stepsOf[k] < at; k++)
    steps.push(trace.stepsOf[k]);
  const shown = steps.slice(-HISTORY).map((step) => h("li", {}, trace.sentence(step)));
  return steps.length > HISTORY
    ? [h("li", { class: "muted" }, t("… {0} earlier steps", count(steps.length - HISTORY))), ...shown]
    : shown;
}

/** Return the numbered conclusions around the last one; `go` jumps to a step. */
export function conclusions(trace, at, go) {
  const all = trace.conclusionSteps;
  let known = 0;
  for (let low = 0, high = all.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (all[middle] < at) low = known = middle + 1;
    else high = middle;
  }
  const from = Math.max(0, known - AROUND);
  const to = Math.min(all.length, known + AROUND);
  const lines = [];
  if (from) lines.push(h("li", { class: "muted" }, t("… {0} earlier", count(from))));
  for (let k = from; k < to; k++) {
    const step = all[k];
    lines.push(
      h(
        "li",
        { class: k >= known ? "future" : k === known - 1 ? "last" : "" },
        h(
          "button",
          { type: "button", class: "quiet", onclick: () => go(step + 1) },
          h("b", { class: "number" }, String(trace.array.conclusion[step])),
          h("span", {}, `${trace.name(trace.array.node[step])}: ${trace.sentence(step)}`),
        ),
      ),
    );
  }
  if (to < all.length) lines.push(h("li", { class: "muted" }, t("… {0} more", count(all.length - to))));
  return lines;
}
