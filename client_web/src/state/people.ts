// People beside the game: whom we ignore, our decks, where we are signed in. Asked of the server when a page wants them.
import { computed, signal } from "@preact/signals";
import type { P } from "../protocol/names.ts";
import { chat, room, welcome } from "./game.ts";
import { request } from "./session.ts";
import { ignoredText } from "./settings.ts";

/** Somebody who can be ignored, reported and, by the host of the room, muted or sent out. */
export interface Someone {
  person: string;
  name: string;
}

/** Everybody else in the room, who has a seat, watches or has spoken. */
export const around = computed<Someone[]>(() => {
  const found = new Map<string, string>();
  for (const line of chat.value) if (line.person) found.set(line.person, line.name);
  for (const one of room.value?.audience ?? []) found.set(one.person, one.name);
  for (const seat of room.value?.seats ?? []) {
    if (seat.kind === "person" && seat.person) found.set(seat.person, seat.name ?? "");
  }
  found.delete(welcome.value?.person ?? "");
  return [...found].map(([person, name]) => ({ person, name }));
});

/** The ids of those we ignore, as the server knows them. */
export const ignored = computed<string[]>(() => welcome.value?.ignored ?? []);

/** Whom we ignore, with the names that they had then: the server tells ids only. */
export const ignoredPeople = computed<Someone[]>(() => {
  const names = read();
  return ignored.value.map((person) => ({ person, name: names[person] ?? person }));
});

function read(): Record<string, string> {
  try {
    return JSON.parse(ignoredText.value) as Record<string, string>;
  } catch {
    return {};
  }
}

/** Read no more what somebody says, or do again. */
export async function ignore(one: Someone, yes: boolean): Promise<void> {
  const known = welcome.value;
  if (!known || !(await request({ type: "ignore", person: one.person, ignore: yes }))) return;
  const others = ignored.value.filter((person) => person !== one.person);
  welcome.value = { ...known, ignored: yes ? [...others, one.person] : others };
  const { [one.person]: _, ...names } = read();
  ignoredText.value = JSON.stringify(yes ? { ...names, [one.person]: one.name } : names);
}

/** Our decks by name; null until they are asked for. */
export const savedDecks = signal<Record<string, string> | null>(null);

export async function loadDecks(): Promise<void> {
  const reply = await request<P.SavedDecks>({ type: "saved_decks" });
  if (reply) savedDecks.value = reply.saved ?? {};
}

export async function saveDeck(name: string, text: string): Promise<boolean> {
  const done = await request({ type: "save_deck", name, text });
  await loadDecks();
  return done !== null;
}

export async function forgetDeck(name: string): Promise<void> {
  await request({ type: "forget_deck", name });
  await loadDecks();
}

/** Keep a deck under another name. */
export async function renameDeck(name: string, next: string): Promise<void> {
  const text = savedDecks.value?.[name];
  if (text === undefined || name === next) return;
  if (await saveDeck(next, text)) await forgetDeck(name);
}

/** Where we are signed in; null until it is asked for. */
export const sessions = signal<P.SessionLine[] | null>(null);

export async function loadSessions(): Promise<void> {
  const reply = await request<P.Sessions>({ type: "sessions" });
  if (reply) sessions.value = reply.sessions ?? [];
}

/** End one session, or all but this one. */
export async function endSession(session?: string): Promise<void> {
  await request(session === undefined ? { type: "sign_out" } : { type: "sign_out", session });
  await loadSessions();
}

/** Forget what belongs to who we were: somebody else is signed in now. */
export function forgetPerson(): void {
  savedDecks.value = null;
  sessions.value = null;
}
