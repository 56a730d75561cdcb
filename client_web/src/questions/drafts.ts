// Drafts of the questions that are not combat's.
import { computed, signal } from "@preact/signals";
import type { Answer, P, Question } from "../protocol/names.ts";
import { intended, paidFor } from "./intended.ts";
import {
  choiceKey,
  type Draft,
  type Mark,
  NO_MARKS,
  objectKey,
  submit,
  type TargetKey,
} from "./interaction.ts";

/** Priority: what may be done is marked on the table; pressing it does it, or asks which if it has several ways. */
export class PriorityDraft implements Draft {
  readonly marks;
  readonly answer = signal<Answer | null>({ kind: "priority", index: 0 });
  /** The object whose actions are shown alone. */
  readonly menu = signal<TargetKey | null>(null);
  private readonly byObject = new Map<TargetKey, number[]>();

  constructor(readonly question: P.PriorityQuestion) {
    const marks = new Map<TargetKey, Mark>();
    question.actions.forEach((action, index) => {
      if (!action.object) return;
      const key = objectKey(action.object);
      this.byObject.set(key, [...(this.byObject.get(key) ?? []), index]);
      if (!action.mana) marks.set(key, { can: true });
    });
    this.marks = computed(() => {
      const menu = this.menu.value;
      return menu ? new Map(marks).set(menu, { can: true, picked: true }) : marks;
    });
  }

  press(keys: TargetKey[]): void {
    const key = keys.find((one) => this.byObject.has(one));
    if (!key) return;
    const indices = this.byObject.get(key) ?? [];
    if (indices.length === 1) this.take(indices[0] ?? 0);
    else this.menu.value = this.menu.value === key ? null : key;
  }

  /** What is dragged to the table is done: a card is cast or played, at what it is dropped on if that may be its target. */
  drop(from: TargetKey, to: TargetKey | null): void {
    const indices = this.done(from);
    intended.value = to === null ? null : { from, to, question: this.question.id };
    if (indices.length === 1) this.take(indices[0] ?? 0);
    else this.menu.value = from;
  }

  lifts(key: TargetKey): boolean {
    return this.done(key).length > 0;
  }

  /** What that can do but make mana. */
  private done(key: TargetKey): number[] {
    return (this.byObject.get(key) ?? []).filter((index) => !this.question.actions[index]?.mana);
  }

  /** Indices of the actions to list: of one object while its menu is open. */
  listed(): number[] {
    if (this.menu.value) return this.byObject.get(this.menu.value) ?? [];
    return this.question.actions.map((_, index) => index).filter((index) => index > 0);
  }

  take(index: number, manual = false): void {
    void submit(this.question, manual ? { kind: "priority", index, manual } : { kind: "priority", index });
  }

  clear(): boolean {
    const open = this.menu.value !== null;
    intended.value = null;
    this.menu.value = null;
    return open;
  }
}

/** Choosing from options, in order. A choice of exactly one is made by pressing it. */
export class ChooseDraft implements Draft {
  readonly picks = signal<number[]>([]);
  readonly marks;
  readonly answer;

  constructor(readonly question: P.ChooseQuestion) {
    this.answer = computed<Answer | null>(() => {
      const picks = this.picks.value;
      return picks.length >= question.least && picks.length <= question.most
        ? { kind: "choose", picks }
        : null;
    });
    this.marks = computed(() => {
      const marks = new Map<TargetKey, Mark>();
      question.options.forEach((option, index) => {
        const at = this.picks.value.indexOf(index);
        const label = at >= 0 && question.most > 1 ? String(at + 1) : undefined;
        marks.set(choiceKey(option), { can: true, picked: at >= 0, label });
      });
      return marks;
    });
  }

  press(keys: TargetKey[]): void {
    const options = this.question.options;
    const found = keys
      .map((key) => options.findIndex((option) => choiceKey(option) === key))
      .filter((i) => i >= 0);
    const fresh = found.find((index) => !this.picks.value.includes(index));
    const index = fresh ?? found[0];
    if (index !== undefined) this.toggle(index);
  }

  toggle(index: number): void {
    const { least, most } = this.question;
    if (least === 1 && most === 1) {
      void submit(this.question, { kind: "choose", picks: [index] });
      return;
    }
    const picks = this.picks.value;
    if (picks.includes(index)) this.picks.value = picks.filter((pick) => pick !== index);
    else if (most === 1) this.picks.value = [index];
    else if (picks.length < most) this.picks.value = [...picks, index];
  }

  back(): boolean {
    const some = this.picks.value.length > 0;
    this.picks.value = this.picks.value.slice(0, -1);
    return some;
  }

  clear(): boolean {
    const some = this.picks.value.length > 0;
    this.picks.value = [];
    return some;
  }
}

/** Putting options in order. */
export class OrderDraft implements Draft {
  readonly order;
  readonly marks = signal(NO_MARKS);
  readonly answer;

  constructor(readonly question: P.OrderQuestion) {
    const proposed =
      question.default.kind === "order" ? question.default.order : question.options.map((_, i) => i);
    this.order = signal(proposed);
    this.answer = computed<Answer | null>(() => ({ kind: "order", order: this.order.value }));
  }

  /** Move what stands at a place by so many places. */
  move(at: number, by: number): void {
    const order = [...this.order.value];
    const to = at + by;
    const moved = order[at];
    if (moved === undefined || to < 0 || to >= order.length) return;
    order.splice(at, 1);
    order.splice(to, 0, moved);
    this.order.value = order;
  }
}

/** A number within bounds. */
export class NumberDraft implements Draft {
  readonly number;
  readonly marks = signal(NO_MARKS);
  readonly answer;

  constructor(readonly question: P.NumberQuestion) {
    this.number = signal(question.default.kind === "number" ? question.default.number : question.least);
    this.answer = computed<Answer | null>(() => {
      const number = this.number.value;
      return number >= question.least && number <= question.most ? { kind: "number", number } : null;
    });
  }
}

/** An amount over options. */
export class DivideDraft implements Draft {
  readonly amounts;
  readonly marks;
  readonly answer;
  readonly left;

  constructor(readonly question: P.DivideQuestion) {
    const proposed =
      question.default.kind === "divide" ? question.default.amounts : question.options.map(() => 0);
    this.amounts = signal(proposed);
    this.left = computed(() => question.amount - this.amounts.value.reduce((sum, part) => sum + part, 0));
    this.answer = computed<Answer | null>(() => {
      const amounts = this.amounts.value;
      const enough = amounts.every((part) => part >= question.least_each);
      return enough && this.left.value === 0 ? { kind: "divide", amounts } : null;
    });
    this.marks = computed(() => {
      const marks = new Map<TargetKey, Mark>();
      question.options.forEach((option, index) => {
        marks.set(choiceKey(option), {
          can: true,
          picked: true,
          label: String(this.amounts.value[index] ?? 0),
        });
      });
      return marks;
    });
  }

  set(index: number, value: number): void {
    this.amounts.value = this.amounts.value.map((old, at) => (at === index ? Math.max(0, value) : old));
  }

  press(keys: TargetKey[]): void {
    const index = this.question.options.findIndex((option) => keys.includes(choiceKey(option)));
    if (index >= 0 && this.left.value > 0) this.set(index, (this.amounts.value[index] ?? 0) + 1);
  }
}

/** Yes or no. Enter gives the default. */
export class ConfirmDraft implements Draft {
  readonly marks = signal(NO_MARKS);
  readonly answer;

  constructor(readonly question: P.ConfirmQuestion) {
    this.answer = signal<Answer | null>(question.default);
  }

  key(key: string): boolean {
    if (key !== "y" && key !== "o" && key !== "n") return false;
    void submit(this.question, { kind: "confirm", yes: key !== "n" });
    return true;
  }
}

/** Paying by hand: mana abilities on the table, or the rest automatically. */
export class PaymentDraft implements Draft {
  readonly marks;
  readonly answer;

  constructor(readonly question: P.PaymentQuestion) {
    const marks = new Map<TargetKey, Mark>();
    for (const action of question.actions)
      if (action.object) marks.set(objectKey(action.object), { can: true });
    this.marks = signal<ReadonlyMap<TargetKey, Mark>>(marks);
    this.answer = signal<Answer | null>(question.can_auto ? { kind: "payment", index: 0 } : null);
  }

  press(keys: TargetKey[]): void {
    const at = this.question.actions.findIndex((one) => one.object && keys.includes(objectKey(one.object)));
    if (at >= 0) this.take(at + 1);
  }

  take(index: number): void {
    paidFor.value = index > 0 ? (this.question.source ?? null) : null;
    void submit(this.question, { kind: "payment", index });
  }

  /** What is being paid for is taken back (601.2). */
  back(): boolean {
    this.take(-1);
    return true;
  }
}

/** Doing by hand what a text says: a line at a time; what is pressed is written into it. */
export class ActDraft implements Draft {
  readonly line = signal("");
  readonly marks = signal(NO_MARKS);
  readonly answer;

  constructor(
    readonly question: P.ActQuestion,
    private readonly named: (seat: number) => string,
  ) {
    this.answer = computed<Answer | null>(() => ({ kind: "act", line: this.line.value.trim() }));
  }

  press(keys: TargetKey[]): void {
    const key = keys[0];
    if (!key) return;
    const word = key.startsWith("o")
      ? `#${key.slice(1)}`
      : key.startsWith("p")
        ? this.named(Number(key.slice(1)))
        : "";
    if (word) this.line.value = `${this.line.value.trimEnd()} ${word} `.trimStart();
  }

  done(): void {
    void submit(this.question, { kind: "act" });
  }

  clear(): boolean {
    const some = this.line.value !== "";
    this.line.value = "";
    return some;
  }
}

/** A question of a kind that this page does not know: only its default can be given. */
export class UnknownDraft implements Draft {
  readonly marks = signal(NO_MARKS);
  readonly answer;
  constructor(readonly question: Question) {
    this.answer = signal<Answer | null>(question.default);
  }
}
