// Pickers of a game with its parameters, of a player, and of an algorithm with its limits and options.
// Each is an element with a `value` that sends the event "change". A player is written as on the command line:
// person, level:4, random, pvs:depth=8,seconds=2

import { h, prose, put, toast } from "./dom.js";
import { joinGame, learn, splitGame } from "./match.js";
import { Lost } from "./server.js";
import { t } from "./words.js";

const LIMITS = ["depth", "seconds", "nodes", "threads"];

/** Convert a text to a number; a text that is none stays, and the server says so. */
const toNumber = (text) => (text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text);

const USUAL_LEVEL = "level:3";

/** Return who plays against a person, if nobody is chosen. */
export const usualPlayer = ({ algorithms, hidden }) =>
  algorithms.length ? USUAL_LEVEL : hidden ? "random" : "greedy";

/** Adapt seats to the players of a game, and replace algorithms that do not fit it. */
export function fitSeats(seats, game, catalogue) {
  const { players, algorithms } = game;
  const usual = usualPlayer(game);
  return Array.from({ length: players }, (_, side) => seats[side] ?? (side ? usual : "person")).map(
    (seat) => {
      const { algorithm, level } = readPlayer(seat) ?? {};
      const isUnfit = algorithm && catalogue.algorithms.some(({ name }) => name === algorithm);
      return (level && !algorithms.length) || (isUnfit && !algorithms.includes(algorithm)) ? usual : seat;
    },
  );
}

/** Convert the text of a player to the form that the server reads; null is a person. */
export function readPlayer(text) {
  const [name, given = ""] = text.split(/:(.*)/s);
  if (name === "person") return null;
  if (name === "level") return { level: toNumber(given) };
  if (name === "random" || name === "greedy") return { name };
  const pairs = given
    .split(",")
    .filter(Boolean)
    .map((pair) => pair.split(/=(.*)/s))
    .map(([key, value = ""]) => [key, value]);
  const limits = pairs.filter(([key]) => LIMITS.includes(key)).map(([key, value]) => [key, toNumber(value)]);
  const options = pairs.filter(([key]) => !LIMITS.includes(key));
  return { algorithm: name, ...Object.fromEntries(limits), options: Object.fromEntries(options) };
}

function writePlayer(algorithm, given) {
  const pairs = Object.entries(given).filter(([, value]) => value !== "" && value != null);
  return algorithm + (pairs.length ? `:${pairs.map((pair) => pair.join("=")).join(",")}` : "");
}

export function playerName(text, catalogue) {
  const player = readPlayer(text);
  if (!player) return t("Person");
  if (player.level) return catalogue.levels[player.level - 1]?.title ?? t("Level {0}", player.level);
  if (player.name) return player.name === "random" ? t("Random moves") : t("Greedy");
  return player.algorithm;
}

const accepted = new Set(); // games and players that the server has checked

/** Return players of an address or a store, with `usual` for each that the server refuses. */
export const checkPlayers = (game, texts, usual, asker) =>
  Promise.all(
    texts.map(async (text) => {
      const player = readPlayer(text);
      const key = `${game}\n${text}`;
      if (!player || accepted.has(key)) return text;
      try {
        await asker.ask("check", { game, player });
        accepted.add(key);
        return text;
      } catch (problem) {
        if (problem instanceof Lost) throw problem;
        toast(problem.message, true);
        return usual;
      }
    }),
  );

class Picker extends HTMLElement {
  emit() {
    this.dispatchEvent(new CustomEvent("choose", { bubbles: true }));
  }
}

/** <g-game>: a picker of a game and its parameters. */
class GamePicker extends Picker {
  show(games, value) {
    const [name, given] = splitGame(value);
    const game = games.find((each) => each.name === name) ?? games[0];
    this.games = games;
    const select = h(
      "select",
      { value: game.name, onchange: () => this.#pick(select.value, {}) },
      games.map((each) => h("option", { value: each.name }, each.title)),
    );
    this.inputs = game.parameters.map((each) => this.#input(each, given[each.name] ?? each.default));
    const apply = () =>
      this.#pick(game.name, Object.fromEntries(this.inputs.map(({ name, read }) => [name, read()])));
    put(
      this,
      h("label", {}, h("span", {}, t("Game")), select),
      h("p", { class: "small muted about" }, prose(game.about)),
      this.inputs.length
        ? h(
            "details",
            { open: Object.keys(given).length > 0, class: "parameters" },
            h("summary", {}, t("Parameters")),
            h(
              "div",
              { class: "fields", onchange: apply },
              this.inputs.map(({ field }) => field),
            ),
          )
        : null,
    );
  }

  #input({ name, default: usual }, value) {
    if (typeof usual === "boolean") {
      const box = h("input", { type: "checkbox", checked: String(value) === "true" });
      return { name, read: () => box.checked, field: h("label", { class: "check" }, box, name) };
    }
    const input = h("input", { type: typeof usual === "number" ? "number" : "text", value: String(value) });
    return {
      name,
      read: () => input.value.trim() || usual,
      field: h("label", {}, h("span", {}, name), input),
    };
  }

  async #pick(name, given) {
    const value = joinGame(
      this.games.find((each) => each.name === name),
      given,
    );
    this.value = value;
    await learn(value);
    if (this.value === value) this.emit();
  }
}

/** <g-algorithm>: a picker of an algorithm, its limits and options, written as a player. */
class AlgorithmPicker extends Picker {
  /** Show an algorithm. `limits` names the fields to show. */
  show(catalogue, names, value, limits = LIMITS, label = t("Algorithm")) {
    const { algorithm: named, options = {}, ...held } = readPlayer(value) ?? {};
    const name = names.includes(named) ? named : names[0];
    const algorithm = catalogue.algorithms.find((each) => each.name === name);
    if (!algorithm) return put(this, h("p", { class: "small muted" }, t("No algorithm fits this game.")));
    const given = { ...held, ...options };
    const change = (key, text) => {
      given[key] = text;
      this.value = writePlayer(name, given);
      this.emit();
    };
    const select = h(
      "select",
      {
        value: name,
        "aria-label": label,
        onchange: () => {
          const kept = Object.fromEntries(Object.entries(held).filter(([key]) => limits.includes(key)));
          this.value = writePlayer(select.value, kept);
          this.emit();
        },
      },
      names.map((each) => h("option", { value: each }, each)),
    );
    const chosen = Object.keys(options).length;
    const isOpen = this.querySelector("details")?.open && this.shown === name;
    this.shown = name;
    put(
      this,
      h("label", {}, h("span", {}, label), select),
      h("p", { class: "small muted about" }, prose(algorithm.summary)),
      limits.length
        ? h(
            "div",
            { class: "fields" },
            limits
              .filter((key) => key !== "threads" || algorithm.shares)
              .map((key) => this.#limit(key, given, catalogue.most, change)),
          )
        : null,
      algorithm.options.length
        ? h(
            "details",
            { open: isOpen || false },
            h("summary", {}, chosen ? t("Options ({0} changed)", chosen) : t("Options")),
            h(
              "div",
              { class: "options" },
              algorithm.options.map((option) => this.#option(option, given, change)),
            ),
          )
        : null,
    );
  }

  #limit(key, given, most, change) {
    const name = { depth: t("Depth"), seconds: t("Seconds"), nodes: t("Nodes"), threads: t("Threads") }[key];
    const input = h("input", {
      type: "number",
      min: key === "seconds" ? "0.05" : "1",
      step: key === "seconds" ? "any" : "1",
      max: most?.[key],
      value: given[key] ?? "",
      placeholder: "–",
      onchange: () => change(key, input.value),
    });
    return h("label", {}, h("span", {}, name), input);
  }

  #option(option, given, change) {
    const { name, default: usual, about, accepted, low, high, choices } = option;
    const value = given[name] ?? usual;
    let input;
    if (typeof usual === "boolean") {
      input = h("input", {
        type: "checkbox",
        checked: String(value) === "true",
        onchange: () => change(name, input.checked === usual ? "" : input.checked),
      });
    } else if (choices?.length) {
      input = h(
        "select",
        { value, onchange: () => change(name, input.value === usual ? "" : input.value) },
        choices.map((each) => h("option", { value: each }, each)),
      );
    } else {
      input = h("input", {
        type: typeof usual === "number" ? "number" : "text",
        step: "any",
        min: low,
        max: high,
        value: String(value),
        onchange: () => change(name, input.value === String(usual) ? "" : input.value),
      });
    }
    return h(
      "label",
      { class: "option", title: accepted ?? "" },
      h("span", { class: "mono" }, name),
      input,
      h("span", { class: "small muted" }, prose(about)),
    );
  }
}

/** <g-player>: a picker of a player: a person, a level, or an algorithm. */
class PlayerPicker extends Picker {
  /** Show the player of a side. `label` is the name of the side. */
  show(catalogue, game, value, label) {
    const player = readPlayer(value);
    const kind = player?.algorithm ? "algorithm" : value;
    const select = h(
      "select",
      {
        value: kind,
        "aria-label": label,
        onchange: () => {
          this.value = select.value === "algorithm" ? `${usualAlgorithm(game)}:seconds=1` : select.value;
          this.emit();
        },
      },
      h("option", { value: "person" }, t("Person")),
      game.algorithms.length
        ? h(
            "optgroup",
            { label: t("Levels") },
            catalogue.levels.map(({ title }, place) =>
              h("option", { value: `level:${place + 1}` }, `${place + 1} · ${title}`),
            ),
          )
        : null,
      h(
        "optgroup",
        { label: t("Others") },
        game.algorithms.length ? h("option", { value: "algorithm" }, t("Algorithm…")) : null,
        game.hidden ? null : h("option", { value: "greedy" }, t("Greedy")),
        h("option", { value: "random" }, t("Random moves")),
      ),
    );
    let detail = null;
    if (kind === "algorithm") {
      detail =
        this.querySelector("g-algorithm") ??
        h("g-algorithm", {
          onchoose: (event) => {
            event.stopPropagation();
            this.value = detail.value;
            this.emit();
          },
        });
      detail.show(catalogue, game.algorithms, value);
    }
    put(this, select, detail);
  }
}

export const usualAlgorithm = (game) => game.strongest;

customElements.define("g-game", GamePicker);
customElements.define("g-algorithm", AlgorithmPicker);
customElements.define("g-player", PlayerPicker);
