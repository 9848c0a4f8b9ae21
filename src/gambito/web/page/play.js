// <g-play>: a game between people, levels and algorithms. The server rolls for chance.

import "./board.js";
import "./moves.js";
import { checkPlayers, fitSeats, readPlayer, usualPlayer } from "./choose.js";
import { Clock } from "./clock.js";
import { keep, say, toast } from "./dom.js";
import { Ending, endingText, isDrawn, isNewWanted, isResigned, loserOf, personIn } from "./ending.js";
import * as link from "./link.js";
import { match } from "./match.js";
import { GamePage } from "./page.js";
import { buildPlay, drawControls, drawStrips, findMove, showClocks, showValue } from "./parts.js";
import { finalShare } from "./thinking.js";
import { Lost, stream } from "./server.js";
import { sound } from "./sound.js";
import { statusText } from "./status.js";
import { nameOf, signed, t } from "./words.js";

const HINT = { level: 8 };

class Play extends GamePage {
  name = "play";
  #thinking = null; // the running stream
  #live = null; // the last position of the game
  #hint = null;
  #told = [{}, 0]; // the last result of a search, and whose it is
  #least = null; // what the shortest solution of a puzzle costs, in a sentence

  connectedCallback() {
    super.connectedCallback();
    this.ticking = setInterval(() => this.#tick(), 100);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.ticking);
    this.waiting?.drop();
    this.#thinking?.drop();
  }

  /** A chequered board is turned if the only person plays the other side. */
  get isUsuallyTurned() {
    const [first, second] = this.seats;
    const isSecond = match.table?.room ? match.table.seat === 1 : first !== "person" && second === "person";
    return isSecond && this.view.board?.cells.some(({ tone }) => tone === "dark");
  }

  restart() {
    this.isSetUp = false;
    this.#turn();
  }

  // ---- the elements --------------------------------------------------------------------------------
  build() {
    buildPlay(this, {
      dialogs: this.dialogs,
      begin: (game, isAgain) => this.#replace(game, isAgain),
      seat: (side, text) => this.#seat(side, text),
      wind: (text) => this.#wind(text),
      move: (move) => this.#move(move),
      undo: () => this.#undo(),
      hint: () => this.#askHint(),
      stop: () => this.#stop(),
      resign: () => this.#resign(),
      offer: () => this.#offerDraw(),
      claim: () => this.#claim(),
      view: () => this.#showValue(),
      cover: () => this.#cover(),
      type: (event) => this.#type(event),
    });
  }

  readSettings(read) {
    const last = link.read(String(keep.get("play") ?? ""));
    const from = read.has("game") ? read : last;
    this.seats = read.list("seats").length ? read.list("seats") : last.list("seats");
    this.seats = fitSeats(this.seats, this.game, this.catalogue);
    this.readFlip(from);
    this.isPaused = from.number("paused", 0) === 1;
    this.guest = read.text("spectate");
    this.ending = new Ending(this.game.players === 2 ? from.text("ended") : "");
    this.room = read.list("join"); // the seat of an invitation, its key, and that of spectators
    if (match.table && match.table.room !== this.room.join()) match.table = null;
    const isSame = from.list("moves").join() === match.moves.join();
    this.clock = new Clock(
      this.room.length ? "" : from.text("clock"),
      this.game.players,
      isSame ? from.list("left").map(Number) : [],
    );
  }

  get #usual() {
    return usualPlayer(this.game);
  }

  #setUp() {
    this.isSetUp = true;
    this.setUp.show(this.catalogue, this.game, this.seats, this.clock, this.view);
  }

  #seat(side, text) {
    this.seats[side] = text;
    this.isPaused = false;
    this.#setUp();
    if (match.table) return this.#begin(match.game); // nobody may take a seat whose cards are on the table
    this.#turn();
  }

  #wind(text) {
    this.clock = new Clock(text, this.game.players);
    this.#turn();
  }

  #save() {
    const left =
      this.clock.text && match.moves.length
        ? this.clock.left.map((_, side) => this.clock.now(side).toFixed(1))
        : [];
    link.write("play", {
      ...match.link(),
      seats: this.seats,
      clock: this.clock.text,
      left,
      flip: this.flipText,
      paused: this.isPaused,
      ended: this.ending.text,
      spectate: match.table?.isGuest ? this.guest : "",
      join: this.room,
    });
    if (!this.guest && !this.room.length) keep.set("play", location.hash);
  }

  // ---- the game ------------------------------------------------------------------------------------
  /** Begin a game when nothing is lost, or when the person is sure. */
  async #replace(game, isAgain) {
    const isRunning = match.moves.length && this.#live && !this.#isOver;
    if (!isRunning || (await isNewWanted())) return await this.#begin(game, isAgain);
    this.isSetUp = false; // the settings show again what is played
    this.draw();
  }

  async #begin(game, isAgain = false) {
    this.isPaused = false;
    this.guest = "";
    this.room = [];
    keep.set("table", null);
    const ticket = this.nextTicket();
    const start = isAgain && this.game.puzzle ? await (await import("./puzzle.js")).shuffled(game) : "";
    if (ticket !== this.ticket) return;
    history.pushState(null, "", location.href);
    match.begin(game, start);
  }

  changed(what) {
    if (what === "look") return this.draw();
    this.ending = new Ending();
    if (what === "begin") {
      this.seats = fitSeats(this.seats, this.game, this.catalogue);
      this.clock = new Clock(this.clock.text, this.game.players);
      this.thinkingPanel.hidden = true;
      this.expectation = null;
      this.isSetUp = false;
    }
    if (what !== "play") this.clock.halt();
    this.#turn();
  }

  /** Get the next move: from the board for a person, from the server for the others. */
  async #turn() {
    const ticket = this.nextTicket();
    this.waiting?.drop();
    this.#thinking?.drop();
    this.waiting = this.#thinking = null;
    this.#hint = null;
    this.#least = null;
    this.#drawExpected();
    const view = await this.#arrive(ticket).catch((problem) => this.recover(ticket, problem));
    if (ticket !== this.ticket || !view) return;
    this.#live = view;
    try {
      const seats = await checkPlayers(match.game, this.seats, this.#usual, this.asker);
      if (ticket !== this.ticket) return;
      if (seats.join() !== this.seats.join()) this.isSetUp = false;
      this.seats = seats;
      await this.draw();
      if (ticket !== this.ticket) return;
      if (this.#isOver) {
        this.clock.halt();
        say(this.#statusText());
        return await this.#compare(ticket);
      }
      const { player } = this.#live;
      if (match.table) return await this.#follow(ticket, player);
      if (player < 0) return await this.#drawLots(ticket);
      if (this.clock.isOn && match.moves.length && !(this.isPaused && this.#isEngine(player)))
        this.clock.run(player);
      if (this.#isEngine(player) && !this.isPaused) await this.#think(ticket, player);
    } catch (problem) {
      this.#fail(ticket, problem);
    }
  }

  // ---- a game that the server keeps ----------------------------------------------------------------
  /** Return the last position. If the game hides something, or others play it elsewhere, the server keeps it
      until it is over. */
  async #arrive(ticket) {
    const isKept = this.game.hidden || this.guest || this.room.length;
    if (!isKept || (match.moves.length && !match.table)) return match.view(match.moves.length);
    const { arrive } = await import("./table.js");
    return await arrive(this, ticket, this.#usual);
  }

  /** Let the server play for chance and the computer, or wait for a person. */
  async #follow(ticket, player) {
    const isPerson = player >= 0 && !this.#isEngine(player);
    if (match.table.isGuest || (isPerson && match.table.room && match.table.seat !== player)) {
      this.waiting = match.table.wait(this.#live.ply);
      await this.waiting.done;
      return ticket === this.ticket ? this.#turn() : null;
    }
    if (this.clock.isOn && player >= 0 && !this.isPaused) this.clock.run(player);
    if (isPerson && match.table.isShared && match.table.seat < 0) this.#cover();
    if (isPerson || this.isPaused) return;
    const clock = this.#timeOf(player);
    this.#thinking = match.table.go(clock);
    this.draw();
    await this.#thinking.done;
    if (ticket !== this.ticket) return;
    this.#thinking = null;
    this.clock.press();
    await this.#turn();
  }

  async #playSeat(move) {
    const ticket = this.nextTicket();
    this.clock.press();
    try {
      await match.table.move(match.moves.length, move);
    } catch (problem) {
      if (ticket === this.ticket && !(problem instanceof Lost)) toast(problem.message, true);
    }
    if (ticket === this.ticket) this.#turn();
  }

  /** Show what everybody sees, until the next person says to be there. */
  async #cover() {
    const { table } = match;
    const { ticket } = this;
    const { player } = this.#live;
    if (table.seat >= 0) {
      table.seat = -1;
      match.cursor = match.moves.length;
      return await this.#turn();
    }
    const { cover } = await import("./table.js");
    if (ticket !== this.ticket) return;
    cover(this.cover, this.#name(player), () => {
      table.seat = player;
      match.cursor = match.moves.length;
      this.cover.hidden = true;
      this.#turn();
    });
  }

  get #mustHandOver() {
    const { player } = this.#live;
    const { table } = match;
    const isNext = player >= 0 && player !== table?.seat && !this.#isEngine(player);
    return table?.isShared && table.seat >= 0 && isNext;
  }

  #drawExpected() {
    if (!this.showExpected()) return;
    this.#live = this.view;
    const { player, move } = this.view.played.at(-1);
    this.status.textContent = t("{0} plays {1}.", this.#name(player), nameOf(move));
    this.#save();
  }

  async #compare(ticket) {
    if (!this.game.puzzle || !this.#live.over || !match.moves.length) return;
    const least = await (await import("./puzzle.js")).compare(this.#live.cost);
    if (ticket !== this.ticket || !least) return;
    this.#least = least;
    this.draw();
    say(least);
  }

  async #drawLots(ticket) {
    const { move } = await this.asker.ask("chance", match.at(match.moves.length));
    if (ticket !== this.ticket) return;
    say(t("Chance gives {0}.", nameOf(move)));
    this.#play(move);
  }

  #timeOf(player) {
    if (!this.clock.isOn || player < 0) return undefined;
    return { left: this.clock.now(player), increment: this.clock.increment };
  }

  async #think(ticket, player) {
    this.#ask(player, readPlayer(this.seats[player]), this.#timeOf(player));
    this.draw();
    const { move, found } = await this.#thinking.done;
    if (ticket !== this.ticket) return;
    this.#thinking = null;
    if (move == null) throw new Error(t("{0} found no move.", this.#name(player)));
    if (found) this.#tell(found, player);
    say(
      found?.value == null
        ? t("{0} plays {1}.", this.#name(player), nameOf(move))
        : t("{0} plays {1}, value {2}.", this.#name(player), nameOf(move), signed(found.value)),
    );
    this.#play(move);
  }

  #ask(player, given, clock) {
    this.#thinking?.drop();
    const hear = (info) => this.#tell(info, player);
    this.#thinking = match.table
      ? match.table.hint(hear)
      : stream("go", { ...match.at(match.moves.length), player: given, clock }, hear);
  }

  #tell(found, player) {
    this.thinkingPanel.hidden = false;
    if (found.phase || !found.nodes) return this.thinking.wait(found);
    this.#told = [found, player];
    this.#showValue();
    if (found.expectation != null)
      this.expectation = player === 0 ? found.expectation : 1 - found.expectation;
    this.#drawBar();
  }

  /** Show the last result, for the side that the reader has chosen. */
  #showValue() {
    showValue(this, this.#live.sides, ...this.#told);
  }

  /** Add a move at the end of the game, whatever position is shown. */
  #play(move) {
    if (match.table) return this.#playSeat(move);
    const isLooking = !match.isAtEnd && match.cursor;
    this.clock.press();
    match.cursor = match.moves.length;
    match.play(move);
    if (isLooking !== false && isLooking !== 0) match.look(isLooking);
  }

  #move(move) {
    if (this.#canMove) this.#play(move);
  }

  #fail(ticket, problem) {
    if (ticket !== this.ticket || problem instanceof Lost) return; // asked again after a reconnection
    this.#thinking = null;
    this.isPaused = true;
    this.clock.halt();
    toast(problem.message, true);
    this.draw();
  }

  get #isOver() {
    return this.#live.over || this.clock.fallen >= 0 || this.ending.isOn;
  }

  get #canMove() {
    const { player, isExpected } = this.#live;
    const isMine = !match.table || match.table.seat === player;
    return match.isAtEnd && !this.#isOver && !isExpected && player >= 0 && isMine && !this.#isEngine(player);
  }

  get #isAlone() {
    return this.seats.every((seat) => seat !== "person");
  }

  #isEngine(player) {
    return player >= 0 && this.seats[player] !== "person";
  }

  #name(player) {
    return this.#live.sides[player] ?? t("Player {0}", player + 1);
  }

  // ---- controls ------------------------------------------------------------------------------------
  /** Go back to the last position in which a person had to move; without people, one ply. */
  #undo() {
    const asked = this.#live.played
      .map(({ player }, ply) => [ply, player])
      .filter(([, player]) => player >= 0 && !this.#isEngine(player));
    if (!asked.length) this.isPaused = true;
    if (match.moves.length) match.takeBack(asked.length ? asked.at(-1)[0] : match.moves.length - 1);
  }

  async #askHint() {
    const { player } = this.#live;
    this.#ask(player, HINT);
    this.draw();
    try {
      const { move, found } = await this.#thinking.done;
      this.#thinking = null;
      if (found) this.#tell(found, player);
      this.#hint = move;
      say(t("Hint: {0}", nameOf(move)));
      this.draw();
    } catch (problem) {
      if (problem instanceof Lost) return;
      this.#thinking = null;
      toast(problem.message, true);
      this.draw();
    }
  }

  /** Stop the search, which then returns what it has found. Without people, the game pauses. */
  #stop() {
    if (this.#thinking && !this.#isAlone) return this.#thinking.stop();
    this.isPaused = !this.isPaused;
    if (this.isPaused) this.clock.halt();
    this.#turn();
  }

  get #person() {
    const isAsked = !match.table && match.moves.length && !this.#isOver;
    return isAsked ? personIn(this.seats, this.#live.player) : -1;
  }

  async #resign() {
    const side = this.#person;
    if ((await isResigned(this.#name(side))) && side === this.#person) this.#end(`resign${side}`);
  }

  async #offerDraw() {
    const { ticket } = this;
    const other = 1 - this.#person;
    const isTaken = await isDrawn(this.#isEngine(other), other, this.expectation, this.#name(other));
    if (ticket !== this.ticket) return;
    if (isTaken && this.#person >= 0) this.#end("draw");
    else toast(t("{0} declines the draw.", this.#name(other)));
  }

  /** Claim tricks of the game that the server keeps; it goes on, or is played out. */
  async #claim() {
    const { ticket } = this;
    const { claim } = await import("./claim.js");
    const isMade = await claim(match.table, match.moves.length, this.#live.claims);
    if (isMade && ticket === this.ticket) this.#turn();
  }

  #end(how = "") {
    this.nextTicket();
    this.#thinking?.drop();
    this.#thinking = null;
    this.clock.halt();
    this.ending = new Ending(how);
    sound("end");
    say(this.#statusText());
    this.draw();
  }

  #type(event) {
    event.preventDefault();
    const text = this.typed.value.trim();
    if (!text || !this.#canMove) return;
    const found = findMove(this.#live.actions, text);
    if (!found) return;
    this.typed.value = "";
    this.#move(found.move);
  }

  // ---- drawing -------------------------------------------------------------------------------------
  async draw() {
    const cursor = match.cursor;
    const view = await match.view(cursor);
    if (cursor !== match.cursor || !this.#live) return;
    this.view = view;
    if (!this.isSetUp) this.#setUp();
    const isLooking = !match.isAtEnd;
    this.showBoard(this.#canMove);
    const hinted = !isLooking && view.actions.find(({ move }) => move === this.#hint);
    this.board.point(hinted ? [{ ...hinted, css: "best" }] : []);
    this.moves.show(this.#live.played, cursor);
    this.status.textContent = this.#statusText();
    drawControls(this, {
      canMove: this.#canMove,
      claims: this.#live.claims,
      isAlone: this.#isAlone,
      isOver: this.#isOver,
      isThinking: this.#thinking != null,
      mustHandOver: this.#mustHandOver,
      next: this.#name(this.#live.player),
      person: this.#person,
    });
    drawStrips(this, this.#live);
    this.#drawBar();
    this.#save();
  }

  #statusText() {
    const name = (side) => this.#name(side);
    return statusText(this.#live, {
      ended: endingText(this.ending, this.clock, name, this.seats.length),
      hint: this.#hint,
      isAlone: this.seats.filter((seat) => seat === "person").length === 1,
      isEngine: this.#isEngine(this.#live.player),
      isPaused: this.isPaused,
      least: this.#least,
      mustHandOver: this.#mustHandOver,
      name,
    });
  }

  #drawBar() {
    if (!this.#live) return;
    const lost = loserOf(this.ending, this.clock);
    const agreed = this.ending.isOn ? 0.5 : (this.expectation ?? null);
    this.bar.show(
      this.#live.over ? finalShare(this.#live) : lost >= 0 ? Number(lost === 1) : agreed,
      this.#live,
      this.isTurned,
    );
    if (match.table) this.bar.hidden = true; // nobody tells what the others' cards are worth
  }

  #tick() {
    if (!this.clock.isOn || !this.#live) return;
    showClocks(this);
    if (this.clock.side < 0 || this.clock.fallen < 0) return;
    if (!this.clock.isKept) return this.#end();
    this.clock.halt(); // the server has the last word
    this.#turn();
  }
}

customElements.define("g-play", Play);
