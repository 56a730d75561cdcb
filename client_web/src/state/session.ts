// The one connection of this page, and everything the page asks of the server. Requests that fail say so in a toast.
import { computed, effect, signal } from "@preact/signals";
import { spreadIn } from "../protocol/gathered.ts";
import { Link, Lost, Refusal } from "../protocol/link.ts";
import type { Answer, P, Request } from "../protocol/names.ts";
import { applyPatch, type Tree } from "../protocol/patch.ts";
import { feedExtras, forgetAsked, forgetExtras } from "./extras.ts";
import * as game from "./game.ts";
import { given, givenTo, remember } from "./given.ts";
import { followCards } from "./reading.ts";
import { go, route } from "./route.ts";
import * as settings from "./settings.ts";

/** The lines of the room list by id; told live while we are in no room. */
const lines = signal<Record<string, P.RoomSummary>>({});
export const rooms = computed(() => Object.values(lines.value));
export const decks = signal<P.Decks | null>(null);

/** The house decks for rooms of these options. */
export function houseDecks(options?: P.RoomOptions): P.DeckSummary[] {
  const format = options?.format ?? "constructed";
  const rules = options?.deck_rules;
  return (decks.value?.decks ?? []).filter(
    (deck) =>
      (deck.format ?? "constructed") === format && (!rules || (deck.deck_rules ?? []).includes(rules)),
  );
}
/** The last refusal, until it is dismissed or something succeeds. */
export const refusal = signal<{ code: string; sentence: string; rule: string } | null>(null);

const url = new URL("ws", location.href.split("#")[0]);
url.protocol = url.protocol === "https:" ? "wss:" : "ws:";

export const link = new Link(url.href, hello, receive, welcomed, turnedAway);

/** What is said once, with the next hello: a password, or the code of a one-time link; and who we were before. */
interface Proof {
  password: string;
  link: string;
  before: { name: string; token: string };
}
let proof: Proof | null = null;
let listed = 0;
let unsettled: { question: string; answer: Answer } | null = null;
let wanted = "";

function hello(): Omit<P.Hello, "id" | "type"> {
  return {
    name: settings.name.value || "Guest",
    token: settings.token.value,
    ...(proof && { password: proof.password, link: proof.link }),
    lang: settings.lang.value,
    client: "apnap page",
    packed: true,
    brief: true,
    gathered: true,
    receipts: true,
    faces: Object.keys(game.faces.value)
      .filter((key) => !game.isMadeUp(key))
      .slice(0, 2000),
  };
}

function receive(told: P.ServerMessage): void {
  const message = spreadIn(told);
  if (message.type === "rooms") list(message);
  if (message.type === "rooms_patch") listPatch(message);
  if (message.type === "decks") decks.value = message;
  if (message.type === "closing" && !message.again) sentAway(message);
  feedExtras(message);
  if (!game.feed(message)) void request({ type: "sync" });
  if (message.type === "view") settle(message.question?.id);
}

/** Our session has been ended, or we are forgotten: we are nobody here any more, and come again as that. */
function sentAway(message: P.Closing): void {
  if (message.code !== "signed_out" && message.code !== "forgotten") return;
  settings.token.value = "";
  settings.name.value = "";
  refusal.value = { code: message.code, sentence: message.sentence, rule: "" };
  game.forgetTable();
  go({ at: "lobby" });
  window.setTimeout(() => link.dial());
}

function list(message: P.Rooms): void {
  listed = message.seq ?? 0;
  lines.value = Object.fromEntries((message.rooms ?? []).map((room) => [room.id, room]));
}

/** A list of which a patch was missed is asked for again. */
function listPatch(message: P.RoomsPatch): void {
  if (message.seq !== listed + 1) {
    refreshRooms();
    return;
  }
  listed = message.seq;
  lines.value = applyPatch(lines.value as Tree, message.patch) as typeof lines.value;
}

/** The server does not know us so. True: come again as a guest, or as who we were. */
function turnedAway(fault: Refusal): boolean {
  if (fault.code === "bad_token") {
    settings.token.value = "";
    return true;
  }
  refuse(fault);
  const before = proof?.before;
  proof = null;
  if (!before) return false;
  settings.name.value = before.name;
  settings.token.value = before.token;
  return before.token !== "" || before.name !== "";
}

function refuse(fault: Refusal): void {
  refusal.value = { code: fault.code, sentence: fault.message, rule: fault.rule };
}

/** After a lost line: an answer that may not have arrived is given again; the server counts it once. */
function settle(open: string | undefined): void {
  const pending = unsettled;
  unsettled = null;
  if (pending && pending.question === open) void answer(pending.question, pending.answer);
}

/** `moved`: we are on our way into a room already. */
function welcomed(message: P.Welcome, moved: boolean): void {
  if (message.token) settings.token.value = message.token; // who comes by a ticket keeps theirs
  if (settings.name.value || proof) settings.name.value = message.name;
  if (proof) refusal.value = null;
  proof = null;
  const at = route.value;
  if (moved) {
    // What we asked for that brings us there.
  } else if (game.room.value) {
    enter({ type: "resume", room: game.room.value.id, ...game.seen() });
  } else if (at.at === "room" && message.rooms?.includes(at.room)) {
    enter({ type: "resume", room: at.room, ...game.keptLog(at.room) });
  }
  if (!decks.value) void request({ type: "decks" });
  refreshRooms();
}

/** Requests that only read: when one succeeds, what was refused before is still to be read. */
const READING = new Set([
  "list",
  "decks",
  "saved_decks",
  "sessions",
  "privacy",
  "replays",
  "ratings",
  "check_deck",
  "sync",
  "stops",
]);

/** Send a request; a refusal is shown and answered with null. */
export async function request<Reply extends P.ServerMessage>(message: Request): Promise<Reply | null> {
  try {
    const reply = await link.request<Reply>(message);
    if (!READING.has(message.type)) refusal.value = null;
    return reply;
  } catch (fault) {
    if (fault instanceof Refusal) refuse(fault);
    else if (!(fault instanceof Lost)) throw fault;
    return null;
  }
}

/** Answer a question. The answer stays ours until the server has it, also over a lost line. */
export async function answer(question: string, value: Answer): Promise<boolean> {
  unsettled = { question, answer: value };
  const asked = game.question.peek();
  // In the words of the table as it is now: when the server says yes, the next question may be here already.
  const said = asked?.id === question ? givenTo(asked, value) : null;
  try {
    await link.request({ type: "answer", question, answer: value });
    refusal.value = null;
    if (said) remember(said);
    game.answered(question);
    unsettled = null;
    return true;
  } catch (fault) {
    if (fault instanceof Refusal) {
      unsettled = null;
      if (fault.code !== "stale") refuse(fault);
    }
    return false;
  }
}

export function refreshRooms(): void {
  if (link.status.peek() === "open" && !game.room.peek()) void request({ type: "list", live: true });
}

/** Come as somebody: with a name and, if we have one, the token of before. */
export function introduce(name: string): void {
  if (name === settings.name.value) return;
  // Nobody takes another name while they have a seat: who had none, and left the tour's, comes as somebody new.
  if (!settings.name.value && game.welcome.peek()?.rooms?.length) settings.token.value = "";
  settings.name.value = name;
  link.dial();
}

/** Come as the owner of an account, by its password or by a one-time link; when that is refused, we stay who we were. */
export function signIn(name: string, password: string, code = ""): void {
  proof = { password, link: code, before: { name: settings.name.peek(), token: settings.token.peek() } };
  settings.name.value = name;
  settings.token.value = "";
  link.dial();
}

/** End this session; the server then sends us away. */
export async function signOut(session: string): Promise<void> {
  await request({ type: "sign_out", session });
}

function enter(message: Request): Promise<P.Room | null> {
  return request<P.Room>(message).then((reply) => {
    if (reply?.type === "room") go({ at: "room", room: reply.room.id });
    return reply;
  });
}

export const openRoom = (options: P.RoomOptions): Promise<P.Room | null> => enter({ type: "open", options });
/** What opens a room that has a password: the password, or the code in an invitation. */
export interface Key {
  password?: string;
  invitation?: string;
}
export const joinRoom = (room: string, key: Key = {}): Promise<P.Room | null> =>
  enter({ type: "join", room, ...key });
export const watchRoom = (room: string, key: Key = {}): Promise<P.Room | null> =>
  enter({ type: "watch", room, ...key });
export const comeBack = (room: string): Promise<P.Room | null> => enter({ type: "resume", room });

/** After the game: the same people once more, in a new room. */
export async function playAgain(): Promise<void> {
  const reply = await request<P.Room>({ type: "rematch" });
  if (reply?.type === "room") go({ at: "room", room: reply.room.id });
}

/** Leave the room and go back to the lobby. */
export async function leaveRoom(): Promise<void> {
  const here = game.room.value;
  if (here && !game.elsewhere.value) await request({ type: "leave" });
  if (here?.state === "gathering") game.hold(here.id, false);
  game.forgetTable();
  forgetExtras();
  given.value = [];
  go({ at: "lobby" });
  refreshRooms();
}

/** Begin: connect, and follow the address and the line. */
export function begin(): void {
  followCards(link);
  game.keepLog();
  effect(() => {
    if (link.status.value === "lost") {
      game.markAway();
      forgetAsked();
    }
  });
  effect(() => {
    const at = route.value;
    const target = at.at === "room" ? at.room : "";
    const before = wanted;
    wanted = target;
    const here = game.room.peek();
    if (link.status.peek() !== "open" || here?.id === target) return;
    if (here && before) {
      void link.request({ type: "leave" }).catch(() => undefined);
      if (here.state === "gathering") game.hold(here.id, false);
      game.forgetTable();
    }
    if (target && game.welcome.peek()?.rooms?.includes(target)) void comeBack(target);
  });
  window.addEventListener("online", () => link.dial());
  link.dial();
}
