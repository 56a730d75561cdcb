// The button says what passing does, and whoever waits is told where the table asks again.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { P, Step } from "../src/protocol/names.ts";
import { nextStop, passKey } from "../src/questions/promise.ts";

const player = (lost = false) => ({ name: "", life: 20, ...(lost && { lost }) });
const view = (step: string, more: Partial<P.View> = {}): P.View => ({
  turn: 3,
  phase: "",
  step,
  active: 0,
  you: 0,
  order: [0, 1, 2],
  players: { 0: player(), 1: player(), 2: player() },
  ...more,
});

test("in one's own turn the button says where the turn goes", () => {
  assert.equal(passKey(view("precombat_main")), "web.do_to_combat");
  assert.equal(passKey(view("declare_attackers")), "web.do_to_blockers");
  assert.equal(passKey(view("postcombat_main")), "web.do_end_turn");
});

test("with something on the stack it resolves, whoever's turn it is", () => {
  assert.equal(passKey(view("precombat_main", { stack: ["7"] })), "web.do_resolve");
  assert.equal(passKey(view("end", { active: 1, stack: ["7"] })), "web.do_resolve");
});

test("in the turn of another it is a pass", () => {
  assert.equal(passKey(view("precombat_main", { active: 1 })), "ui.pass");
});

const stops =
  (mine: Step[], others: Step[]) =>
  (seat: number): Step[] =>
    seat === 0 ? mine : others;

test("the next stop is later in this turn, or in the turns that follow", () => {
  const set = stops(["precombat_main"], ["end"]);
  assert.deepEqual(nextStop(view("upkeep"), set), { seat: 0, step: "precombat_main" });
  assert.deepEqual(nextStop(view("precombat_main"), set), { seat: 1, step: "end" });
  assert.deepEqual(nextStop(view("end", { active: 2 }), set), { seat: 0, step: "precombat_main" });
});

test("who is out has no turn to stop in", () => {
  const players = { 0: player(), 1: player(true), 2: player() };
  assert.deepEqual(nextStop(view("end", { players }), stops([], ["end"])), { seat: 2, step: "end" });
});

test("without stops there is none", () => {
  assert.equal(nextStop(view("end"), stops([], [])), null);
});

test("nobody stops in an untap step", () => {
  assert.deepEqual(nextStop(view("end"), stops([], ["untap", "upkeep"])), { seat: 1, step: "upkeep" });
});

test("the turn of a team that takes its turns together is everybody's of the team", () => {
  const giants = { you: 1, order: [0, 1, 2, 3], teams: [0, 0, 1, 1], shared_turns: true } as Partial<P.View>;
  const four = { 0: player(), 1: player(), 2: player(), 3: player() };
  assert.equal(passKey(view("precombat_main", { ...giants, players: four })), "web.do_to_combat");
  assert.equal(passKey(view("precombat_main", { ...giants, players: four, active: 2 })), "ui.pass");
  const later = nextStop(view("end", { ...giants, players: four }), () => ["precombat_main"]);
  assert.deepEqual(later, { seat: 2, step: "precombat_main" });
});

test("a team mate's turn is another's where each has one alone", () => {
  const apart = { you: 1, order: [0, 1, 2, 3], teams: [0, 0, 1, 1] } as Partial<P.View>;
  const four = { 0: player(), 1: player(), 2: player(), 3: player() };
  assert.equal(passKey(view("precombat_main", { ...apart, players: four })), "ui.pass");
  const later = nextStop(view("end", { ...apart, players: four }), () => ["precombat_main"]);
  assert.deepEqual(later, { seat: 1, step: "precombat_main" });
});
