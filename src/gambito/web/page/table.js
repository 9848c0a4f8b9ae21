// A game that the server keeps, because it hides something or people play it on pages of their own. This page
// has a key for each seat of a person at it.
// The page is sent what one seat sees. Two people at one screen hand it over, and each opens their own seat.

import { checkPlayers, readPlayer } from "./choose.js";
import { h, keep, put, toast } from "./dom.js";
import { match } from "./match.js";
import { ask, Lost, stream } from "./server.js";
import { lang, t } from "./words.js";

const WATCHING = -1;

/** Sit down: go on with the game that this browser has begun with these players, or begin a new one. */
export async function sit(game, seats) {
  const kept = keep.get("table");
  const isSame = kept?.game === game && kept.seats?.join() === seats.join() && Array.isArray(kept.keys);
  if (isSame) return new Table(kept, true);
  const { keys, watch } = await ask("begin", { game, players: seats.map(readPlayer) });
  return new Table({ game, seats, keys, watch });
}

/** Return the game that this browser has begun, if it is one of these rules; null if there is none. */
export function resume(game) {
  const kept = keep.get("table");
  return kept?.game === game && Array.isArray(kept.keys) ? new Table(kept, true) : null;
}

/** Watch a game that another page has begun. */
export const watch = (game, key) => new Table({ game, seats: [], keys: [], watch: key });

/** Take the seat of an invitation: its number, its key, and the key of spectators. */
const join = (game, room, players) =>
  new Table(
    {
      game,
      seats: Array(players).fill("person"),
      keys: Array.from({ length: players }, (_, seat) => (seat === Number(room[0]) ? room[1] : null)),
      watch: room[2] ?? "",
    },
    true,
    room.join(),
  );

/** Forget the game that this browser has begun. */
export const leave = () => keep.set("table", null);

/** Return the last position of the game that a page plays, and begin it if there is none; null: too late. */
export async function arrive(page, ticket, usual) {
  if (page.guest) match.table ??= watch(match.game, page.guest);
  else if (page.room.length) {
    match.table ??= join(match.game, page.room, page.seats.length);
    page.seats = [...match.table.seats];
  } else if (match.table?.seats.join() !== page.seats.join()) match.table = null;
  if (!match.table) {
    const seats = await checkPlayers(match.game, page.seats, usual, page.asker);
    if (ticket !== page.ticket) return null;
    page.seats = seats;
    const table = await sit(match.game, seats);
    if (ticket !== page.ticket) return null;
    match.table = table;
  }
  const { table } = match;
  const view = await table.live().catch((problem) => {
    if (problem instanceof Lost || ticket !== page.ticket) throw problem;
    table.leave();
    match.table = null;
    if (!table.isOld && !table.isGuest) throw problem;
    [page.guest, page.room] = ["", []];
    toast(problem.message, true);
    return null;
  });
  if (ticket !== page.ticket) return null;
  if (!view) return match.begin(match.game);
  if (view.clock) page.clock.follow(view.clock);
  if (view.finished) {
    page.room = [];
    return match.begin(match.game, view.start ?? "", view.moves);
  }
  match.notice(view);
  return view;
}

class Table {
  #views = new Map(); // promises, by seat, ply and language

  constructor({ game, seats, keys, watch }, isOld = false, room = "") {
    Object.assign(this, { game, seats, keys, watch, isOld, room }); // room: the invitation, if there was one
    this.people = keys.flatMap((key, seat) => (key ? [seat] : []));
    this.seat = this.people.length === 1 ? this.people[0] : WATCHING; // whose view is shown
    this.isGuest = !keys.length; // another page plays it
    if (!this.isGuest && !room) keep.set("table", { game, seats, keys, watch });
  }

  /** Forget the game, if this browser keeps it; an invitation stays in its link. */
  leave() {
    if (!this.isGuest && !this.room) leave();
  }

  /** Is the screen shared, so that it has to be handed over? */
  get isShared() {
    return this.people.length > 1;
  }

  get key() {
    return this.keys[this.seat] ?? this.watch;
  }

  /** Return the last position that the seat has seen. */
  async live() {
    const view = await ask("seat_view", { key: this.key });
    if (view.finished) this.leave();
    else this.#views.set(this.#name(view.ply), Promise.resolve(view));
    return view;
  }

  view(ply) {
    const name = this.#name(ply);
    if (!this.#views.has(name)) this.#views.set(name, ask("seat_view", { key: this.key, ply }));
    return this.#views.get(name);
  }

  #name(ply) {
    return [this.seat, ply, lang].join();
  }

  move(ply, move) {
    return ask("seat_move", { key: this.key, ply, move });
  }

  /** Wait until the seat sees more than this number of plies, or the game is over. */
  wait(ply) {
    return stream("seat_wait", { key: this.key, ply });
  }

  /** Let chance and the computer play until this seat notices something. */
  go(clock, hear) {
    return stream("seat_go", { key: this.key, clock }, hear);
  }

  claim(ply, tricks) {
    return ask("seat_claim", { key: this.key, ply, tricks });
  }

  hint(hear) {
    return stream("seat_hint", { key: this.key }, hear);
  }
}

/** The screen between two people: nothing of the game is on it until the next one opens it. */
export function cover(box, name, open) {
  const button = h("button", { type: "button", class: "main", onclick: open }, t("I am {0}", name));
  put(
    box,
    h("p", { class: "hand-over-name" }, t("{0}, it is your turn.", name)),
    h("p", { class: "small muted" }, t("Nobody else should look at the screen now.")),
    button,
  );
  box.hidden = false;
  button.focus({ preventScroll: true });
}
