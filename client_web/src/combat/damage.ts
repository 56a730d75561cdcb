// The draft of the division of combat damage (510.1): an amount for each option of each creature, begun with the default.
import { computed, signal } from "@preact/signals";
import type { Answer, P } from "../protocol/names.ts";
import { choiceKey, type Draft, type Mark, objectKey, type TargetKey } from "../questions/interaction.ts";
import { type Wrong, wrongDivision } from "./division.ts";

export class DamageDraft implements Draft {
  readonly amounts;
  readonly marks;
  readonly answer;

  constructor(readonly question: P.DamageQuestion) {
    this.amounts = signal<number[][]>(this.proposed());
    this.answer = computed<Answer | null>(() => {
      const amounts = this.amounts.value;
      const fine = question.assigners.every((_, at) => this.wrong(at) === null);
      return fine ? { kind: "damage", amounts } : null;
    });
    this.marks = computed(() => {
      const marks = new Map<TargetKey, Mark>();
      question.assigners.forEach((assigner, at) => {
        marks.set(objectKey(assigner.object), { picked: true });
        assigner.options.forEach((option, i) => {
          const key = choiceKey(option);
          const before = Number(marks.get(key)?.label ?? 0);
          marks.set(key, { can: true, label: String(before + (this.amounts.value[at]?.[i] ?? 0)) });
        });
      });
      return marks;
    });
  }

  set(at: number, option: number, value: number): void {
    this.amounts.value = this.amounts.value.map((row, i) =>
      i === at ? row.map((old, j) => (j === option ? Math.max(0, value) : old)) : row,
    );
  }

  sum(at: number): number {
    return (this.amounts.value[at] ?? []).reduce((total, part) => total + part, 0);
  }

  /** Give all that is left of a creature's power to one option. */
  rest(at: number, option: number): void {
    const power = this.question.assigners[at]?.power ?? 0;
    this.set(at, option, (this.amounts.value[at]?.[option] ?? 0) + power - this.sum(at));
  }

  /** What the rules have against one creature's part of the division; null: nothing. */
  wrong(at: number): Wrong | null {
    return wrongDivision(this.question.assigners, this.amounts.value, at);
  }

  clear(): boolean {
    this.amounts.value = this.proposed();
    return true;
  }

  private proposed(): number[][] {
    const answer = this.question.default;
    return answer.kind === "damage"
      ? answer.amounts
      : this.question.assigners.map((one) => one.options.map(() => 0));
  }
}
