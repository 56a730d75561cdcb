// Choosing the target of a spell or ability of ours: where its arrow comes from and which way it points, and the target that was
// named beforehand by dropping a card on it. And paying by hand, to its end.
import { computed, effect, signal } from "@preact/signals";
import type { P } from "../protocol/names.ts";
import { question, view } from "../state/game.ts";
import { casting } from "../state/given.ts";
import { draft } from "./current.ts";
import { ChooseDraft, PaymentDraft } from "./drafts.ts";
import { intended, paidFor } from "./intended.ts";
import { choiceKey, objectKey, sending, type TargetKey } from "./interaction.ts";
import { covers } from "./pool.ts";

/** What is aimed, while a target is asked for it; null otherwise. */
export const aiming = computed<TargetKey | null>(() => {
  const asked = question.value;
  const source = asked?.kind === "choose" && asked.purpose === "target" ? asked.source : undefined;
  return source !== undefined && view.value?.objects?.[source]?.zone === "stack" ? objectKey(source) : null;
});

/** Where the pointer is, in client coordinates; null before it has moved. */
export const pointer = signal<{ x: number; y: number } | null>(null);

const NOTHING: ReadonlySet<TargetKey> = new Set();

/** What the pointer is on while a target is asked for: of a stack all that lie in it. */
export const pointed = computed<ReadonlySet<TargetKey>>(() => {
  const at = pointer.value;
  if (!at || !aiming.value) return NOTHING;
  const under = document.elementFromPoint(at.x, at.y)?.closest<HTMLElement>("[data-ids],[data-seat]");
  if (!under) return NOTHING;
  const { ids, seat } = under.dataset;
  return new Set(ids === undefined ? [`p${seat}`] : ids.split(" ").map(objectKey));
});

/** Whether the question is of what was dragged: of the spell that is being cast, or of an ability of that permanent. */
function isOf(asked: P.ChooseQuestion, from: TargetKey): boolean {
  const source = view.peek()?.objects?.[asked.source ?? ""];
  return casting.value || (source?.source !== undefined && objectKey(source.source) === from);
}

/** Pay as soon as the mana that was made by hand suffices: nothing is left to be said then. */
export function beginPaying(): void {
  effect(() => {
    const asked = question.value;
    const now = draft.value;
    if (!asked || sending.value || paidFor.value === null) return;
    if (asked.kind !== "payment" || asked.source !== paidFor.value) {
      if (asked.kind === "priority") paidFor.value = null;
      return;
    }
    const pool = view.value?.players[String(asked.for_seat ?? asked.seat)]?.mana ?? {};
    if (asked.can_auto && now instanceof PaymentDraft && covers(pool, asked.cost))
      queueMicrotask(() => now.take(0));
  });
}

/** Answer with the target that was named beforehand, as soon as it is asked for; another question lets it be forgotten. */
export function beginAiming(): void {
  effect(() => {
    const asked = question.value;
    const meant = intended.value;
    const now = draft.value;
    if (!meant || !asked || sending.value || asked.id === meant.question) return;
    if (asked.kind === "priority") {
      intended.value = null;
      return;
    }
    if (asked.kind !== "choose" || !aiming.value || !isOf(asked, meant.from)) return;
    intended.value = null;
    const at = asked.options.findIndex((option) => choiceKey(option) === meant.to);
    if (at >= 0 && now instanceof ChooseDraft) queueMicrotask(() => now.toggle(at));
  });
}
