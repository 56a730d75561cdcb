// Arrows leave cards by their middle and go past what is to be read.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Box, beside, type Curve, curve, on, Ways } from "../src/combat/curve.ts";

const CARD: Box = { x: 300, y: 460, width: 180, height: 120 };
/** A nameplate in the row above, far to the right. */
const PLATE: Box = { x: 560, y: 370, width: 270, height: 32 };

const along = (line: Curve) => Array.from({ length: 101 }, (_, at) => on(line, at / 100));
const inside = ({ x, y, width, height }: Box, line: Curve) =>
  along(line).filter((at) => at.x > x && at.x < x + width && at.y > y && at.y < y + height).length;

test("what lies in another row is reached from the middle of the upper side, not from a corner", () => {
  const [start] = along(curve(CARD, PLATE));
  assert.equal(start?.y, CARD.y);
  const off = Math.abs((start?.x ?? 0) - (CARD.x + CARD.width / 2));
  assert.ok(off <= 0.3 * CARD.width + 1, `${off}`);
});

test("what lies beside is reached from the side, off the corners", () => {
  const [start] = along(curve(CARD, { x: 900, y: 400, width: 60, height: 80 }));
  assert.equal(start?.x, CARD.x + CARD.width);
  assert.ok(Math.abs((start?.y ?? 0) - (CARD.y + CARD.height / 2)) <= 0.3 * CARD.height + 1);
});

test("a nameplate is met where it is nearest", () => {
  const wide = { x: 0, y: 410, width: 830, height: 34 };
  const above = { x: 20, y: 230, width: 140, height: 90 };
  const end = along(curve(above, wide)).at(-1);
  assert.equal(end?.y, wide.y);
  assert.ok((end?.x ?? 830) < 300, `${end?.x}`);
});

test("an arrow bends past what is to be read, and as it likes where nothing is", () => {
  const free = curve(CARD, PLATE);
  const { x, y } = on(free, 0.5);
  const name = { x: x - 20, y: y - 8, width: 40, height: 16 };
  assert.ok(inside(name, free) > 0);
  const past = curve(CARD, PLATE, [name]);
  assert.equal(inside(name, past), 0);
  assert.deepEqual(
    [on(past, 0), on(past, 1)],
    [on(free, 0), on(free, 1)],
    "it leads from and to the same places",
  );
  assert.deepEqual(curve(CARD, PLATE, [{ x: 0, y: 0, width: 9, height: 9 }]), free);
});

test("a way that is kept is found anew when what is to be read has moved", () => {
  const ways = new Ways();
  const free = ways.curve(CARD, PLATE);
  assert.equal(ways.curve({ ...CARD }, { ...PLATE }), free, "the same one");
  const { x, y } = on(free, 0.5);
  const name = { x: x - 20, y: y - 8, width: 40, height: 16 };
  ways.look([name]);
  assert.equal(inside(name, ways.curve(CARD, PLATE)), 0);
  ways.look([]);
  assert.deepEqual(ways.curve(CARD, PLATE), free);
});

test("the number of a ribbon stands in its middle, or where it covers no name", () => {
  const line = curve(CARD, PLATE);
  const middle = on(line, 0.5);
  assert.deepEqual(beside(line, []), middle);
  const name = { x: middle.x - 10, y: middle.y - 10, width: 20, height: 20 };
  const at = beside(line, [name]);
  assert.ok(
    along(line).some(({ x, y }) => x === at.x && y === at.y),
    "on the ribbon",
  );
  const apart = [
    at.x + 28 <= name.x,
    at.x - 28 >= name.x + 20,
    at.y + 12 <= name.y,
    at.y - 12 >= name.y + 20,
  ];
  assert.ok(apart.includes(true), `${at.x} ${at.y}`);
});
