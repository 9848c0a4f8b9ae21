// The clocks of a game, with minutes and an increment. They start after the first move.

export const LONGEST = 600; // minutes, and seconds per move

export class Clock {
  /** Read a time control: "5+3" is five minutes and three seconds per move; "" is no clock. */
  constructor(text, players, left = []) {
    const [minutes, increment = 0] = text.split("+").map(Number);
    const isTime = minutes > 0 && minutes <= LONGEST && increment >= 0 && increment <= LONGEST;
    this.text = isTime ? text : "";
    this.increment = isTime ? increment : 0;
    const isLeft = (seconds) => seconds >= 0 && seconds <= 120 * LONGEST;
    this.left = Array.from({ length: players }, (_, side) =>
      isLeft(left[side]) ? left[side] : minutes * 60,
    );
    this.isKept = false; // the server keeps the time
    this.side = -1; // the side whose clock runs
    this.since = 0;
  }

  get isOn() {
    return this.isKept || this.text !== "";
  }

  /** Return the side whose time is up, or −1. */
  get fallen() {
    return this.isOn ? this.left.findIndex((_, side) => this.now(side) <= 0) : -1;
  }

  now(side) {
    return Math.max(0, this.left[side] - (side === this.side ? (performance.now() - this.since) / 1000 : 0));
  }

  /** Take over what the server tells: the seconds that are left, and whose clock runs. */
  follow({ left, increment, side }) {
    Object.assign(this, { left, increment, side, since: performance.now(), isKept: true });
  }

  run(side) {
    if (this.isKept || side === this.side) return;
    this.halt();
    [this.side, this.since] = [side, performance.now()];
  }

  halt() {
    if (this.side >= 0) this.left[this.side] = this.now(this.side);
    this.side = -1;
  }

  press() {
    const side = this.side;
    this.halt();
    if (side >= 0) this.left[side] += this.increment;
  }
}

export function clockText(seconds) {
  const tenths = Math.round(seconds * 10);
  const whole = tenths < 100 ? Math.floor(tenths / 10) : Math.ceil(seconds);
  const text = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  return tenths < 100 ? `${text}.${tenths % 10}` : text;
}
