// Tiles grow to fill the mat that there is, and shrink so that all are in sight.
import assert from "node:assert/strict";
import { test } from "node:test";
import { arrange, type Counts, countsOf, filledBy, laid, type Room } from "../src/table/fit.ts";
import type { Rows } from "../src/table/groups.ts";

/** The inside of mats at 1920 by 1080: one of three opponents, and our own. */
const OTHER = { width: 500, height: 425 };
const OWN = { width: 1555, height: 335 };
const WIDEST = 216;

function filled(counts: Counts, room: Room): number {
  const { layout, size } = arrange(counts, room, WIDEST);
  const { front, back, lands } = counts;
  const joined =
    layout === "one"
      ? { ...counts, front: front + back + lands, back: 0, lands: 0 }
      : layout === "two"
        ? { ...counts, back: back + lands, lands: 0 }
        : counts;
  return filledBy(joined, size) / (room.width * room.height);
}

test("a mat with six permanents is at least half full", () => {
  for (const room of [OTHER, OWN]) {
    for (const [front, back, lands] of [
      [3, 1, 2],
      [2, 1, 3],
      [4, 0, 2],
      [6, 0, 0],
      [1, 2, 3],
    ] as const) {
      const share = filled({ front, back, lands, worn: 0 }, room);
      assert.ok(share >= 0.5, `${front} ${back} ${lands} in ${room.width}: ${share.toFixed(2)}`);
    }
  }
});

test("no mat with six to twenty-four permanents is less than half full, whatever they are", () => {
  const empty: string[] = [];
  for (const room of [OTHER, OWN])
    for (let front = 0; front <= 15; front += 1)
      for (let back = 0; back <= 6; back += 1)
        for (let lands = 0; lands <= 6; lands += 1) {
          const sum = front + back + lands;
          if (sum < 6 || sum > 24) continue;
          const share = filled({ front, back, lands, worn: 0 }, room);
          if (share < 0.5) empty.push(`${front} ${back} ${lands} in ${room.width}: ${share.toFixed(2)}`);
        }
  assert.deepEqual(empty, []);
});

test("thirty permanents are smaller than six", () => {
  const few = arrange({ front: 3, back: 1, lands: 2, worn: 0 }, OTHER, WIDEST);
  const many = arrange({ front: 15, back: 5, lands: 10, worn: 0 }, OTHER, WIDEST);
  assert.ok(many.size.width < few.size.width);
});

test("what is attached to lands and artifacts has its room, too", () => {
  const land = (worn: string[]) => ({ ids: ["1"], thing: {} as never, mark: undefined, worn, fights: "" });
  const bare = { front: [], back: [land([])], lands: Array.from({ length: 9 }, () => land([])) };
  const worn = { ...bare, lands: [land(["2", "3", "4", "5"]), ...bare.lands.slice(1)] };
  const sizes = [bare, worn].map((rows) => arrange(countsOf(rows), OTHER, WIDEST).size);
  const area = sizes.map(({ width, high }) => width * width * high);
  assert.ok((area[1] ?? 0) < (area[0] ?? 0), `${area}`);
});

/** Lands that lie in one stack, and so many creatures. */
function board(creatures: number, lands: number): [Rows, Rows] {
  const group = (ids: string[]) => ({ ids, thing: {} as never, mark: undefined, worn: [], fights: "" });
  const front = Array.from({ length: creatures }, (_, at) => group([`c${at}`]));
  const ids = Array.from({ length: lands }, (_, at) => `l${at}`);
  return [
    { front, back: [], lands: [group(ids)] },
    { front, back: [], lands: ids.map((id) => group([id])) },
  ];
}

test("a few lands alone are laid one by one, small; with others they are a stack, unless their mat were empty", () => {
  const [alone, apart] = board(0, 3);
  const few = laid(alone, apart, OWN, WIDEST);
  assert.equal(few.rows.lands.length, 3);
  assert.ok(few.size.width <= 140, `${few.size.width}`);
  assert.ok(laid(...board(0, 6), OWN, WIDEST).size.width > 140, "six of them fill it");
  assert.equal(laid(...board(1, 4), OWN, WIDEST).rows.lands.length, 1, "five permanents");
  assert.equal(laid(...board(1, 5), OWN, WIDEST).rows.lands.length, 5, "six that would fill less than half");
  assert.equal(laid(...board(7, 5), OWN, WIDEST).rows.lands.length, 1);
});
