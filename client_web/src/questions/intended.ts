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
