// The draft of the question that is open, made anew with each question.
import { computed } from "@preact/signals";
import { playerName } from "../card/look.ts";
import { AttackDraft } from "../combat/attack.ts";
import { BlockDraft } from "../combat/block.ts";
import { DamageDraft } from "../combat/damage.ts";
import type { P, Question } from "../protocol/names.ts";
import { question, view } from "../state/game.ts";
import {
  ActDraft,
  ChooseDraft,
  ConfirmDraft,
  DivideDraft,
  NumberDraft,
  OrderDraft,
  PaymentDraft,
  PriorityDraft,
  UnknownDraft,
} from "./drafts.ts";
import { type Draft, NO_MARKS } from "./interaction.ts";

function draftOf(open: Question): Draft {
  switch (open.kind) {
    case "priority":
      return new PriorityDraft(open);
    case "choose":
      return new ChooseDraft(open);
    case "confirm":
      return new ConfirmDraft(open);
    case "number":
      return new NumberDraft(open);
    case "order":
      return new OrderDraft(open);
    case "divide":
      return new DivideDraft(open);
    case "attackers": {
      const now = view.peek();
      return new AttackDraft(
        open,
        now?.order ?? [],
        (id) => now?.objects?.[id]?.controller ?? -1,
        (seat) => now?.players[String(seat)]?.life ?? 0,
      );
    }
    case "blockers":
      return new BlockDraft(open);
    case "damage":
      return new DamageDraft(open);
    case "act":
      return new ActDraft(open, (seat) => playerName(seat, view.peek() as P.View));
    case "payment":
      return new PaymentDraft(open);
    default:
      return new UnknownDraft(open);
  }
}

export const draft = computed<Draft | null>(() => (question.value ? draftOf(question.value) : null));
export const marks = computed(() => draft.value?.marks.value ?? NO_MARKS);
