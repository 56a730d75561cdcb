// What the page lets one divide is what the rules allow (510.1c, 510.1e; deathtouch 702.2b).
import assert from "node:assert/strict";
import { test } from "node:test";
import { wrongDivision } from "../src/combat/division.ts";
import type { P } from "../src/protocol/names.ts";

const it = (id: number): P.Choice => ({ kind: "object", id: `${id}` });
const BEN: P.Choice = { kind: "player", seat: 1 };

const over = (object: string, power: number, lethal: number[]): P.Assigner => ({
  object,
  power,
  options: [...lethal.slice(1).map((_, at) => it(50 + at)), BEN],
  lethal,
  trample: true,
});

test("all the power is assigned", () => {
  assert.equal(wrongDivision([over("1", 5, [3, 0])], [[3, 2]], 0), null);
  assert.equal(wrongDivision([over("1", 5, [3, 0])], [[3, 1]], 0)?.key, "ui.sum");
});

const FIRST = "web.lethal_first";
const wrong = (assigners: P.Assigner[], ...amounts: number[][]) =>
  assigners.map((_, at) => wrongDivision(assigners, amounts, at)?.key);

test("lethal damage comes first", () => {
  assert.deepEqual(wrong([over("1", 5, [3, 0])], [2, 3]), [FIRST]);
});

test("what two tramplers assign together is lethal for both", () => {
  const two = [over("1", 5, [3, 0]), over("2", 5, [3, 0])];
  assert.deepEqual(wrong(two, [1, 4], [2, 3]), [undefined, undefined]);
  assert.deepEqual(wrong(two, [3, 2], [0, 5]), [undefined, undefined]);
  assert.deepEqual(wrong(two, [1, 4], [1, 4]), [FIRST, FIRST]);
});

test("one damage of deathtouch is lethal for the other too", () => {
  const two = [over("1", 5, [1, 0]), over("2", 5, [6, 0])];
  assert.deepEqual(wrong(two, [1, 4], [0, 5]), [undefined, undefined]);
  assert.deepEqual(wrong(two, [0, 5], [5, 0]), [FIRST, undefined]);
});

test("without order only the defender waits for lethal damage", () => {
  const one = { ...over("1", 5, [3, 3, 0]), unordered: true };
  assert.deepEqual(wrong([one], [0, 5, 0]), [undefined]);
  assert.deepEqual(wrong([one], [0, 4, 1]), [FIRST]);
});

test("of a team one player is dealt damage by each creature", () => {
  const CLEO: P.Choice = { kind: "player", seat: 2 };
  const ox: P.Assigner = {
    object: "1",
    power: 5,
    options: [it(50), BEN, CLEO],
    lethal: [2, 0, 0],
    trample: true,
    heads: 2,
  };
  assert.deepEqual(wrong([ox], [2, 3, 0]), [undefined]);
  assert.deepEqual(wrong([ox], [2, 0, 3]), [undefined]);
  assert.deepEqual(wrong([ox], [2, 1, 2]), ["ui.one_head"]);
  assert.deepEqual(wrong([ox], [1, 4, 0]), [FIRST]);
  const free: P.Assigner = { ...ox, unordered: true };
  assert.deepEqual(wrong([free], [1, 4, 0]), [FIRST]);
});
