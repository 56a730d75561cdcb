// Whether the mana in a pool pays a cost.
import assert from "node:assert/strict";
import { test } from "node:test";
import { covers } from "../src/questions/pool.ts";

test("colours are paid by their own mana, the rest by any", () => {
  assert.equal(covers({ W: 1, G: 1 }, "{1}{W}"), true);
  assert.equal(covers({ G: 2 }, "{1}{W}"), false);
  assert.equal(covers({ W: 1 }, "{1}{W}"), false);
  assert.equal(covers({ W: 1, C: 1 }, "{1}{W}"), true);
  assert.equal(covers({ R: 2 }, "{C}"), false);
});

test("a cost that can be paid in several ways is never paid by itself", () => {
  assert.equal(covers({ W: 5, U: 5 }, "{W/U}"), false);
  assert.equal(covers({ W: 5 }, "{1}{W/P}"), false);
  assert.equal(covers({ W: 5 }, "{X}"), false);
  assert.equal(covers({ W: 5 }, ""), false);
});
