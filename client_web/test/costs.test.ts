// What the page tells of the costs of declarations is what the question says (508.1g, 509.1d).
import assert from "node:assert/strict";
import { test } from "node:test";
import { attackCosts, blockCosts } from "../src/combat/costs.ts";
import type { Choice, P } from "../src/protocol/names.ts";

const BEN: Choice = { kind: "player", seat: 1 };
const CLEO: Choice = { kind: "player", seat: 2 };
const ATTACKERS: P.Attacker[] = [
  { object: "7", defenders: [BEN, CLEO], costs: ["{2}", ""] },
  { object: "8", defenders: [BEN, CLEO], costs: ["{10}", ""] },
  { object: "9", defenders: [CLEO] },
];
const is = (wanted: Choice) => (choice: Choice) => choice === wanted;

test("each defender tells what attacking it costs, the smaller first", () => {
  assert.deepEqual(attackCosts(ATTACKERS, is(BEN), new Set()), ["{2}", "{10}"]);
  assert.deepEqual(attackCosts(ATTACKERS, is(CLEO), new Set()), []);
});

test("where creatures are picked, what they would pay", () => {
  assert.deepEqual(attackCosts(ATTACKERS, is(BEN), new Set([1])), ["{10}"]);
  assert.deepEqual(attackCosts(ATTACKERS, is(BEN), new Set([2])), []);
});

test("blockers tell what their blocking costs", () => {
  const blockers: P.Blocker[] = [
    { object: "7", attackers: ["1"], cost: "{3}" },
    { object: "8", attackers: ["1"] },
  ];
  assert.deepEqual(blockCosts(blockers), [{ id: "7", cost: "{3}" }]);
});
