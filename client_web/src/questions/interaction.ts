// What a question makes of the table: which tiles and players may be pressed, what is drafted, what Enter would answer.
// Each kind of question has a draft of its own; the board, the keyboard and the dock only know this interface.
import { type ReadonlySignal, signal } from "@preact/signals";
import type { Answer, Choice, Question } from "../protocol/names.ts";
import { answer } from "../state/session.ts";

/** How a tile or player is marked. `to` is the seat whose colour it takes, `label` a word on it. */
export interface Mark {
  can?: boolean;
  picked?: boolean;
  aim?: boolean;
  to?: number;
  label?: string;
  /** Equal ones stay one stack however they are drafted, so that no tile moves under the pointer. */
  stays?: boolean;
}

/** What can be pressed: an object ("o" and its id) or a player ("p" and the seat). */
export type TargetKey = string;

export interface DraftArrow {
  from: string;
  to: TargetKey;
  seat: number;
}

/** A part of a stack of equal tiles: so many of at most so many, of which `object` is one. */
export interface Portion {
  object: string;
  count: number;
  most: number;
}

export interface Draft {
  readonly question: Question;
  readonly marks: ReadonlySignal<ReadonlyMap<TargetKey, Mark>>;
  readonly arrows?: ReadonlySignal<DraftArrow[]>;
  /** What would be answered now; null while the draft is not complete. */
  readonly answer: ReadonlySignal<Answer | null>;
  /** Press a target. `keys` are all in the same stack of equal tiles, `all` means every one of them. */
  press?(keys: TargetKey[], all: boolean): void;
  /** The stack of equal ones that was pressed last, to be split by number. */
  readonly portion?: ReadonlySignal<Portion | null>;
  /** Draft so many of that stack. */
  split?(count: number): void;
  /** Drop what was dragged on a target, or anywhere else on the board. */
  drop?(from: TargetKey, to: TargetKey | null): void;
  /** Whether that can be dragged; without it everything can that drops. */
  lifts?(key: TargetKey): boolean;
  /** A key of the keyboard. True when it meant something. */
  key?(key: string): boolean;
  /** Take back all that is drafted. True when there was something. */
  clear?(): boolean;
  /** Take back the last thing that was drafted. True when there was one. */
  back?(): boolean;
}

export const objectKey = (id: string): TargetKey => `o${id}`;
export const playerKey = (seat: number): TargetKey => `p${seat}`;

export function choiceKey(choice: Choice): TargetKey {
  if (choice.kind === "object") return objectKey(choice.id);
  if (choice.kind === "player") return playerKey(choice.seat);
  return `w${choice.word}`;
}

/** An answer is on its way. */
export const sending = signal(false);

export async function submit(question: Question, value: Answer): Promise<void> {
  if (sending.value) return;
  sending.value = true;
  try {
    await answer(question.id, value);
  } finally {
    sending.value = false;
  }
}

export const NO_MARKS: ReadonlyMap<TargetKey, Mark> = new Map();
