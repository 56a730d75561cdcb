// A target that was named before it is asked for: a card dropped on it is cast, and that is its target if it may be.
import { signal } from "@preact/signals";
import type { TargetKey } from "./interaction.ts";

export interface Intended {
  /** What was dragged. */
  from: TargetKey;
  to: TargetKey;
  /** The question that was open then. */
  question: string;
}

export const intended = signal<Intended | null>(null);

/** For what mana has been made by hand: once the pool suffices it is paid. */
export const paidFor = signal<string | null>(null);
