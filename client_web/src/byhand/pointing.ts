// Who wants to be told what is pressed on the table before the question is: a form that an object is pointed at for.
import { signal } from "@preact/signals";
import { draft } from "../questions/current.ts";
import type { TargetKey } from "../questions/interaction.ts";

export type Pointed = (key: TargetKey) => void;

export const pointing = signal<Pointed | null>(null);

/** What is pressed on the table: told to the form that waits for it, else to the question. */
export function press(keys: TargetKey[], all: boolean): void {
  const first = keys[0];
  if (pointing.value && first) pointing.value(first);
  else draft.value?.press?.(keys, all);
}

/** An object or player as people write it in a line: "#104", a name. */
export function written(key: TargetKey, named: (seat: number) => string): string {
  return key.startsWith("o") ? `#${key.slice(1)}` : key.startsWith("p") ? named(Number(key.slice(1))) : "";
}
