// Which pseudo-code belongs to a watched search with its options, and which of its lines a step stands for.

/** Return the pseudo-code of an algorithm with its options: that of a form, or the one with optimisations. */
export function lectureOf(all, { algorithm, options }) {
  const form = Object.entries(options).find((pair) => all[`${algorithm}:${pair.join("=")}`]);
  if (form) return all[`${algorithm}:${form.join("=")}`];
  const more = all[`${algorithm}+`];
  const isOptimised = more && Object.keys(options).some((name) => marginsOf(more).includes(name));
  return isOptimised ? more : all[algorithm];
}

const marginsOf = ({ code, margin = 0 }) => code.split("\n").map((line) => line.slice(0, margin).trim());

/** Return the lines of a pseudo-code with their places, without those of options that are off. */
export function linesOf(lecture, options) {
  const { code, margin = 0 } = lecture;
  const margins = marginsOf(lecture);
  return code
    .split("\n")
    .map((text, place) => [place, text.slice(margin)])
    .filter(([place]) => !margins[place] || margins[place] in options);
}

/** Return the line of the pseudo-code that the last step stands for, of those that are shown; -1: none. */
export function markOf(trace, at, marks, shown) {
  const step = at - 1;
  if (step < 0) return -1;
  const node = trace.array.node[step];
  const { alpha, beta } = trace.array;
  const isLeaf = trace.isLeaf(node);
  const kind = isLeaf && trace.kindOf(step) === "leave" && "leaf" in marks ? "leaf" : trace.kindOf(step);
  const isTest = beta[step] - alpha[step] <= 1;
  const shape = node === 0 ? "root" : trace.shape(node);
  const side = sideOf(trace, step);
  const names = [`${kind} ${shape} ${side}`, `${kind} ${shape}`, `${kind} ${trace.shape(node)}`];
  if (isTest) names.push(`${kind} test`);
  else if (isAgain(trace, step)) names.push(`${kind} again`);
  const found = marks[[...names, kind].find((name) => name in marks)] ?? -1;
  return Array.isArray(found) ? (found.find((line) => shown.has(line)) ?? -1) : found;
}

/** Return whether a step enters a node for the second time, which is not the first of its parent. */
function isAgain(trace, step) {
  const node = trace.array.node[step];
  const isFirst = node === 0 || trace.array.parent[node] === node - 1;
  return !isFirst && trace.array.order[step] > 0 && trace.lastStep(node, step) >= 0;
}

/** Return whether a value fell out of its window: "lower" is a bound from below, "upper" one from above. */
export function sideOf(trace, step) {
  const { alpha, beta, value } = trace.array;
  return value[step] <= alpha[step] ? "upper" : value[step] >= beta[step] ? "lower" : "";
}
