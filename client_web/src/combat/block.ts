// The draft of a declaration of blockers (509.1): pick own creatures, then what they block; or an attacker, then blockers.
import { computed, signal } from "@preact/signals";
import type { Answer, P } from "../protocol/names.ts";
import {
  type Draft,
  type DraftArrow,
  type Mark,
  objectKey,
  type Portion,
  type TargetKey,
} from "../questions/interaction.ts";

export class BlockDraft implements Draft {
  /** Index of the blocker to ids of the attackers it blocks. */
  readonly chosen = signal<ReadonlyMap<number, readonly string[]>>(new Map());
  readonly selected = signal<ReadonlySet<number>>(new Set());
  /** The attacker that the next blocker pressed will block. */
  readonly aim = signal<string | null>(null);
  readonly attackers: string[];
  readonly answer;
  readonly marks;
  readonly arrows;
  readonly portion;
  /** Blockers of the stack of equal ones that was pressed last. */
  private readonly stack = signal<readonly number[]>([]);
  private readonly blockerAt = new Map<TargetKey, number>();

  constructor(readonly question: P.BlockersQuestion) {
    const attackers = new Set<string>();
    question.blockers.forEach((blocker, index) => {
      this.blockerAt.set(objectKey(blocker.object), index);
      for (const attacker of blocker.attackers) attackers.add(attacker);
    });
    this.attackers = [...attackers];
    if (question.default.kind === "blockers") {
      const chosen = new Map<number, string[]>();
      for (const [at, id] of question.default.blocks) chosen.set(at, [...(chosen.get(at) ?? []), id]);
      this.chosen.value = chosen;
    }
    this.answer = computed<Answer | null>(() => ({
      kind: "blockers",
      blocks: [...this.chosen.value].flatMap(([at, ids]) => ids.map((id): [number, string] => [at, id])),
    }));
    this.marks = computed(() => this.mark());
    this.arrows = computed(() => this.draw());
    this.portion = computed<Portion | null>(() => {
      const stack = this.stack.value;
      const object = question.blockers[stack[0] ?? -1]?.object;
      if (object === undefined || stack.length < 2) return null;
      const taken = this.taken(stack);
      return { object, count: taken.length, most: taken.length + this.free(stack).length };
    });
  }

  /** The attacker that a creature blocks as soon as it is pressed. */
  private get to(): string | undefined {
    return this.aim.value ?? (this.attackers.length === 1 ? this.attackers[0] : undefined);
  }

  /** Those of a stack that block what it is aimed at, or are picked to block whatever is pressed next. */
  private taken(stack: readonly number[]): number[] {
    const to = this.to;
    return stack.filter((at) => (to ? this.chosen.value.get(at)?.includes(to) : this.selected.value.has(at)));
  }

  private free(stack: readonly number[]): number[] {
    return stack.filter((at) => !this.chosen.value.has(at) && !this.selected.value.has(at));
  }

  /** So many of the stack that was pressed last, no more and no fewer. */
  split(count: number): void {
    const stack = this.stack.value;
    const taken = this.taken(stack);
    this.pressBlockers([
      ...this.free(stack).slice(0, Math.max(0, count - taken.length)),
      ...taken.slice(Math.max(0, count)),
    ]);
  }

  press(keys: TargetKey[], all: boolean): void {
    const blockers = keys.map((key) => this.blockerAt.get(key)).filter((at) => at !== undefined);
    if (blockers.length) {
      this.stack.value = blockers;
      const next = this.free(blockers)[0] ?? blockers.at(-1);
      this.pressBlockers(all || next === undefined ? blockers : [next]);
      return;
    }
    const attacker = keys.map((key) => key.slice(1)).find((id) => this.attackers.includes(id));
    if (attacker) this.pressAttacker(attacker);
  }

  private pressBlockers(some: number[]): void {
    const aim = this.to;
    if (aim) {
      for (const at of some) this.toggle(at, aim);
      return;
    }
    const selected = new Set(this.selected.value);
    for (const at of some) {
      if (selected.has(at)) selected.delete(at);
      else if (this.chosen.value.has(at) && (this.question.blockers[at]?.most ?? 1) === 1) this.release(at);
      else selected.add(at);
    }
    this.selected.value = selected;
  }

  private pressAttacker(id: string): void {
    if (this.selected.value.size) {
      for (const at of this.selected.value) this.toggle(at, id);
      this.selected.value = new Set();
    } else {
      this.aim.value = this.aim.value === id ? null : id;
    }
  }

  drop(from: TargetKey, to: TargetKey | null): void {
    const at = this.blockerAt.get(from);
    const id = to?.slice(1) ?? "";
    if (at === undefined || !this.attackers.includes(id)) return;
    const some = this.selected.value.has(at) ? [...this.selected.value] : [at];
    for (const one of some) if (!this.chosen.value.get(one)?.includes(id)) this.toggle(one, id);
    this.selected.value = new Set();
  }

  key(key: string): boolean {
    if (key >= "1" && key <= "9") {
      const id = this.attackers[Number(key) - 1];
      if (id) this.pressAttacker(id);
      return id !== undefined;
    }
    const part = key === "+" || key === "-" ? this.portion.value : null;
    if (part) {
      this.split(Math.max(0, Math.min(part.most, part.count + (key === "+" ? 1 : -1))));
      return true;
    }
    if (key === "a") {
      this.selected.value = new Set(
        this.question.blockers.map((_, at) => at).filter((at) => !this.chosen.value.has(at)),
      );
      return true;
    }
    return false;
  }

  clear(): boolean {
    const some = this.chosen.value.size + this.selected.value.size > 0 || this.aim.value !== null;
    this.chosen.value = new Map();
    this.selected.value = new Set();
    this.aim.value = null;
    return some;
  }

  /** What is picked is put down, then the attacker that is next to be blocked, then blockers, the last one first. */
  back(): boolean {
    const last = [...this.chosen.value.keys()].at(-1);
    if (this.selected.value.size) this.selected.value = new Set();
    else if (this.aim.value !== null) this.aim.value = null;
    else if (last !== undefined) this.release(last);
    else return false;
    return true;
  }

  /** Let a blocker block an attacker, or not any more. One that blocks too many lets go of its first. */
  private toggle(at: number, id: string): void {
    const blocker = this.question.blockers[at];
    if (!blocker?.attackers.includes(id)) return;
    const now = this.chosen.value.get(at) ?? [];
    const most = blocker.most ?? 1;
    const next = now.includes(id) ? now.filter((one) => one !== id) : [...now, id].slice(-most);
    const chosen = new Map(this.chosen.value);
    if (next.length) chosen.set(at, next);
    else chosen.delete(at);
    this.chosen.value = chosen;
  }

  private release(at: number): void {
    const chosen = new Map(this.chosen.value);
    chosen.delete(at);
    this.chosen.value = chosen;
  }

  private mark(): ReadonlyMap<TargetKey, Mark> {
    const marks = new Map<TargetKey, Mark>();
    this.attackers.forEach((id, index) => {
      marks.set(objectKey(id), { can: true, aim: this.aim.value === id, label: String(index + 1) });
    });
    this.question.blockers.forEach((blocker, at) => {
      const blocks = this.chosen.value.get(at);
      const label = blocks?.map((id) => String(this.attackers.indexOf(id) + 1)).join("+");
      const to = blocks ? (this.question.for_seat ?? this.question.seat) : undefined;
      const picked = this.selected.value.has(at);
      marks.set(objectKey(blocker.object), { can: true, picked, to, label, stays: true });
    });
    return marks;
  }

  private draw(): DraftArrow[] {
    return [...this.chosen.value].flatMap(([at, ids]) =>
      ids.map((id) => ({
        from: this.question.blockers[at]?.object ?? "",
        to: objectKey(id),
        seat: this.question.for_seat ?? this.question.seat,
      })),
    );
  }
}
