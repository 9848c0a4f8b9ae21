// The display of a running search: <g-bar>, the evaluation bar, and <g-thinking>, its counters and line.

import { h } from "./dom.js";
import { sideColours } from "./pieces.js";
import { readyBar } from "./ready.js";
import { inUnits, unitName } from "./values.js";
import { count, nameOf, seconds, signed, t } from "./words.js";

class EvaluationBar extends HTMLElement {
  connectedCallback() {
    if (this.firstChild) return;
    this.share = h("div", { class: "part" });
    this.append(this.share);
    this.setAttribute("role", "meter");
    this.setAttribute("aria-label", t("Evaluation"));
    this.setAttribute("aria-valuemin", "0");
    this.setAttribute("aria-valuemax", "100");
  }

  /** Show the share of a win for player 0, who is below unless the board is turned; null: not known. */
  show(expectation, { sides, board, opposed }, flip) {
    const colours = sideColours({ sides, board });
    this.hidden = !opposed; // one share tells both, if one wins what the other loses
    this.className = `${colours[1]} ${flip ? "turned" : ""} ${expectation == null ? "unknown" : ""}`;
    this.share.className = `part ${colours[0]}`;
    this.style.setProperty("--share", `${100 * (expectation ?? 0.5)}%`);
    this.setAttribute("aria-valuenow", String(Math.round(100 * (expectation ?? 0.5))));
    this.setAttribute(
      "aria-valuetext",
      expectation == null ? t("not known yet") : t("{0}: {1} %", sides[0], Math.round(100 * expectation)),
    );
    this.title = this.getAttribute("aria-valuetext");
  }
}

class Thinking extends HTMLElement {
  /** Show that the search has not begun: it waits, or its code is compiled. */
  wait(told) {
    this.replaceChildren(readyBar(told));
  }

  /** Show a result; `measure` is the unit of its values, `whose` the name of the side they are for. */
  show(found, measure = undefined, whose = "") {
    const name = unitName(measure) || t("Value");
    const facts = [
      [whose ? t("{0}, for {1}", name, whose) : name, valueText(found, measure)],
      [t("Depth"), found.depth ?? "–"],
      [t("Nodes"), count(found.nodes)],
      [t("Nodes/s"), count(found.nps)],
    ];
    this.replaceChildren(
      h(
        "dl",
        { class: "facts" },
        facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, String(value)))),
      ),
      found.line?.length ? lineOf(found.line) : "",
      found.ahead
        ? h("p", { class: "small muted" }, t("In plain Python, while the rules are compiled."))
        : "",
    );
  }
}

export function finalShare({ utilities }) {
  const [mine, theirs] = utilities ?? [0, 0];
  return mine > theirs ? 1 : mine < theirs ? 0 : 0.5;
}

export function valueText(found, measure = undefined) {
  const { value, low, high, exact, ends_in: endsIn } = found;
  const size = measure?.[1] ?? 1;
  if (value == null && low != null && high != null)
    return t("{0} to {1}", signed(low / size), signed(high / size));
  const end =
    endsIn != null && value ? ` · ${value > 0 ? t("wins in {0}", endsIn) : t("loses in {0}", endsIn)}` : "";
  return inUnits(found, measure) + (exact && !end ? ` · ${t("exact")}` : "") + end;
}

/** Return a line of moves, which can be clicked if `onMove` is given. */
export function lineOf(line, onMove) {
  const words = line.map((move, place) =>
    onMove
      ? h("button", { type: "button", class: "quiet word", onclick: () => onMove(place) }, nameOf(move))
      : h("span", { class: "word" }, nameOf(move)),
  );
  return h("p", { class: "line" }, words);
}

export const COUNTERS = [
  [() => t("Value"), (f) => valueText(f)],
  [() => t("Move"), (f) => f.line?.[0] ?? "–"],
  [() => t("Depth"), (f) => f.depth ?? "–"],
  [() => t("Nodes"), (f) => count(f.nodes)],
  [() => t("Evaluations"), (f) => count(f.evaluations)],
  [() => t("Time"), (f) => seconds(f.seconds)],
  [() => t("Nodes/s"), (f) => count(f.nps)],
];

customElements.define("g-bar", EvaluationBar);
customElements.define("g-thinking", Thinking);

/** Say what endgame tables know about a position, for the player to move. */
export function tableText({ table }) {
  if (!table) return "";
  const verdict = table.value > 0 ? t("won") : table.value < 0 ? t("lost") : t("drawn");
  const plies = table.plies == null ? "" : ` ${t("in {0} {0:ply|plies}", table.plies)}`;
  return ` · ${t("tables: {0}", verdict)}${plies}`;
}
