// Lines of a log become beats.
import assert from "node:assert/strict";
import { test } from "node:test";
import { beatsOf, onOld } from "../src/stage/beats.ts";

const none = () => undefined;
const line = (key: string, args = {}) => ({ kind: "", key: `event.${key}`, args });

test("twelve tokens made in a row are one beat", () => {
  const lines = Array.from({ length: 12 }, (_, at) => line("create", { card_id: `${at}`, seat: 0 }));
  const beats = beatsOf(lines, none);
  assert.deepEqual(
    beats.map((beat) => [beat.kind, beat.events.length]),
    [["enter", 12]],
  );
  assert.equal(beats[0]?.at[11], "o11");
});

test("two spells are two beats", () => {
  assert.equal(beatsOf([line("cast", { card_id: "1" }), line("cast", { card_id: "2" })], none).length, 2);
});

test("life lost by damage is seen as that damage, life paid as life", () => {
  const lines = [
    line("damage", { target_seat: 1, amount: 3 }),
    line("life_loss", { part: 2, seat: 1, amount: 3 }),
    line("damage_happened"),
    line("pay_life", { seat: 0, amount: 2 }),
  ];
  assert.deepEqual(
    beatsOf(lines, none).map((beat) => beat.kind),
    ["damage", "life"],
  );
});

test("two creatures of one name that die are two places", () => {
  const gone = ["7", "9"];
  const die = line("die", { card: "Wolf", from: "battlefield" });
  assert.deepEqual(beatsOf([die, die], () => gone.shift())[0]?.at, ["o7", "o9"]);
});

test("a card discarded is no death on the table", () => {
  assert.deepEqual(beatsOf([line("move_exile", { card: "Wolf", from: "graveyard" })], none), []);
});

test("damage and deaths are seen on the table as it was, what follows on the one after", () => {
  const lines = [
    line("damage", { target_id: "7" }),
    line("die", { card: "Wolf", from: "battlefield" }),
    line("trigger", { card_id: "4" }),
  ];
  assert.equal(onOld(beatsOf(lines, () => "7")), 2);
});

test("a game within the game, a new beginning and a draw are said one by one", () => {
  const lines = ["subgame", "subgame_over", "restarts", "game_drawn"].map((key) => line(key));
  assert.deepEqual(
    beatsOf(lines, none).map((beat) => [beat.kind, beat.events.length]),
    Array.from({ length: 4 }, () => ["game", 1]),
  );
});
