// One quiet sound for each class of what is seen to happen, made here: no files, nothing to fetch. Silent until one has pressed
// something, since browsers want that, and where sounds are off.
import { sound, volume } from "../state/settings.ts";
import type { Beat, BeatKind } from "./beats.ts";

/** A tone: its pitch in hertz and where it goes, after how many seconds it begins, how long it sounds. */
interface Tone {
  from: number;
  to?: number;
  after?: number;
  lasts: number;
  shape?: OscillatorType;
}

export const CALL: readonly Tone[] = [
  { from: 523.25, lasts: 0.35 },
  { from: 783.99, after: 0.12, lasts: 0.35 },
];

const SOUNDS: Record<BeatKind, readonly Tone[]> = {
  game: [
    { from: 392, lasts: 0.3 },
    { from: 523.25, after: 0.15, lasts: 0.4 },
  ],
  turn: [{ from: 392, lasts: 0.3 }],
  cast: [{ from: 440, to: 660, lasts: 0.25 }],
  activate: [{ from: 587, lasts: 0.15 }],
  trigger: [{ from: 698, to: 740, lasts: 0.15 }],
  countered: [{ from: 440, to: 220, lasts: 0.3 }],
  attack: [{ from: 147, to: 220, lasts: 0.22, shape: "triangle" }],
  block: [{ from: 196, lasts: 0.16, shape: "triangle" }],
  damage: [{ from: 130, to: 65, lasts: 0.22, shape: "triangle" }],
  life: [{ from: 494, lasts: 0.2 }],
  leave: [{ from: 262, to: 131, lasts: 0.35 }],
  enter: [{ from: 330, lasts: 0.12, shape: "triangle" }],
  draw: [{ from: 880, to: 990, lasts: 0.08 }],
  out: [{ from: 262, to: 98, lasts: 0.7 }],
};

/** The most that a tone moves the air: these are to be quiet. */
const LOUDEST = 0.12;

let context: AudioContext | null = null;

/** Play tones, if sounds are wanted and allowed. */
export function play(tones: readonly Tone[]): void {
  const loud = (Number(volume.peek()) / 100) * LOUDEST;
  if (!sound.peek() || !(loud > 0) || !navigator.userActivation?.hasBeenActive) return;
  try {
    context ??= new AudioContext();
    const now = context.currentTime;
    for (const tone of tones) ring(context, now + (tone.after ?? 0), tone, loud);
  } catch {
    // A browser without sound still plays.
  }
}

function ring(
  air: AudioContext,
  at: number,
  { from, to = from, lasts, shape = "sine" }: Tone,
  loud: number,
): void {
  const tone = air.createOscillator();
  const gain = air.createGain();
  tone.type = shape;
  tone.frequency.setValueAtTime(from, at);
  tone.frequency.exponentialRampToValueAtTime(to, at + lasts);
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loud, at + 0.02);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + lasts);
  tone.connect(gain).connect(air.destination);
  tone.start(at);
  tone.stop(at + lasts + 0.05);
}

/** Let each beat be heard as it is shown. */
export function beginSounds(): void {
  document.addEventListener("apnap:beat", (event) => play(SOUNDS[(event as CustomEvent<Beat>).detail.kind]));
}
