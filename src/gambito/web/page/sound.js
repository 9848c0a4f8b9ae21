// Short sounds of a game: a piece that is put down, one that is taken, the end. They are made here, not loaded.

import { keep } from "./dom.js";

const SOUNDS = {
  move: [[520, 0.05]],
  take: [
    [300, 0.06],
    [520, 0.05],
  ],
  end: [
    [392, 0.14],
    [523, 0.14],
    [659, 0.22],
  ],
}; // pairs of hertz and seconds
const LOUD = 0.12;

let context = null;

export const isOn = () => keep.get("sound") !== false;

export const turn = (on) => keep.set("sound", on);

/** Play a sound by its name, if sound is on and the browser allows it: only after a touch or a key. */
export function sound(name) {
  if (!isOn() || !navigator.userActivation?.hasBeenActive) return;
  document.documentElement.dataset.sound = name; // the last one, for those who look and do not hear
  context ??= new AudioContext();
  let at = context.currentTime;
  for (const [hertz, seconds] of SOUNDS[name]) {
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    tone.type = "triangle";
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(LOUD, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + seconds);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + seconds);
    at += seconds;
  }
}
