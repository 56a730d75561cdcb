// The tour: a game of two against a bot, in which each thing is explained when it is first asked for. It can be left at any moment.
import { effect, signal } from "@preact/signals";
import type { Question } from "../protocol/names.ts";
import { question, room } from "../state/game.ts";
import { decks, houseDecks, leaveRoom, openRoom, request } from "../state/session.ts";

/** What is learnt, in the order in which a game mostly asks for it. */
export const LESSONS = ["hand", "land", "cast", "attack", "block", "pass"] as const;
export type Lesson = (typeof LESSONS)[number];

export interface Tour {
  room: string;
  done: readonly Lesson[];
}

/** The tour that is on; null when there is none. */
export const tour = signal<Tour | null>(null);

/** The deck that is easiest to play, and the game in which it goes well. */
const DECK = "emberclan";
const SEED = 11;

/** What a question teaches: what can be done now, the most instructive first. */
export function lessonOf(asked: Question, done: readonly Lesson[] = []): Lesson {
  if (asked.kind === "attackers") return "attack";
  if (asked.kind === "blockers") return "block";
  if (asked.kind === "confirm" && asked.purpose === "mulligan") return "hand";
  if (asked.kind !== "priority") return "cast";
  const can = new Set(asked.actions.map((action) => action.type));
  if (can.has("play_land")) return "land";
  return can.has("cast") && !done.includes("pass") ? "cast" : "pass";
}

/** Open a table of two that nobody else sees, with a bot, and begin. */
export async function beginTour(): Promise<void> {
  const options = {
    seats: 2,
    private: true,
    spectators: false,
    seed: SEED,
    first: 0,
    bot_pauses: true,
  } as const;
  const opened = await openRoom(options);
  const level = decks.value?.bots?.[0];
  if (opened?.type !== "room" || !level) return;
  tour.value = { room: opened.room.id, done: [] };
  const deck = houseDecks().find(({ name }) => name === DECK) ?? houseDecks()[0];
  await request({ type: "deck", house: deck?.name ?? DECK });
  await request({ type: "add_bot", level, seat: 1 });
  await request({ type: "start" });
}

/** Go, wherever the game is: it is given up, since nobody waits for us in it. */
export async function endTour(): Promise<void> {
  tour.value = null;
  await request({ type: "concede" });
  await leaveRoom();
}

/** Play on without being told anything. */
export function playOn(): void {
  tour.value = null;
}

/** What was asked and is asked no more has been learnt. */
export function followTour(): void {
  let asked: Question | null = null;
  effect(() => {
    const now = question.value;
    const at = tour.peek();
    if (at && asked && asked.id !== now?.id) {
      const lesson = lessonOf(asked, at.done);
      if (!at.done.includes(lesson)) tour.value = { ...at, done: [...at.done, lesson] };
    }
    asked = now;
  });
  effect(() => {
    if (tour.peek() && room.value?.id !== tour.peek()?.room) tour.value = null;
  });
}
