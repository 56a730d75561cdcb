// The presentation queue: tables arrive at once and are shown in order, each with its beats. It keeps no time of its own.
import type { Pace } from "../state/settings.ts";
import { type Beat, LASTS, onOld } from "./beats.ts";

/** How long beats last, against normal. */
const FACTOR: Record<Exclude<Pace, "off">, number> = { fast: 0.5, normal: 1, slow: 1.8 };
/** Milliseconds that the table may be behind what is known. */
export const LAG: Record<Exclude<Pace, "off">, number> = { fast: 1200, normal: 2500, slow: 5000 };
/** Milliseconds below which a beat is not seen, and left out. */
const LEAST = 60;
/** Beats that give way where there is not time for all: what is fought is seen rather than what is drawn. */
const MINOR: ReadonlySet<Beat["kind"]> = new Set(["draw", "enter", "life", "activate", "trigger", "turn"]);
/** The share of their time below which they do. */
const HURRIED = 0.4;
/** Beats that come and go in the middle of the table, large enough to be flashes where they are many. */
const FLASHES: ReadonlySet<Beat["kind"]> = new Set(["game", "turn", "cast", "out"]);
/** So many of them may begin in a second (WCAG 2.3.1); more are left to the strip and the log. */
export const MOST_FLASHES = 3;
/** Milliseconds on one's clock under which nothing is played out. */
export const SHORT_OF_TIME = 30_000;
/** Milliseconds of the lag that are kept for beats that would come too short. */
const KEPT = 400;

/** How fast to show to whom so many milliseconds are left to answer, undefined without a clock. */
export function paceOf(wanted: Pace, left: number | undefined): Pace {
  return left !== undefined && left < SHORT_OF_TIME ? "off" : wanted;
}

export interface Clock {
  now(): number;
  /** Call after some milliseconds; what is returned calls it off. */
  after(ms: number, call: () => void): () => void;
}

interface Step<Table> {
  /** The table to show, or a beat. */
  table?: Table;
  beat?: Beat;
  /** How long the beat would last, in milliseconds. */
  ms: number;
  /** When the table that it leads to has to be shown, in the clock's milliseconds. */
  due: number;
}

/** Shows tables by `show` and beats by `play` (null: none any more); never later than the pace's lag after they came. */
export class Queue<Table> {
  private steps: Step<Table>[] = [];
  private callOff: (() => void) | null = null;
  /** When the last flashes began. */
  private flashed: number[] = [];
  private readonly show: (table: Table) => void;
  private readonly play: (beat: Beat | null, ms: number) => void;
  private readonly clock: Clock;

  constructor(show: (table: Table) => void, play: (beat: Beat | null, ms: number) => void, clock: Clock) {
    this.show = show;
    this.play = play;
    this.clock = clock;
  }

  /** Whether something is still to be seen. */
  get busy(): boolean {
    return this.callOff !== null;
  }

  /** The table has come to be so, by these beats. */
  push(table: Table, beats: Beat[], pace: Pace): void {
    if (pace === "off") {
      this.finish();
      this.show(table);
      return;
    }
    const due = this.clock.now() + LAG[pace];
    const before = onOld(beats);
    const steps = beats.map((beat) => ({ beat, ms: LASTS[beat.kind] * FACTOR[pace], due }));
    this.steps.push(...steps.slice(0, before), { table, ms: 0, due }, ...steps.slice(before));
    if (!this.busy) this.next();
  }

  /** Show at once what is known. True if something was still to be seen. */
  finish(): boolean {
    const was = this.busy;
    this.callOff?.();
    this.callOff = null;
    const { steps } = this;
    this.steps = [];
    for (const step of steps) if (step.table !== undefined) this.show(step.table);
    if (was) this.play(null, 0);
    return was;
  }

  /** Forget what was still to be seen. */
  clear(): void {
    this.steps = [];
    this.finish();
  }

  private next(): void {
    this.callOff = null;
    for (let step = this.steps.shift(); step; step = this.steps.shift()) {
      if (step.table !== undefined) {
        this.show(step.table);
        continue;
      }
      const { beat } = step;
      if (!beat) continue;
      const hurried = this.haste(step, () => true, 0) < HURRIED;
      const minor = MINOR.has(beat.kind);
      if (hurried && minor) continue;
      const ms = this.lasts(step, hurried);
      if (ms < LEAST || (FLASHES.has(beat.kind) && !this.flashes())) continue;
      this.callOff = this.clock.after(ms, () => this.next());
      this.play(beat, ms);
      return;
    }
    this.play(null, 0);
  }

  /** Whether one more flash may begin now; it counts as begun. */
  private flashes(): boolean {
    const now = this.clock.now();
    this.flashed = this.flashed.filter((begun) => begun > now - 1000);
    if (this.flashed.length >= MOST_FLASHES) return false;
    this.flashed.push(now);
    return true;
  }

  /** How long a beat is shown: where it would be too short to be seen, as long as it must be, while there is time kept for that. */
  private lasts(step: Step<Table>, hurried: boolean): number {
    const counts = (one: Step<Table>) => !hurried || !one.beat || !MINOR.has(one.beat.kind);
    const ms = step.ms * this.haste(step, counts, hurried ? KEPT : 0);
    return hurried && this.clock.now() + LEAST <= step.due ? Math.max(LEAST, ms) : ms;
  }

  /** By how much what is left, of what counts, must be shortened, so that every table is shown so many milliseconds before it is due;
   * 1 if by nothing. */
  private haste(first: Step<Table>, counts: (step: Step<Table>) => boolean, before: number): number {
    const now = this.clock.now() + before;
    let sum = first.ms;
    let least = Math.min(1, (first.due - now) / sum);
    for (const step of this.steps) {
      if (counts(step)) sum += step.ms;
      if (sum > 0) least = Math.min(least, (step.due - now) / sum);
    }
    return Math.max(0, least);
  }
}
