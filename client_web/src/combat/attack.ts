// The draft of a declaration of attackers (508.1): pick creatures, then whom they attack; or whom, then creatures.
import { computed, signal } from "@preact/signals";
import type { Answer, Choice, P } from "../protocol/names.ts";
import {
  choiceKey,
  type Draft,
  type DraftArrow,
  type Mark,
  objectKey,
  type Portion,
  type TargetKey,
} from "../questions/interaction.ts";
import { attackCosts } from "./costs.ts";

/** Somebody or something that may be attacked, with the seat that defends it and the number of its key. */
export interface Defender {
  key: TargetKey;
  choice: Choice;
  seat: number;
  digit: number;
}

export class AttackDraft implements Draft {
  /** Index of the attacker to index in its `defenders`. */
  readonly chosen = signal<ReadonlyMap<number, number>>(new Map());
  readonly selected = signal<ReadonlySet<number>>(new Set());
  /** Whom the next creature that is pressed attacks. */
  readonly aim = signal<TargetKey | null>(null);
  readonly bands = signal<number[][]>([]);
  readonly defenders: Defender[];
  readonly answer;
  readonly marks;
  readonly arrows;
  readonly portion;
  /** Attackers of the stack of equal ones that was pressed last. */
  private readonly stack = signal<readonly number[]>([]);
  private readonly attackerAt = new Map<TargetKey, number>();

  /** `order` is the turn order, `controller` says whose a planeswalker is, `life` how much life a player has. */
  constructor(
    readonly question: P.AttackersQuestion,
    order: number[],
    controller: (id: string) => number,
    private readonly life: (seat: number) => number,
  ) {
    question.attackers.forEach((attacker, index) => {
      this.attackerAt.set(objectKey(attacker.object), index);
    });
    this.defenders = defendersOf(question, order, controller);
    if (question.default.kind === "attackers") this.chosen.value = new Map(question.default.attacks);
    this.answer = computed<Answer | null>(() => {
      const attacks = [...this.chosen.value].sort(([a], [b]) => a - b);
      const bands = this.bands.value;
      return bands.length ? { kind: "attackers", attacks, bands } : { kind: "attackers", attacks };
    });
    this.marks = computed(() => this.mark());
    this.arrows = computed(() => this.draw());
    this.portion = computed<Portion | null>(() => {
      const stack = this.stack.value;
      const object = question.attackers[stack[0] ?? -1]?.object;
      if (object === undefined || stack.length < 2) return null;
      const taken = this.taken(stack);
      const free = stack.filter((at) => !this.chosen.value.has(at)).length;
      return { object, count: taken.length, most: this.to ? taken.length + free : free };
    });
  }

  /** Whom a creature attacks as soon as it is pressed. */
  private get to(): TargetKey | null {
    return this.aim.value ?? (this.defenders.length === 1 ? (this.defenders[0]?.key ?? null) : null);
  }

  /** Those of a stack that attack whom it is aimed at, or are picked to attack whoever is pressed next. */
  private taken(stack: readonly number[]): number[] {
    const to = this.to;
    return stack.filter((at) => (to ? this.targetOf(at) === to : this.selected.value.has(at)));
  }

  /** So many of the stack that was pressed last, no more and no fewer. */
  split(count: number): void {
    const stack = this.stack.value;
    const taken = this.taken(stack);
    const more = stack.filter((at) => !this.chosen.value.has(at) && !taken.includes(at));
    const adds = more.slice(0, Math.max(0, count - taken.length));
    const gives = taken.slice(Math.max(0, count));
    const to = this.to;
    if (to) {
      this.send(adds, to);
      this.withdraw(gives);
      return;
    }
    const selected = new Set([...this.selected.value, ...adds]);
    for (const at of gives) selected.delete(at);
    this.selected.value = selected;
  }

  press(keys: TargetKey[], all: boolean): void {
    const attackers = keys.map((key) => this.attackerAt.get(key)).filter((at) => at !== undefined);
    if (attackers.length) this.pressAttackers(attackers, all);
    else if (keys[0]) this.pressDefender(keys[0]);
  }

  /** Press creatures: one of the stack, or all. */
  private pressAttackers(stack: number[], all: boolean): void {
    this.stack.value = stack;
    const free = stack.filter((at) => !this.chosen.value.has(at));
    const next = free.find((at) => !this.selected.value.has(at)) ?? free.at(-1) ?? stack.at(-1);
    const some = all ? stack : next === undefined ? [] : [next];
    const aim = this.to;
    if (
      some.every((at) => this.chosen.value.has(at)) &&
      (!aim || some.every((at) => this.targetOf(at) === aim))
    ) {
      this.withdraw(some);
    } else if (aim) {
      this.send(some, aim);
    } else {
      const selected = new Set(this.selected.value);
      const remove = some.every((at) => selected.has(at));
      for (const at of some) remove ? selected.delete(at) : selected.add(at);
      this.selected.value = selected;
    }
  }

  /** Press whom to attack: those selected do, or the next ones will. */
  pressDefender(key: TargetKey): void {
    if (!this.defenders.some((defender) => defender.key === key)) return;
    if (this.selected.value.size) {
      this.send([...this.selected.value], key);
      this.selected.value = new Set();
    } else {
      this.aim.value = this.aim.value === key ? null : key;
    }
  }

  drop(from: TargetKey, to: TargetKey | null): void {
    const at = this.attackerAt.get(from);
    if (at === undefined || to === null) return;
    const selected = this.selected.value;
    this.send(selected.has(at) ? [...selected] : [at], to);
    this.selected.value = new Set();
  }

  /** Digits choose defenders, `a` all creatures, Backspace takes the last attacker back. */
  key(key: string): boolean {
    const digit = Number(key);
    if (key >= "1" && key <= "9") {
      const defender = this.defenders.find((one) => one.digit === digit);
      if (defender) this.pressDefender(defender.key);
      return defender !== undefined;
    }
    const part = key === "+" || key === "-" ? this.portion.value : null;
    if (part) {
      this.split(Math.max(0, Math.min(part.most, part.count + (key === "+" ? 1 : -1))));
      return true;
    }
    if (key === "a") {
      this.selectAll();
      return true;
    }
    if (key === "w" && this.players.length > 1) {
      this.allAtWeakest();
      return true;
    }
    if (key === "s" && this.players.length > 1) {
      this.spread();
      return true;
    }
    if (key === "Backspace") {
      const last = [...this.chosen.value.keys()].at(-1);
      if (last !== undefined) this.withdraw([last]);
      return last !== undefined;
    }
    return false;
  }

  /** Every creature that does not attack yet; with an aim or a single defender they attack at once. */
  selectAll(): void {
    const rest = this.question.attackers.map((_, at) => at).filter((at) => !this.chosen.value.has(at));
    const aim = this.to;
    if (aim) this.send(rest, aim);
    else this.selected.value = new Set(rest);
  }

  /** The players among the defenders. */
  get players(): Defender[] {
    return this.defenders.filter(({ choice }) => choice.kind === "player");
  }

  /** Every creature that may attack that defender does. */
  allAt(key: TargetKey): void {
    this.send(
      this.question.attackers.map((_, at) => at),
      key,
    );
    this.selected.value = new Set();
  }

  /** Every creature that may attacks the player with the least life; of several the first in turn order. */
  allAtWeakest(): void {
    const least = Math.min(...this.players.map(({ seat }) => this.life(seat)));
    const weakest = this.players.find(({ seat }) => this.life(seat) === least);
    if (weakest) this.allAt(weakest.key);
  }

  /** Creatures that do not attack yet go to the players in turn, each to the one that the fewest attack. */
  spread(): void {
    this.question.attackers.forEach((attacker, at) => {
      if (this.chosen.value.has(at)) return;
      const may = this.players.filter(({ key }) =>
        attacker.defenders.some((choice) => choiceKey(choice) === key),
      );
      const fewest = may.reduce<Defender | null>(
        (best, one) => (best && this.count(best.key) <= this.count(one.key) ? best : one),
        null,
      );
      if (fewest) this.send([at], fewest.key);
    });
    this.selected.value = new Set();
  }

  /** Join the selected or all attackers of one defender in a band (702.20). */
  band(): void {
    const free = [...this.chosen.value.keys()].filter(
      (at) => !this.bands.value.some((band) => band.includes(at)),
    );
    const picked = free.filter((at) => this.selected.value.has(at));
    if (picked.length > 1) this.bands.value = [...this.bands.value, picked];
    this.selected.value = new Set();
  }

  clear(): boolean {
    const some = this.chosen.value.size + this.selected.value.size > 0 || this.aim.value !== null;
    this.chosen.value = new Map();
    this.selected.value = new Set();
    this.bands.value = [];
    this.aim.value = null;
    return some;
  }

  /** What is picked is put down, then whom the next attack is forgotten, then attackers are withdrawn, the last one first. */
  back(): boolean {
    const last = [...this.chosen.value.keys()].at(-1);
    if (this.selected.value.size) this.selected.value = new Set();
    else if (this.aim.value !== null) this.aim.value = null;
    else if (last !== undefined) this.withdraw([last]);
    else return false;
    return true;
  }

  /** How many attack that defender in the draft. */
  count(key: TargetKey): number {
    return [...this.chosen.value.keys()].filter((at) => this.targetOf(at) === key).length;
  }

  /** What attacking that defender costs those selected, else all that may. */
  costs(key: TargetKey): string[] {
    return attackCosts(this.question.attackers, (choice) => choiceKey(choice) === key, this.selected.value);
  }

  targetOf(at: number): TargetKey | null {
    const defender = this.chosen.value.get(at);
    const choice = defender === undefined ? undefined : this.question.attackers[at]?.defenders[defender];
    return choice ? choiceKey(choice) : null;
  }

  private send(attackers: number[], key: TargetKey): void {
    const chosen = new Map(this.chosen.value);
    for (const at of attackers) {
      const index =
        this.question.attackers[at]?.defenders.findIndex((choice) => choiceKey(choice) === key) ?? -1;
      if (index >= 0) {
        chosen.delete(at);
        chosen.set(at, index);
      }
    }
    this.chosen.value = chosen;
  }

  private withdraw(attackers: number[]): void {
    const chosen = new Map(this.chosen.value);
    for (const at of attackers) chosen.delete(at);
    this.chosen.value = chosen;
    this.bands.value = this.bands.value.filter((band) => !band.some((at) => attackers.includes(at)));
  }

  private mark(): ReadonlyMap<TargetKey, Mark> {
    const marks = new Map<TargetKey, Mark>();
    this.question.attackers.forEach((attacker, at) => {
      const to = this.defenders.find((one) => one.key === this.targetOf(at));
      const label = to ? String(to.digit) : undefined;
      marks.set(objectKey(attacker.object), {
        can: true,
        picked: this.selected.value.has(at),
        to: to?.seat,
        label,
        stays: true,
      });
    });
    for (const defender of this.defenders) {
      marks.set(defender.key, {
        can: true,
        aim: this.aim.value === defender.key,
        label: String(defender.digit),
      });
    }
    return marks;
  }

  private draw(): DraftArrow[] {
    const arrows: DraftArrow[] = [];
    for (const at of this.chosen.value.keys()) {
      const defender = this.defenders.find((one) => one.key === this.targetOf(at));
      const attacker = this.question.attackers[at];
      if (defender && attacker) arrows.push({ from: attacker.object, to: defender.key, seat: defender.seat });
    }
    return arrows;
  }
}

function defendersOf(
  question: P.AttackersQuestion,
  order: number[],
  controller: (id: string) => number,
): Defender[] {
  const found = new Map<TargetKey, { choice: Choice; seat: number }>();
  for (const attacker of question.attackers) {
    for (const choice of attacker.defenders) {
      const seat =
        choice.kind === "player" ? choice.seat : choice.kind === "object" ? controller(choice.id) : -1;
      found.set(choiceKey(choice), { choice, seat });
    }
  }
  const start = order.indexOf(question.for_seat ?? question.seat);
  const place = (seat: number) => (order.indexOf(seat) - start + order.length) % (order.length || 1);
  return [...found]
    .sort(([keyA, a], [keyB, b]) => place(a.seat) - place(b.seat) || keyB.localeCompare(keyA))
    .map(([key, { choice, seat }], index) => ({ key, choice, seat, digit: index + 1 }));
}
