// A game that hides something: the server keeps it, and this page has a key for each seat of a person.
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

/** Forget the game that this browser has begun. */
export const leave = () => keep.set("table", null);

/** Return the last position of the game that a page plays, and begin it if there is none; null: too late. */
export async function arrive(page, ticket, usual) {
  if (page.guest) match.table ??= watch(match.game, page.guest);
  else if (match.table?.seats.join() !== page.seats.join()) match.table = null;
  if (!match.table) {
    const seats = await checkPlayers(match.game, page.seats, usual);
    if (ticket !== page.ticket) return null;
    page.seats = seats;
    const table = await sit(match.game, seats);
    if (ticket !== page.ticket) return null;
    match.table = table;
  }
  const { table } = match;
  const view = await table.live().catch((problem) => {
    if (problem instanceof Lost || ticket !== page.ticket) throw problem;
    if (!table.isGuest) leave();
    match.table = null;
    if (!table.isOld && !table.isGuest) throw problem;
    page.guest = "";
    toast(problem.message, true);
    return null;
  });
  if (ticket !== page.ticket) return null;
  if (!view) return match.begin(match.game);
  if (view.finished) return match.begin(match.game, "", view.moves);
  match.notice(view);
  return view;
}

class Table {
  #views = new Map(); // promises, by seat, ply and language

  constructor({ game, seats, keys, watch }, isOld = false) {
    Object.assign(this, { game, seats, keys, watch, isOld });
    this.people = keys.flatMap((key, seat) => (key ? [seat] : []));
    this.seat = this.people.length === 1 ? this.people[0] : WATCHING; // whose view is shown
    this.isGuest = !keys.length; // another page plays it
    if (!this.isGuest) keep.set("table", { game, seats, keys, watch });
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
    if (view.finished) leave();
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

  /** Let chance and the computer play until this seat notices something. */
  go(clock, hear) {
    return stream("seat_go", { key: this.key, clock }, hear);
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
