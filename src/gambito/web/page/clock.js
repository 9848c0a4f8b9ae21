// The clocks of a game: minutes and an increment. They stand still until the first move was made.

export class Clock {
  /** "5+3" is five minutes and three seconds a move; "" is no clock. */
  constructor(text, players, left = []) {
    const [minutes, increment] = text.split("+").map(Number);
    this.text = minutes > 0 ? text : "";
    this.increment = increment || 0;
    this.left = Array.from({ length: players }, (_, side) => (left[side] >= 0 ? left[side] : minutes * 60));
    this.side = -1; // whose time runs
    this.since = 0;
  }

  get isOn() {
    return this.text !== "";
  }

  /** The side whose time is up, or −1. */
  get fallen() {
    return this.isOn ? this.left.findIndex((_, side) => this.now(side) <= 0) : -1;
  }

  /** Seconds that a side has now. */
  now(side) {
    return Math.max(0, this.left[side] - (side === this.side ? (performance.now() - this.since) / 1000 : 0));
  }

  /** Let a side's time run. */
  run(side) {
    if (side === this.side) return;
    this.halt();
    [this.side, this.since] = [side, performance.now()];
  }

  /** No time runs. */
  halt() {
    if (this.side >= 0) this.left[this.side] = this.now(this.side);
    this.side = -1;
  }

  /** The side whose time runs has moved. */
  press() {
    const side = this.side;
    this.halt();
    if (side >= 0) this.left[side] += this.increment;
  }
}

/** 4:05, or 0:09.3 when it gets short. */
export function clockText(seconds) {
  const tenths = Math.round(seconds * 10);
  const whole = tenths < 100 ? Math.floor(tenths / 10) : Math.ceil(seconds);
  const text = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  return tenths < 100 ? `${text}.${tenths % 10}` : text;
}
