// Questions in which actions that are alike are listed once.
import assert from "node:assert/strict";
import { test } from "node:test";
import { spread } from "../src/protocol/gathered.ts";
import type { P, Question } from "../src/protocol/names.ts";

const tap = (object: string, text: string): P.Action => ({
  type: "activate",
  object,
  ability: 0,
  text,
  mana: true,
});

test("what stands for others is spread to their places in the whole list", () => {
  const told = {
    kind: "priority",
    actions: [
      { type: "pass", text: "Pass" },
      { ...tap("1", "Plains"), also: { "3": 3, "4": 5 } },
      tap("2", "Mountain"),
      { type: "cast", object: "7", text: "Ember Lash" },
    ],
  } as unknown as Question;
  assert.deepEqual(spread(told), {
    kind: "priority",
    actions: [
      { type: "pass", text: "Pass" },
      tap("1", "Plains"),
      tap("2", "Mountain"),
      tap("3", "Plains"),
      { type: "cast", object: "7", text: "Ember Lash" },
      tap("4", "Plains"),
    ],
  });
});

test("a question with nothing to spread is the same", () => {
  const told = { kind: "priority", actions: [tap("1", "Plains")] } as unknown as Question;
  assert.equal(spread(told), told);
});
