// The page of an exported game: a board to play on, an opponent, hints, and what it thinks.

import "./board.js";
import { readField } from "./core.js";
import { DATA } from "./data.js";
import { h, keep, put } from "./dom.js";
import { load } from "./inside.js";
import { LANGUAGES, nameOf, preferred, seconds, signed, speak, t } from "./words.js";

const LEVEL = 3; // at first
const PACE = 350; // milliseconds after a throw of the dice, so that it can be seen

class Page {
  constructor(game) {
    this.game = game;
    this.past = []; // positions, with the action that led to each
    this.seat = 0; // whose side the person plays; -1: nobody's
    this.level = keep.get("level") ?? LEVEL;
    this.round = 0; // changes whenever what is thought about is of no use any more
    this.board = document.querySelector("g-board");
    this.status = document.getElementById("status");
    this.told = document.getElementById("told");
    this.list = document.getElementById("moves");
    this.board.addEventListener("move", ({ detail }) => this.#play(detail));
    for (const [name, act] of Object.entries({
      new: () => this.begin(this.seat),
      swap: () => this.begin((this.seat + 1) % DATA.players),
      undo: () => this.#undo(),
      hint: () => this.#hint(),
    }))
      document.getElementById(name).addEventListener("click", act);
    this.choice = document.getElementById("level");
    this.choice.addEventListener("change", () => {
      this.level = Number(this.choice.value);
      keep.set("level", this.level);
      this.#go();
    });
    this.tongue = document.getElementById("language");
    this.tongue.addEventListener("change", async () => {
      keep.set("lang", this.tongue.value);
      await this.speak(this.tongue.value);
      this.#show();
    });
  }

  async speak(name) {
    await speak(name);
    put(
      this.tongue,
      LANGUAGES.map((each) => h("option", { value: each, selected: each === name }, NAMES[each])),
    );
    put(
      this.choice,
      this.game.levels.map((level, number) =>
        h("option", { value: number + 1, selected: number + 1 === this.level }, `${number + 1}. ${t(level)}`),
      ),
    );
    document.title = t(this.game.title);
    document.getElementById("title").textContent = t(this.game.title);
  }

  begin(seat) {
    this.game.stop();
    this.seat = seat;
    this.past = [{ position: this.game.start(), action: null, name: "", touch: [] }];
    this.lines = "";
    this.#go();
  }

  get now() {
    return this.past.at(-1).position;
  }

  /** Show the position, and let dice or the opponent go on if it is their turn. */
  async #go() {
    const round = ++this.round;
    this.game.stop();
    this.#show();
    const mover = this.game.mover(this.now);
    if (this.game.isOver(this.now) || mover === this.seat) return;
    if (mover < 0) {
      await new Promise((done) => setTimeout(done, PACE));
      if (round !== this.round) return;
      const outcome = this.game.roll(this.now);
      const thrown = this.game.outcomes(this.now).find((each) => each.outcome === outcome);
      this.#add(outcome, t("throw {0}", nameOf(thrown.name)), []);
      return this.#go();
    }
    const began = performance.now();
    const progress = (news) => round === this.round && this.#tell(news, performance.now() - began);
    const found = await this.#search({ level: this.level, progress });
    if (round !== this.round || !found) return;
    this.#tell(found, performance.now() - began);
    const move = this.game.moves(this.now).find(({ action }) => action === found.action);
    this.#add(found.action, move.name, move.touch);
    this.#go();
  }

  #search(options) {
    return this.game.search(this.now, options).catch((problem) => {
      this.told.textContent = t("The search failed: {0}", problem.message);
      return null;
    });
  }

  #play(name) {
    const move = this.game.moves(this.now).find((each) => each.name === name);
    if (!move || this.game.mover(this.now) !== this.seat) return;
    this.#add(move.action, move.name, move.touch);
    this.#go();
  }

  #add(action, name, touch) {
    const player = this.game.mover(this.now);
    this.past.push({ position: this.game.play(this.now, action), action, name, touch, player });
  }

  /** Take back the last move of the person, and what came after it. */
  #undo() {
    let last = this.past.length - 1;
    while (last > 0 && this.past[last].player !== this.seat) last--;
    if (last < 1) return;
    this.past.length = last;
    this.#go();
  }

  async #hint() {
    if (this.game.isOver(this.now) || this.game.mover(this.now) !== this.seat) return;
    const round = ++this.round;
    this.game.stop();
    this.told.textContent = t("Thinking …");
    const began = performance.now();
    const found = await this.#search({ milliseconds: 1000 });
    if (round !== this.round || !found) return;
    this.#tell(found, performance.now() - began);
    const move = this.game.moves(this.now).find(({ action }) => action === found.action);
    this.told.textContent = `${t("Hint: {0}", nameOf(move.name))} · ${this.told.textContent}`;
    this.board.point([{ touch: move.touch.map((cell) => [cell]), css: "" }]);
  }

  #tell({ value, depth, nodes, proven }, time) {
    const facts = [
      t("value {0}", signed(value)),
      proven ? t("proven") : t("{0} {0:ply|plies}", depth),
      t("{0} {0:position|positions}", nodes.toLocaleString(document.documentElement.lang)),
      seconds(time / 1000),
    ];
    this.told.textContent = facts.join(" · ");
  }

  #side(player) {
    return DATA.sides[player] ? t(DATA.sides[player]) : t("Player {0}", player + 1);
  }

  #verdict() {
    const won = Array.from({ length: DATA.players }, (_, player) => this.game.utility(this.now, player));
    const most = Math.max(...won);
    if (won.every((each) => each === most)) return t("A draw");
    return t("{0} wins", this.#side(won.indexOf(most)));
  }

  #show() {
    const { game } = this;
    const isOver = game.isOver(this.now);
    const mover = game.mover(this.now);
    const isMine = !isOver && mover === this.seat;
    this.status.textContent = isOver
      ? this.#verdict()
      : isMine
        ? t("Your turn: {0}", this.#side(mover))
        : mover < 0
          ? t("The dice are thrown …")
          : t("{0} thinks …", this.#side(mover));
    const moves = isMine ? game.moves(this.now) : [];
    this.board.show(
      {
        board: DATA.kit?.board ?? null,
        pieces: pieces(game.cells(this.now)),
        marks: [],
        show: facts(this.now),
        sides: Array.from({ length: DATA.players }, (_, player) => this.#side(player)),
        actions: moves.map(({ name, touch }) => ({ move: name, touch: touch.map((cell) => [cell]) })),
        played: this.past.slice(1).map(({ touch }) => ({ touch: touch.map((cell) => [cell]) })),
        ply: this.past.length - 1,
        player: mover,
        over: isOver,
      },
      { active: isMine, flip: this.seat === 1 && DATA.kit?.board.turns },
    );
    put(
      this.list,
      this.past.slice(1).map(({ name }) => h("li", {}, nameOf(name))),
    );
    this.list.scrollTop = this.list.scrollHeight;
  }
}

const NAMES = { en: "English", es: "Español" };

/** The pieces of a picture, from what stands on the cells. */
function pieces(codes) {
  const { kit } = DATA;
  if (!kit) return [];
  const all = Array.from({ length: kit.cells }, (_, cell) => cell);
  if (!kit.numbers)
    return kit.pieces.flatMap((layer, number) =>
      all
        .filter((cell) => layer[codes[number * kit.cells + cell]])
        .map((cell) => ({ ...layer[codes[number * kit.cells + cell]], cell })),
    );
  const { shape, counted, owners } = kit.numbers;
  return all.flatMap((cell) => {
    const held = Array.from({ length: kit.layers }, (_, layer) => codes[layer * kit.cells + cell]);
    if (held.every((code) => code === kit.empty)) return [];
    const side = owners[cell] ?? -1;
    if (counted) return [{ cell, shape, side, text: "", count: held[0] }];
    const text = held.map((code) => (code === kit.empty ? "·" : String(code))).join("/");
    return [{ cell, shape, side, text, count: 0 }];
  });
}

/** The fields of a position, where it has no board. */
const facts = (position) =>
  DATA.fields.map((field) => `${field.name}: ${readField(position, field).join(" ")}`).join("\n");

async function play() {
  const game = await load();
  const page = new Page(game);
  const asked = location.hash.slice(1); // a page around this one may name its language
  await page.speak(LANGUAGES.includes(asked) ? asked : preferred());
  page.begin(0);
  globalThis.game = game; // for the console
}

play();
