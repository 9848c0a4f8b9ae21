"use strict";
// Replays the steps of a search on the tree above. State k is what was known after k steps; it is always worked
// out from the beginning, so that going back is as simple as going on.
(() => {
  const { items, steps, words } = JSON.parse(document.getElementById("record").textContent);
  if (!items.length) return;
  const t = (text, ...given) => words[text].replace(/\{(\d)\}/g, (_, place) => given[place]);
  const $ = (id) => document.getElementById(id);
  const nodes = items.map((_, i) => $(`n${i}`));
  const edges = items.map((_, i) => $(`e${i}`));
  const list = document.querySelector("ol");
  const below = items.map(() => []);
  items.forEach((item, i) => {
    if (item.parent !== null) below[item.parent].push(i);
  });
  const cells = [...document.querySelectorAll("g[data-cell]")];
  let at = 0,
    picked = null,
    timer = null,
    isSized = false,
    state = [];

  function apply(state, step) {
    const here = state[step.item];
    here.seen = true;
    if (step.order) {
      Object.assign(here, { order: step.order, open: true, dropped: false });
      for (const child of below[step.item]) state[child].dropped = false;
    }
    if (step.value !== undefined) here.value = step.value;
    if (step.window) here.window = step.window;
    if (step.kind === "leave" || step.kind === "leaf" || step.kind === "hidden") here.open = false;
    for (const child of step.cut || []) state[child].dropped = true;
  }

  function stateAfter(k) {
    const state = items.map(() => ({
      order: 0,
      value: "",
      window: "",
      seen: false,
      open: false,
      dropped: false,
    }));
    for (const step of steps.slice(0, k)) apply(state, step);
    items.forEach((item, i) => {
      if (item.parent !== null && state[item.parent].dropped) state[i].dropped = true;
    });
    return state;
  }

  const say = (element, words) => {
    if (element && element.textContent !== words) element.textContent = words;
  };

  function paintNode(i, now) {
    const one = state[i];
    for (const group of [nodes[i], edges[i]]) {
      if (!group) continue;
      group.classList.toggle("dropped", one.dropped);
      group.classList.toggle("future", !one.seen && !one.dropped);
      group.classList.toggle("open", one.open);
      group.classList.toggle("now", i === now);
      group.classList.toggle("picked", i === picked);
      group.classList.toggle("line", Boolean(items[i].line) && at === steps.length);
      for (const mark of group.querySelectorAll(".snip, .greek")) mark.classList.toggle("off", !one.dropped);
    }
    const part = (name) => nodes[i].querySelector(`:scope > .${name}`);
    say(part("value"), [items[i].caption, one.value].filter(Boolean).join(" "));
    say(part("visit"), one.order ? `#${one.order} ${one.window}` : "");
    if (items[i].leaf) {
      say(part("inside"), one.value.replace("= ", "") || items[i].label);
      say(part("below"), one.order ? `#${one.order}` : "");
    }
    const hasCut = below[i].some((child) => state[child].dropped);
    for (const why of nodes[i].querySelectorAll(".why")) why.classList.toggle("off", !hasCut);
  }

  function paintCells() {
    const last = new Map(
      steps
        .slice(0, at)
        .filter((step) => step.cell !== undefined)
        .map((step) => [step.cell, step]),
    );
    cells.forEach((group, cell) => {
      const step = last.get(cell),
        facts = step?.facts;
      for (const kind of ["open", "close", "path"])
        group.classList.toggle(kind, Boolean(step) && step.kind === kind);
      const hasAll = facts && "f" in facts && "g" in facts && "h" in facts;
      const [f, g, h] = hasAll
        ? [facts.f, facts.g, facts.h].map((number) => Math.round(10 * number) / 10)
        : [];
      say(group.querySelector(".f"), hasAll ? String(f) : "");
      say(group.querySelector(".gh"), hasAll ? `${g}+${h}` : "");
    });
  }

  function paint() {
    state = stateAfter(at);
    paintCells();
    const step = at ? steps[at - 1] : null;
    const now = step ? step.item : 0;
    items.forEach((_, i) => {
      paintNode(i, step ? now : -1);
    });
    const known = Math.max(0, ...steps.slice(0, at).map((s) => s.conclusion || 0));
    for (const mark of document.querySelectorAll("#pane .badge")) {
      const its = Number(mark.dataset.conclusion);
      mark.classList.toggle("off", its > known || (its === 0 && at < steps.length));
    }
    for (const line of list.children) {
      const isFuture = Number(line.dataset.step) > at;
      line.classList.toggle("future", isFuture);
      if (!isFuture) list.scrollTop = line.offsetTop - list.offsetTop - list.clientHeight / 2;
    }
    say($("sentence"), step ? step.text : t("The search has not begun. Step on with the right arrow key."));
    say($("count"), t("step {0} of {1}", at, steps.length));
    ["visited", "evaluated", "cuts"].forEach((id, k) => {
      say($(id), String(step ? step.counts[k] : 0));
    });
    $("slider").value = at;
    describe(picked === null ? now : picked);
    reveal(nodes[now]);
  }

  function describe(i) {
    const path = [];
    for (let k = i; k !== null && items[k].parent !== null; k = items[k].parent)
      path.unshift(items[k].action);
    const one = state[i];
    say(
      $("who"),
      [items[i].name, path.length ? t("after {0}", path.join(" ")) : ""].filter(Boolean).join(", "),
    );
    say($("window"), one.window || t("not entered yet"));
    say($("best"), one.value || t("none yet"));
    say($("reason"), one.dropped ? items[i].reason || t("inside a pruned branch") : "");
    say($("board"), items[i].board);
  }

  function reveal(node) {
    const pane = $("pane"),
      box = node.getBoundingClientRect(),
      frame = pane.getBoundingClientRect();
    const away = (low, high, from, to) =>
      low < from + 20 || high > to - 20 ? (low + high - from - to) / 2 : 0;
    pane.scrollLeft += away(box.left, box.right, frame.left, frame.right);
    pane.scrollTop += away(box.top, box.bottom, frame.top, frame.bottom);
  }

  function go(k, keep) {
    at = Math.min(steps.length, Math.max(0, k));
    if (!keep) picked = null;
    paint();
    try {
      history.replaceState(null, "", `#step=${at}`);
    } catch {
      /* a framed page may not write its address */
    }
  }

  function goToCut(way) {
    for (let k = at + way; k > 0 && k <= steps.length; k += way)
      if (steps[k - 1].kind === "cut") return go(k);
    go(way > 0 ? steps.length : 0);
  }

  function play(on) {
    clearInterval(timer);
    timer = null;
    if (on && at === steps.length) go(0);
    if (on)
      timer = setInterval(() => (at < steps.length ? go(at + 1) : play(false)), Number($("speed").value));
    $("play").textContent = on ? t("❚❚ Pause") : t("▶ Play");
    $("sentence").setAttribute("aria-live", on ? "off" : "polite");
  }

  const acts = {
    first: () => go(0),
    back: () => go(at - 1),
    next: () => go(at + 1),
    last: () => go(steps.length),
    before: () => goToCut(-1),
    after: () => goToCut(1),
    fit: () => $("pane").classList.toggle("fit"),
  };
  for (const id of Object.keys(acts)) {
    $(id).addEventListener("click", () => {
      if (id !== "fit") play(false);
      acts[id]();
    });
  }
  $("play").addEventListener("click", () => play(timer === null));
  $("speed").addEventListener("change", () => {
    if (timer !== null) play(true);
  });
  $("slider").addEventListener("input", (event) => {
    play(false);
    go(Number(event.target.value));
  });
  list.addEventListener("click", (event) => {
    const line = event.target.closest("li[data-step]");
    if (line) {
      play(false);
      go(Number(line.dataset.step));
    }
  });
  $("pane").addEventListener("click", (event) => {
    const group = event.target.closest("g[id]");
    picked = group ? Number(group.id.slice(1)) : null;
    go(at, true);
  });

  const keys = {
    ArrowLeft: "back",
    ArrowRight: "next",
    ArrowUp: "before",
    ArrowDown: "after",
    Home: "first",
    End: "last",
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
    if (event.key === " " && event.target.tagName !== "BUTTON") play(timer === null);
    else if (keys[event.key]) {
      play(false);
      acts[keys[event.key]]();
    } else return;
    event.preventDefault();
  });

  const fromAddress = () => go(Number((/step=(\d+)/.exec(location.hash) || [0, 0])[1]));
  window.addEventListener("hashchange", fromAddress);
  $("slider").max = steps.length;
  const wide = Number($("pane").querySelector("svg.live").getAttribute("width"));
  new ResizeObserver(([{ target }]) => {
    // a framed page gets its size after this script
    const scale = target.clientWidth / wide;
    if (!isSized) target.classList.toggle("fit", scale < 1 && scale >= 0.65);
    isSized = target.clientWidth > 0;
    paint();
  }).observe($("pane"));
  fromAddress();
})();
