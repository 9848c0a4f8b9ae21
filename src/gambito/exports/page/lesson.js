// A tree whose leaves a reader changes. The module searches it at once, and what its watch has written is drawn here.

import { BYTES, DATA, WORDS } from "./data.js";

const [MAX_HIGH, LEAF_WIDE, LEVEL, TOP] = [26, 32, 78, 34];
const [ENTER, LEAVE, CUT] = [1, 2, 3];
const SVG = "http://www.w3.org/2000/svg";
const LEAVES = DATA.wide ** DATA.deep;
const FIRST = (LEAVES - 1) / (DATA.wide - 1);
const NODES = FIRST + LEAVES;
const words = WORDS[location.hash.slice(1)] ?? WORDS[navigator.language.slice(0, 2)] ?? WORDS.en;

const plyOf = (node) => (node === 0 ? 0 : 1 + plyOf(Math.floor((node - 1) / DATA.wide)));
const childrenOf = (node) => Array.from({ length: DATA.wide }, (_, action) => DATA.wide * node + 1 + action);
const signed = (value) =>
  Math.abs(value) >= DATA.infinity - 1000 ? (value > 0 ? "∞" : "−∞") : String(value).replace("-", "−");

async function unpack(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const made = (name, given, ...children) => {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(given)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};

/** Search the tree with these values; return the steps of the search. */
function search(calls, values) {
  const { buffer } = calls.memory;
  new Uint8Array(buffer, DATA.given, DATA.start.length).set(DATA.start);
  new BigInt64Array(buffer, DATA.values, LEAVES).set(values.map(BigInt));
  calls[DATA.entry]();
  const held = new BigInt64Array(buffer, DATA.events, 1 + DATA.step * DATA.most);
  return Array.from({ length: Number(held[0]) }, (_, number) => {
    const [kind, , node, one, other] = Array.from(
      held.subarray(1 + DATA.step * number, 1 + DATA.step * (number + 1)),
      Number,
    );
    return { kind, node, one, other };
  });
}

/** What is known of each node after so many steps: its window and value for MAX, and what was cut off. */
function replay(steps, count) {
  const nodes = Array.from({ length: NODES }, () => ({ visits: 0, window: null, value: null, isCut: false }));
  const open = [];
  for (const { kind, node, one, other } of steps.slice(0, count)) {
    const at = nodes[open.at(-1)];
    const isTurned = DATA.frame === "mover" && plyOf(kind === ENTER ? node : (open.at(-1) ?? 0)) % 2 === 1;
    if (kind === ENTER) {
      open.push(node);
      nodes[node].visits++;
      nodes[node].window = isTurned ? [-other, -one] : [one, other];
      nodes[node].value = null;
      nodes[node].isCut = false;
    } else if (kind === CUT) at.isCut = true;
    else if (kind === LEAVE) {
      at.value = isTurned ? -one : one;
      open.pop();
    }
  }
  return { nodes, now: open.at(-1) ?? -1, open };
}

/** Is a node cut off, or one above it? */
function isGone(nodes, node) {
  if (node === 0 || nodes[node].visits > 0) return false;
  const above = Math.floor((node - 1) / DATA.wide);
  return nodes[above].isCut || isGone(nodes, above);
}

function draw(svg, steps, count) {
  const { nodes, now, open } = replay(steps, count);
  const place = Array.from({ length: NODES }, () => ({ x: 0, y: 0 }));
  for (let node = NODES - 1; node >= 0; node--) {
    const below = node < FIRST ? childrenOf(node).map((child) => place[child].x) : [];
    place[node].x = node < FIRST ? (below[0] + below.at(-1)) / 2 : (node - FIRST + 0.5) * LEAF_WIDE;
    place[node].y = TOP + plyOf(node) * LEVEL;
  }
  const edges = place.slice(1).map(({ x, y }, before) => {
    const node = before + 1;
    const above = place[Math.floor((node - 1) / DATA.wide)];
    const css = isGone(nodes, node)
      ? "gone"
      : open.includes(node)
        ? "open"
        : nodes[node].visits
          ? "seen"
          : "";
    return made("line", { x1: above.x, y1: above.y + MAX_HIGH / 2, x2: x, y2: y - MAX_HIGH / 2, class: css });
  });
  const drawn = place.slice(0, FIRST).map(({ x, y }, node) => {
    const { visits, window, value } = nodes[node];
    const half = MAX_HIGH / 2;
    const [tip, base] = plyOf(node) % 2 === 0 ? [y - half, y + half] : [y + half, y - half];
    const css = node === now ? "now" : isGone(nodes, node) ? "gone" : visits ? "seen" : "";
    const shape = made("path", { d: `M${x} ${tip}L${x + half} ${base}H${x - half}Z`, class: css });
    const texts = [
      made("text", { x: x + half + 3, y: y + 1, class: "value" }, value === null ? "" : signed(value)),
    ];
    if (DATA.windowed && window && visits)
      texts.push(
        made("text", { x: x + half + 3, y: y + 14 }, `(${signed(window[0])}, ${signed(window[1])})`),
      );
    if (visits > 1) texts.push(made("text", { x: x - half - 3, y: y + 4, class: "again" }, `${visits}×`));
    return made("g", {}, shape, ...texts);
  });
  svg.replaceChildren(made("g", {}, ...edges), ...drawn);
  return nodes;
}

async function show() {
  const calls = (
    await WebAssembly.instantiate(await unpack(BYTES), { env: { gambito_now: () => performance.now() } })
  ).instance.exports;
  const [svg, leaves, slider, told] = ["tree", "leaves", "step", "told"].map((name) =>
    document.getElementById(name),
  );
  for (const element of document.querySelectorAll("[data-t]")) element.textContent = words[element.dataset.t];
  document.documentElement.lang = words.lang;
  svg.setAttribute("viewBox", `0 0 ${LEAVES * LEAF_WIDE} ${TOP + DATA.deep * LEVEL}`);
  let values = [...DATA.first];
  let steps = [];
  const inputs = values.map((value, number) => {
    const input = document.createElement("input");
    Object.assign(input, { type: "number", min: -99, max: 99, value });
    input.setAttribute("aria-label", words.leaf.replace("{0}", number + 1));
    input.addEventListener("input", () => {
      const given = Math.round(Number(input.value));
      values[number] = Math.max(-99, Math.min(99, Number.isFinite(given) ? given : 0));
      run();
    });
    return input;
  });
  leaves.append(...inputs);

  function paint() {
    const nodes = draw(svg, steps, Number(slider.value));
    const seen = nodes.filter(({ visits }) => visits);
    const visited = nodes.slice(FIRST).filter(({ visits }) => visits).length;
    const visits = nodes.reduce((sum, node) => sum + node.visits, 0);
    inputs.forEach((input, number) => {
      input.classList.toggle("unseen", nodes[FIRST + number].visits === 0);
      input.classList.toggle("gone", isGone(nodes, FIRST + number));
    });
    const value = nodes[0].value === null ? "…" : signed(nodes[0].value);
    told.textContent = [value, visited, LEAVES, seen.length, NODES, visits].reduce(
      (text, held, number) => text.replace(`{${number}}`, held),
      words.told,
    );
  }

  function run() {
    steps = search(calls, values);
    slider.max = steps.length;
    slider.value = steps.length;
    paint();
  }

  const put = (chosen) => {
    values = chosen;
    inputs.forEach((input, number) => {
      input.value = values[number];
    });
    run();
  };
  slider.addEventListener("input", paint);
  const move = (by) => {
    slider.value = Number(slider.value) + by;
    paint();
  };
  document.getElementById("back").addEventListener("click", () => move(-1));
  document.getElementById("on").addEventListener("click", () => move(1));
  document.getElementById("begin").addEventListener("click", () => move(-steps.length));
  document
    .getElementById("other")
    .addEventListener("click", () => put(values.map(() => Math.floor(10 * Math.random()))));
  document.getElementById("first").addEventListener("click", () => put([...DATA.first]));
  run();
}

show();
