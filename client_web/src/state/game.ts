// What this page knows of the server and of the table: signals, fed with messages in order. The table's signals follow what is
// known through the presentation queue, so that what happened is seen to happen.
import { batch, computed, signal } from "@preact/signals";
import type { Args, P, Question } from "../protocol/names.ts";
import { unpack } from "../protocol/packing.ts";
import { applyPatch, full, type Tree } from "../protocol/patch.ts";
import { type Beat, beatsOf } from "../stage/beats.ts";
import { paceNow, stage } from "../stage/stage.ts";

/** A line of the log. `since` is true for what happened while this page was away. */
export interface LogLine {
  id: number;
  turn: number;
  event: P.Event;
  missed: boolean;
  /** It was taken back, and counts no more. */
  undone?: boolean;
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
/** The faces by the names of their cards. */
export const byName = computed(() => new Map(Object.values(faces.value).map((face) => [face.name, face])));
export const log = signal<LogLine[]>([]);
export const chat = signal<ChatLine[]>([]);
export const notices = signal<NoticeLine[]>([]);
export const over = signal<P.Over | null>(null);
/** The seat is held by another tab or device. */
export const elsewhere = signal(false);

/** The table at a moment, and the lines that were written since the moment before. */
interface Table {
  view: P.View | null;
  question: Question | null;
  askedAt: number;
  over: P.Over | null;
  lines: LogLine[];
}

const NO_TABLE: Table = { view: null, question: null, askedAt: 0, over: null, lines: [] };
/** The table as it is known; the signals show it when all that led to it has been seen. */
let table = NO_TABLE;
const queue = stage(show);

/** Show at once what is known. True if something was still to be seen. */
export function finishBeats(): boolean {
  return queue.finish();
}

function show(next: Table): void {
  batch(() => {
    view.value = next.view;
    question.value = next.question;
    askedAt.value = next.askedAt;
    over.value = next.over;
    if (next.lines.length) log.value = written(next.lines);
  });
}

/** The log with these lines after it; what one of them takes back is marked. */
function written(lines: LogLine[]): LogLine[] {
  const all = [...log.peek(), ...lines];
  for (const line of lines) {
    const { kind, args } = line.event;
    if (kind !== "taken_back" || typeof args?.lines !== "number" || args.lines < 1) continue;
    const end = all.indexOf(line);
    for (let at = Math.max(0, end - args.lines); at < end; at += 1)
      all[at] = { ...(all[at] as LogLine), undone: true };
  }
  return all.slice(-KEPT_LINES);
}

/** The lines that are kept over a reload of the page, with what says as of when they are. */
interface Kept {
  room: string;
  seen: ReturnType<typeof seen>;
  lines: LogLine[];
}
const KEPT = "apnap.log";

/** Keep the log for who reloads the page: the server tells only what happened lately. */
export function keepLog(): void {
  window.addEventListener("pagehide", () => {
    queue.finish();
    const here = room.peek();
    if (!here || !log.peek().length) return;
    const kept: Kept = { room: here.id, seen: seen(), lines: log.peek() };
    try {
      sessionStorage.setItem(KEPT, JSON.stringify(kept));
    } catch {
      // A browser that keeps nothing shows what happened lately.
    }
  });
}

/** Take up the log of a room as it was before a reload, once; what is to be said with `resume`. */
export function keptLog(id: string): Partial<ReturnType<typeof seen>> {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null") as Kept | null;
    sessionStorage.removeItem(KEPT);
    if (kept?.room !== id || log.peek().length) return {};
    log.value = kept.lines;
    nextId = Math.max(nextId, ...kept.lines.map((line) => line.id));
    return kept.seen;
  } catch {
    return {};
  }
}

/** The table has changed; without beats it is shown as soon as what came before has been seen. */
function change(part: Partial<Table>, events: P.Event[] = []): void {
  const before = table.view;
  table = { ...table, ...part, lines: [] };
  const lines = events.map((event) => lineOf(event, false, table.view?.turn ?? 0));
  queue.push({ ...table, lines }, beats(events, before, table.view), paceNow(table.view?.you));
}

/** What is seen of some lines. A permanent that left is found by its name among those that are gone. */
function beats(events: P.Event[], before: P.View | null, after: P.View | null): Beat[] {
  if (!events.length) return [];
  const stay = new Set(after?.battlefield);
  const gone = (before?.battlefield ?? []).filter((id) => !stay.has(id));
  return beatsOf(events, (name) => {
    const at = gone.findIndex((id) => nameIn(before, id) === name);
    return at < 0 ? undefined : gone.splice(at, 1)[0];
  });
}

function nameIn(from: P.View | null, id: string): string {
  const face = from?.objects?.[id]?.face;
  return (face !== undefined && faces.peek()[face]?.name) || "";
}

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
    queue.clear();
    table = NO_TABLE;
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
        whole(unpack(message.view as Tree, faces.value) as unknown as P.View, message);
        break;
      case "patch":
        return patch(message);
      case "question":
        ask(message.question);
        break;
      case "closed":
        if (table.question?.id === message.question) ask(null);
        break;
      case "over":
        change({ over: message, question: null });
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

/** A whole view: nothing of what came before is played out any more. */
function whole(next: P.View, message: P.ViewMessage): void {
  queue.finish();
  const asked = message.question ?? null;
  const same = asked?.id === table.question?.id;
  const lines = (message.events ?? []).map((event) => lineOf(event, away, next.turn));
  away = false;
  table = {
    ...table,
    view: next,
    question: same ? table.question : asked,
    askedAt: same ? table.askedAt : performance.now(),
  };
  show({ ...table, lines });
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
  const at = { epoch: message.epoch ?? epoch, seq: message.seq ?? seq + 1 };
  if (at.epoch !== epoch || at.seq !== seq + 1) {
    if (at.epoch === before || (at.epoch === epoch && at.seq <= seq)) return true;
    const asked = !synced;
    synced = false;
    return asked;
  }
  seq = at.seq;
  told += message.events?.length ?? 0;
  learn(message.faces);
  const next = message.patch
    ? (applyPatch(table.view as unknown as Tree, full(message.patch)) as unknown as P.View)
    : table.view;
  change({ view: next }, message.events);
  return true;
}

function ask(next: Question | null): void {
  if (next?.id === table.question?.id && next !== null) return;
  change({ question: next, askedAt: performance.now() });
}

/** The question is answered: it is not open to us any more. */
export function answered(id: string): void {
  if (table.question?.id === id) table = { ...table, question: null };
  if (question.value?.id === id) question.value = null;
}

/** What the faces of the table begin with that is shown on the first visit: no server knows them. */
const MADE_UP = "show-";
export const isMadeUp = (face: string): boolean => face.startsWith(MADE_UP);

export function learn(more: Record<string, P.Face> | undefined): void {
  if (more && Object.keys(more).length) faces.value = { ...faces.value, ...more };
}

/** Lines for the log; `turn` is that of the view unless they are of another. */
export function tell(events: P.Event[] | undefined, missed: boolean, turn = view.value?.turn ?? 0): void {
  if (!events?.length) return;
  log.value = written(events.map((event) => lineOf(event, missed, turn)));
}

function lineOf(event: P.Event, missed: boolean, turn: number): LogLine {
  nextId += 1;
  return { id: nextId, turn, event, missed };
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
