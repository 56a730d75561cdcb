// What this page knows of the server and of the table: signals, fed with messages in order. Pure but for the signals.
import { batch, computed, signal } from "@preact/signals";
import type { Args, P, Question } from "../protocol/names.ts";
import { unpack } from "../protocol/packing.ts";
import { applyPatch, type Tree } from "../protocol/patch.ts";

/** A line of the log. `since` is true for what happened while this page was away. */
export interface LogLine {
  id: number;
  turn: number;
  event: P.Event;
  missed: boolean;
}

export interface ChatLine {
  id: number;
  name: string;
  text: string;
  seat: number | null;
  person: string;
}

export interface NoticeLine {
  id: number;
  key: string;
  args: Args;
  text: string;
}

const KEPT_LINES = 1500;
const KEPT_CHAT = 300;
const NOTICE_MS = 8000;

export const welcome = signal<P.Welcome | null>(null);
export const room = signal<P.RoomState | null>(null);
export const view = signal<P.View | null>(null);
export const question = signal<Question | null>(null);
/** When the open question came, in milliseconds of `performance.now()`: its deadline counts from here. */
export const askedAt = signal(0);
export const faces = signal<Record<string, P.Face>>({});
export const log = signal<LogLine[]>([]);
export const chat = signal<ChatLine[]>([]);
export const notices = signal<NoticeLine[]>([]);
export const over = signal<P.Over | null>(null);
/** The seat is held by another tab or device. */
export const elsewhere = signal(false);

export const you = computed(() => view.value?.you ?? room.value?.you ?? null);

let nextId = 0;
let epoch = 0;
/** The epoch before this one: its patches may still be on their way. */
let before = 0;
let seq = -1;
/** Events of the game that we have been told. */
let told = 0;
/** What the server gave us to bring back: by it it knows that it still has what we saw. */
let receipt = "";
let synced = true;
let away = false;

/** As of when we know the table; what `resume` says. */
export function seen(): { epoch: number; seq: number; log: number; receipt: string } {
  return { epoch, seq: Math.max(seq, 0), log: told, receipt };
}

/** The line was lost: what comes next was missed. */
export function markAway(): void {
  away = view.value !== null;
}

/** Forget the table, not the faces. */
export function forgetTable(): void {
  batch(() => {
    room.value = null;
    view.value = null;
    question.value = null;
    log.value = [];
    chat.value = [];
    over.value = null;
    elsewhere.value = false;
  });
  epoch = 0;
  seq = -1;
  told = 0;
  receipt = "";
  away = false;
}

/** Apply a message. False when a patch was missed: then ask for the whole view, once. */
export function feed(message: P.ServerMessage): boolean {
  return batch(() => {
    if ("receipt" in message && message.receipt) receipt = message.receipt;
    switch (message.type) {
      case "welcome":
        welcome.value = message;
        break;
      case "room":
        enter(message.room);
        break;
      case "view":
        before = epoch;
        epoch = message.epoch;
        seq = message.seq;
        told = message.log ?? 0;
        synced = true;
        learn(message.faces);
        view.value = unpack(message.view as Tree, faces.value) as unknown as P.View;
        ask(message.question ?? null);
        tell(message.events, away);
        away = false;
        break;
      case "patch":
        return patch(message);
      case "question":
        ask(message.question);
        break;
      case "closed":
        if (question.value?.id === message.question) ask(null);
        break;
      case "over":
        over.value = message;
        ask(null);
        break;
      case "chat":
        say(message);
        break;
      case "notice":
        note(message);
        break;
    }
    return true;
  });
}

function enter(state: P.RoomState): void {
  if (room.value && room.value.id !== state.id) forgetTable();
  room.value = state;
  elsewhere.value = false;
  if (state.you !== undefined) hold(state.id, true);
}

/** Note that we have a seat in a room, or have it no more: welcome said it only once. */
export function hold(id: string, yes: boolean): void {
  const known = welcome.value;
  if (!known || (known.rooms ?? []).includes(id) === yes) return;
  const others = (known.rooms ?? []).filter((one) => one !== id);
  welcome.value = { ...known, rooms: yes ? [...others, id] : others };
}

function patch(message: P.Patch): boolean {
  if (message.epoch !== epoch || message.seq !== seq + 1) {
    if (message.epoch === before || (message.epoch === epoch && message.seq <= seq)) return true;
    const asked = !synced;
    synced = false;
    return asked;
  }
  seq = message.seq;
  told += message.events?.length ?? 0;
  learn(message.faces);
  if (message.patch)
    view.value = applyPatch(view.value as unknown as Tree, message.patch) as unknown as P.View;
  tell(message.events, false);
  return true;
}

function ask(next: Question | null): void {
  if (next?.id === question.value?.id && next !== null) return;
  question.value = next;
  askedAt.value = performance.now();
}

/** The question is answered: it is not open to us any more. */
export function answered(id: string): void {
  if (question.value?.id === id) question.value = null;
}

export function learn(more: Record<string, P.Face> | undefined): void {
  if (more && Object.keys(more).length) faces.value = { ...faces.value, ...more };
}

/** Lines for the log; `turn` is that of the view unless they are of another. */
export function tell(events: P.Event[] | undefined, missed: boolean, turn = view.value?.turn ?? 0): void {
  if (!events?.length) return;
  const lines = events.map((event) => {
    nextId += 1;
    return { id: nextId, turn, event, missed };
  });
  log.value = [...log.value, ...lines].slice(-KEPT_LINES);
}

function say(message: P.Chat): void {
  nextId += 1;
  const line = {
    id: nextId,
    name: message.name,
    text: message.text,
    seat: message.seat ?? null,
    person: message.person ?? "",
  };
  chat.value = [...chat.value, line].slice(-KEPT_CHAT);
}

function note(message: P.Notice): void {
  if (message.key === "notice.elsewhere") {
    elsewhere.value = true;
    return;
  }
  if (view.value) {
    tell([{ kind: "notice", key: message.key, args: message.args }], false);
    return;
  }
  nextId += 1;
  const id = nextId;
  window.setTimeout(() => dismiss(id), NOTICE_MS);
  notices.value = [...notices.value, { id, key: message.key, args: message.args ?? {}, text: message.text }];
}

/** Take a notice away. */
export function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}
