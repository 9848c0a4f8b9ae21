// The search to watch: the game, the position, the depth, one algorithm or two.

import { readPlayer } from "./choose.js";
import { h, icon, toast } from "./dom.js";
import { gameOf, learn, match } from "./match.js";
import { deepest, presets, randomTree } from "./presets.js";
import { t } from "./words.js";

const TREE = "tree";
const FIRST = "alpha-beta";
const SECOND = "minimax";

export class QuestionForm {
  game = null; // as the catalogue describes it, or the server from the position on
  #said = { game: TREE, start: "", moves: [], depth: "", a: FIRST, b: "", boxes: false };
  #settled = 0;

  constructor(catalogue, changed) {
    this.catalogue = catalogue;
    this.changed = changed;
    this.picker = h("g-game", {
      onchoose: () => this.#set({ game: this.picker.value, start: "", moves: [], depth: "" }),
    });
    this.preset = h("select", { "aria-label": t("Examples"), onchange: () => this.#choosePreset() });
    this.position = h("input", {
      type: "text",
      spellcheck: "false",
      autocomplete: "off",
      onchange: () => this.#set({ start: this.position.value.trim(), moves: [] }),
    });
    this.depth = h("input", {
      type: "number",
      min: "1",
      max: catalogue.most.depth,
      placeholder: "–",
      onchange: () => this.#set({ depth: this.depth.value }),
    });
    this.first = h("g-algorithm", { onchoose: () => this.#set({ a: this.first.value }) });
    this.second = h("g-algorithm", { onchoose: () => this.#set({ b: this.second.value }) });
    this.compare = h("button", {
      type: "button",
      class: "compare",
      onclick: () => this.#set({ b: this.#said.b ? "" : this.#other() }),
    });
    this.misfit = h("p", { class: "misfit", role: "status", hidden: true });
    this.random = this.#randomForm();
    this.element = h(
      "section",
      { class: "panel question", "aria-label": t("Search settings") },
      this.picker,
      h(
        "div",
        { class: "field where" },
        h("label", {}, h("span", {}, t("Position")), this.position),
        this.preset,
      ),
      h("label", { class: "depth" }, h("span", {}, t("Depth")), this.depth),
      this.first,
      this.second,
      this.compare,
      this.misfit,
      this.random,
    );
  }

  // ---- the settings --------------------------------------------------------------------------------
  match() {
    const { game, start, moves } = this.#said;
    return { game, start, moves };
  }

  questions() {
    const { a, b, depth, boxes } = this.#said;
    return [a, b].filter(Boolean).map((text) => {
      const { algorithm, options } = readPlayer(text);
      const more = { ...(depth ? { depth: Number(depth) } : {}), ...(boxes ? { boxes } : {}) };
      return { ...this.match(), algorithm, options, ...more };
    });
  }

  link() {
    return { ...this.#said };
  }

  /** Take the settings from a link. Return whether they are still wanted when all is known about them. */
  async read(said) {
    const text = (name, usual) => said.text(name, usual);
    this.#said = {
      game: text("game", TREE),
      start: text("start"),
      moves: said.list("moves"),
      depth: String(said.whole("depth", 1, this.catalogue.most.depth, "")),
      a: text("a", ""),
      b: text("b", ""),
      boxes: text("boxes") === "1",
    };
    return await this.#settle(true);
  }

  showDepth(depth) {
    this.depth.placeholder = depth;
  }

  setPosition(start) {
    this.#set({ start, moves: [] });
  }

  get boxes() {
    return this.#said.boxes;
  }

  number(boxes) {
    this.#set({ boxes });
  }

  async #set(news) {
    Object.assign(this.#said, news);
    if (await this.#settle()) this.changed();
  }

  /** Show the settings once it is known which algorithms fit the position. Return false if the settings have
      changed meanwhile. */
  async #settle(isAsked = false) {
    const settled = ++this.#settled;
    const { games } = this.catalogue;
    const { game, start, moves } = this.#said;
    const isPlaced = gameOf(games, game).placed && (start || moves.length);
    const place = isPlaced ? { start, moves } : null;
    await learn(game, place);
    if (settled !== this.#settled) return false;
    this.game = gameOf(games, game, place);
    this.#show(isAsked);
    return true;
  }

  /** Say why an algorithm that was asked for is not shown; "" if it is. */
  #whyNot(name, usable) {
    if (!name || usable(name)) return "";
    const known = this.catalogue.algorithms.find((each) => each.name === name);
    if (!known) return t("There is no algorithm {0}.", name);
    const reason = this.game.misfits?.[name] ?? known.misfits[this.game.name];
    return reason ? `${reason}.` : t("{0} has nothing to watch.", name);
  }

  // ---- the fields ----------------------------------------------------------------------------------
  /** Show the settings. If they were asked for, by a link, say what of them does not fit. */
  #show(isAsked) {
    const said = this.#said;
    const { games } = this.catalogue;
    const names = this.catalogue.algorithms
      .filter((each) => each.traces !== false && this.game.algorithms.includes(each.name))
      .map((each) => each.name);
    const usable = (text) => names.includes(text.split(":")[0]);
    const why = isAsked ? [said.a, said.b].map((text) => this.#whyNot(text.split(":")[0], usable)) : [];
    this.misfit.textContent = why.filter(Boolean).join(" ");
    this.misfit.hidden = !this.misfit.textContent;
    if (!usable(said.a)) said.a = usable(this.game.lesson) ? this.game.lesson : (names[0] ?? "");
    if (said.b && !usable(said.b)) said.b = "";
    const isOpen = this.picker.querySelector("details")?.open ?? false;
    this.picker.show(games, said.game);
    this.picker.querySelector("details")?.toggleAttribute("open", isOpen);
    this.first.show(this.catalogue, names, said.a, [], t("Algorithm"));
    this.second.hidden = !said.b;
    if (said.b) this.second.show(this.catalogue, names, said.b, [], t("Compared with"));
    this.compare.replaceChildren(
      icon(said.b ? "close" : "plus"),
      said.b ? t("Stop comparing") : t("Compare two"),
    );
    this.position.value = said.start;
    this.position.placeholder = said.moves.length
      ? t("after {0}", said.moves.join(" "))
      : t("the first position");
    this.depth.value = said.depth;
    this.depth.placeholder = this.game.usual_depth ?? "3";
    this.#showPresets();
  }

  #showPresets() {
    const trees = this.game.name === TREE ? presets() : [];
    const option = (value, words) => h("option", { value }, words);
    this.preset.replaceChildren(
      option("", t("Examples…")),
      ...trees.map(([words, text]) => option(text, words)),
      ...(trees.length
        ? [option("random", t("A random tree…"))]
        : [option("first", t("The first position"))]),
      option("play", t("The position of the Play page")),
    );
    if (!trees.length) this.random.hidden = true;
    const shown = this.#said.start || (trees[0]?.[1] ?? "first");
    this.preset.value = [...this.preset.options].some(({ value }) => value === shown) ? shown : "";
  }

  async #choosePreset() {
    const chosen = this.preset.value;
    this.random.hidden = chosen !== "random";
    if (chosen === "random") this.random.querySelector("input").focus();
    else if (chosen === "first") this.#set({ start: "", moves: [] });
    else if (chosen === "play") await this.#takePlayed();
    else if (chosen) {
      const [, , a = this.#said.a, depth = ""] = presets().find(([, text]) => text === chosen);
      this.#set({ start: chosen, moves: [], depth, a });
    }
  }

  async #takePlayed() {
    try {
      const { text } = await match.view();
      this.#set({ game: match.game, start: text, moves: [], depth: "" });
    } catch (problem) {
      toast(problem.message, true);
    }
  }

  #other() {
    const first = this.#said.a.split(":")[0];
    const names = this.game.algorithms;
    return [SECOND, FIRST, ...names].find((name) => names.includes(name) && name !== first) ?? names[0];
  }

  #randomForm() {
    const field = (name, value, low, high) => {
      const input = h("input", { type: "number", value: String(value), min: low, max: high });
      return [input, h("label", {}, h("span", {}, name), input)];
    };
    const [branching, a] = field(t("Branches"), 3, 1, 50);
    const [depth, b] = field(t("Plies"), 3, 1, 14);
    const [highest, c] = field(t("Largest value"), 20, 1, 999);
    const make = () => {
      const wide = Math.max(1, Math.min(50, Number(branching.value) || 3));
      const deep = Math.max(1, Math.round(Number(depth.value)) || 3);
      if (deep > deepest(wide))
        return toast(t("With {0} branches, a tree has at most {1} plies.", wide, deepest(wide)), true);
      this.#set({
        game: TREE,
        start: randomTree(wide, deep, Math.max(1, Number(highest.value) || 20)),
        moves: [],
        depth: "",
      });
    };
    const form = h(
      "form",
      {
        class: "random fields",
        onsubmit: (event) => {
          event.preventDefault();
          make();
        },
      },
      a,
      b,
      c,
      h("button", { type: "submit" }, t("Make a tree")),
    );
    form.hidden = true;
    return form;
  }
}
