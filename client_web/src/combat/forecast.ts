// What the server foresees of the declaration that is drafted: asked for a moment after the draft has changed.
import { effect, signal } from "@preact/signals";
import { Refusal } from "../protocol/link.ts";
import type { P } from "../protocol/names.ts";
import { draft } from "../questions/current.ts";
import { link } from "../state/session.ts";
import type { Fate } from "../table/fight.ts";

const PAUSE_MS = 150;
const KINDS = new Set(["attackers", "blockers", "damage"]);

/** The forecast of the draft as it is now; null while there is none. */
export const forecast = signal<P.Forecast | null>(null);
export const fates = signal<ReadonlyMap<string, Fate>>(new Map());

/** A server that cannot foresee is not asked again. */
let able = true;

export function beginForecasts(): void {
  effect(() => {
    const now = draft.value;
    const answer = now?.answer.value;
    forecast.value = null;
    if (!now || !answer || !able || !KINDS.has(now.question.kind)) return;
    const question = now.question.id;
    const timer = window.setTimeout(() => {
      link.request<P.Forecast>({ type: "preview", question, answer }).then(
        (reply) => {
          if (draft.peek() === now && now.answer.peek() === answer) forecast.value = reply;
        },
        (fault: Error) => {
          if (fault instanceof Refusal && fault.code !== "stale") able = false;
        },
      );
    }, PAUSE_MS);
    return () => window.clearTimeout(timer);
  });
  effect(() => {
    fates.value = fatesOf(forecast.value?.effects);
  });
}

function fatesOf(effects: P.Effects | undefined): ReadonlyMap<string, Fate> {
  const found = new Map<string, Fate>();
  for (const [id, amount] of Object.entries(effects?.damage ?? {})) if (amount > 0) found.set(id, "hurt");
  for (const [id, amount] of Object.entries(effects?.loyalty ?? {})) if (amount < 0) found.set(id, "hurt");
  for (const id of effects?.dies ?? []) found.set(id, "dies");
  return found;
}
