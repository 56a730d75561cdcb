// Tables are shown in order, each after its beats, and never too late.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Beat } from "../src/stage/beats.ts";
import { LAG, MOST_FLASHES, paceOf, Queue, SHORT_OF_TIME } from "../src/stage/queue.ts";

const beat = (kind: Beat["kind"]): Beat => ({ kind, events: [{ kind: "" }], at: [""] });

/** A queue of tables that are words, with a clock that is moved by hand. */
function played() {
  const said: string[] = [];
  let now = 0;
  let waiting: { at: number; call: () => void }[] = [];
  const clock = {
    now: () => now,
    after(ms: number, call: () => void) {
      const one = { at: now + ms, call };
      waiting.push(one);
      return () => {
        waiting = waiting.filter((other) => other !== one);
      };
    },
  };
  const queue = new Queue<string>(
    (table) => said.push(`${table}@${Math.round(now)}`),
    (shown) => said.push(shown ? `${shown.kind}@${Math.round(now)}` : "still"),
    clock,
  );
  const go = (to: number) => {
    for (;;) {
      const next = waiting.filter((one) => one.at <= to).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      now = next.at;
      waiting = waiting.filter((one) => one !== next);
      next.call();
    }
    now = to;
  };
  return { queue, said, go };
}

test("a table with nothing to see is shown at once", () => {
  const { queue, said } = played();
  queue.push("one", [], "normal");
  assert.deepEqual(said, ["one@0", "still"]);
  assert.equal(queue.busy, false);
});

test("damage is seen before the table changes, a spell after", () => {
  const { queue, said, go } = played();
  queue.push("hit", [beat("damage"), beat("cast")], "normal");
  go(5000);
  assert.deepEqual(said, ["damage@0", "hit@1000", "cast@1000", "still"]);
});

test("tables follow each other in order", () => {
  const { queue, said, go } = played();
  queue.push("one", [beat("enter")], "normal");
  queue.push("two", [], "normal");
  go(400);
  assert.deepEqual(said, ["one@0", "enter@0"]);
  go(5000);
  assert.deepEqual(said.slice(2), ["two@550", "still"]);
});

test("no table is ever later than the lag of its pace", () => {
  for (const pace of ["fast", "normal", "slow"] as const) {
    const { queue, said, go } = played();
    for (let at = 0; at < 40; at += 1) {
      go(at * 100);
      queue.push(`t${at}`, [beat("turn"), beat("cast"), beat("attack"), beat("damage")], pace);
    }
    go(60_000);
    const shown = said.filter((word) => word.startsWith("t") && !word.startsWith("turn"));
    assert.equal(shown.length, 40);
    for (const word of shown) {
      const [name, when] = word.split("@");
      const late = Number(when) - 100 * Number(name?.slice(1));
      assert.ok(late <= LAG[pace] + 1, `${word} is ${late} ms late`);
    }
    assert.ok(
      said.some((word) => word.startsWith("cast")),
      "something is seen",
    );
  }
});

test("finishing shows the last table at once and calls the rest off", () => {
  const { queue, said, go } = played();
  queue.push("one", [beat("turn")], "normal");
  queue.push("two", [beat("cast")], "normal");
  assert.equal(queue.finish(), true);
  assert.deepEqual(said.slice(-2), ["two@0", "still"]);
  go(9000);
  assert.equal(said.at(-1), "still");
  assert.equal(queue.finish(), false);
});

test("at pace off all that waited is shown first", () => {
  const { queue, said } = played();
  queue.push("one", [beat("damage")], "normal");
  queue.push("two", [beat("damage")], "off");
  assert.deepEqual(said, ["damage@0", "one@0", "still", "two@0"]);
});

test("a table that is forgotten is not shown", () => {
  const { queue, said, go } = played();
  queue.push("one", [beat("damage")], "normal");
  queue.clear();
  go(9000);
  assert.ok(!said.some((word) => word.startsWith("one")));
});

test("where there is not time for all, what is fought is seen, and what is drawn gives way", () => {
  const { queue, said, go } = played();
  for (let turn = 0; turn < 4; turn += 1) {
    queue.push(`a${turn}`, [beat("turn"), beat("draw"), beat("enter"), beat("cast")], "normal");
    queue.push(
      `b${turn}`,
      [beat("attack"), beat("block"), beat("damage"), beat("leave"), beat("life")],
      "normal",
    );
  }
  go(LAG.normal);
  const kinds = said.map((one) => one.split("@")[0]);
  for (const kind of ["cast", "attack", "block", "damage", "leave"])
    assert.equal(kinds.filter((one) => one === kind).length, 4, kind);
  const minor = kinds.filter((one) => one === "draw" || one === "life");
  assert.ok(minor.length <= 1, "but for what came before anything else had come");
  assert.equal(kinds.at(-1), "still", "and nothing is late");
});

test("at most three cards or banners come up in the middle within any second", () => {
  for (const pace of ["fast", "normal", "slow"] as const) {
    const { queue, said, go } = played();
    for (let at = 0; at < 30; at += 1) {
      go(at * 150);
      queue.push(`t${at}`, [beat("turn"), beat("cast"), beat("damage"), beat("cast")], pace);
    }
    go(60_000);
    const begun = said.filter((word) => /^(turn|cast)@/.test(word)).map((word) => Number(word.split("@")[1]));
    assert.ok(begun.length >= 10, `${begun.length} were seen`);
    begun.forEach((last, at) => {
      const first = begun[at - MOST_FLASHES];
      assert.ok(
        first === undefined || last - first >= 999,
        `${pace}: ${begun.slice(at - MOST_FLASHES, at + 1)}`,
      );
    });
  }
});

test("with less than half a minute to answer nothing is played out", () => {
  assert.equal(paceOf("normal", SHORT_OF_TIME - 1), "off");
  assert.equal(paceOf("slow", 30_000), "slow");
  assert.equal(paceOf("fast", undefined), "fast");
});
