// The one connection of this page, and everything the page asks of the server. Requests that fail say so in a toast.
import { effect, signal } from "@preact/signals";
import { Link, Lost, Refusal } from "../protocol/link.ts";
import type { Answer, P, Request } from "../protocol/names.ts";
import { feedExtras, forgetExtras } from "./extras.ts";
import * as game from "./game.ts";
import { go, route } from "./route.ts";
import * as settings from "./settings.ts";

export const rooms = signal<P.RoomSummary[]>([]);
export const decks = signal<P.Decks | null>(null);
/** The last refusal, until it is dismissed or something succeeds. */
export const refusal = signal<{ sentence: string; rule: string } | null>(null);

const url = new URL("ws", location.href.split("#")[0]);
url.protocol = url.protocol === "https:" ? "wss:" : "ws:";

export const link = new Link(url.href, hello, receive, welcomed, () => {
  settings.token.value = "";
});

let unsettled: { question: string; answer: Answer } | null = null;
let wanted = "";

function hello(): Omit<P.Hello, "id" | "type"> {
  return {
    name: settings.name.value || "Guest",
    token: settings.token.value,
    lang: settings.lang.value,
    client: "apnap page",
    packed: true,
    faces: Object.keys(game.faces.value).slice(0, 2000),
  };
}

function receive(message: P.ServerMessage): void {
  if (message.type === "rooms") rooms.value = message.rooms ?? [];
  if (message.type === "decks") decks.value = message;
  feedExtras(message);
  if (!game.feed(message)) void request({ type: "sync" });
  if (message.type === "view") settle(message.question?.id);
}

/** After a lost line: an answer that may not have arrived is given again; the server counts it once. */
function settle(open: string | undefined): void {
  const pending = unsettled;
  unsettled = null;
  if (pending && pending.question === open) void answer(pending.question, pending.answer);
}

function welcomed(message: P.Welcome): void {
  settings.token.value = message.token;
  if (settings.name.value) settings.name.value = message.name;
  const at = route.value;
  if (game.room.value) {
    const { epoch, seq } = game.seen();
    enter({ type: "resume", room: game.room.value.id, epoch, seq });
  } else if (at.at === "room" && message.rooms?.includes(at.room)) {
    enter({ type: "resume", room: at.room });
  }
  if (!decks.value) void request({ type: "decks" });
  refreshRooms();
}

/** Send a request; a refusal is shown and answered with null. */
export async function request<Reply extends P.ServerMessage>(message: Request): Promise<Reply | null> {
  try {
    const reply = await link.request<Reply>(message);
    refusal.value = null;
    return reply;
  } catch (fault) {
    if (fault instanceof Refusal) refusal.value = { sentence: fault.message, rule: fault.rule };
    else if (!(fault instanceof Lost)) throw fault;
    return null;
  }
}

/** Answer a question. The answer stays ours until the server has it, also over a lost line. */
export async function answer(question: string, value: Answer): Promise<boolean> {
  unsettled = { question, answer: value };
  try {
    await link.request({ type: "answer", question, answer: value });
    refusal.value = null;
    game.answered(question);
    unsettled = null;
    return true;
  } catch (fault) {
    if (fault instanceof Refusal) {
      unsettled = null;
      if (fault.code !== "stale") refusal.value = { sentence: fault.message, rule: fault.rule };
    }
    return false;
  }
}

export function refreshRooms(): void {
  if (link.status.value === "open") void request({ type: "list" });
}

/** Come as somebody: with a name and, if we have one, the token of before. */
export function introduce(name: string): void {
  if (name === settings.name.value) return;
  settings.name.value = name;
  link.dial();
}

function enter(message: Request): Promise<P.Room | null> {
  return request<P.Room>(message).then((reply) => {
    if (reply?.type === "room") go({ at: "room", room: reply.room.id });
    return reply;
  });
}

export const openRoom = (options: P.RoomOptions): Promise<P.Room | null> => enter({ type: "open", options });
export const joinRoom = (room: string, seat?: number): Promise<P.Room | null> =>
  enter(seat === undefined ? { type: "join", room } : { type: "join", room, seat });
export const watchRoom = (room: string): Promise<P.Room | null> => enter({ type: "watch", room });
export const comeBack = (room: string): Promise<P.Room | null> => enter({ type: "resume", room });

/** After the game: the same people once more, in a new room. */
export async function playAgain(): Promise<void> {
  const reply = await request<P.Room>({ type: "rematch" });
  if (reply?.type === "room") go({ at: "room", room: reply.room.id });
}

/** Leave the room and go back to the lobby. */
export async function leaveRoom(): Promise<void> {
  if (game.room.value && !game.elsewhere.value) await request({ type: "leave" });
  game.forgetTable();
  forgetExtras();
  go({ at: "lobby" });
  refreshRooms();
}

/** Begin: connect, and follow the address and the line. */
export function begin(): void {
  effect(() => {
    if (link.status.value === "lost") game.markAway();
  });
  effect(() => {
    const at = route.value;
    const target = at.at === "room" ? at.room : "";
    const before = wanted;
    wanted = target;
    const here = game.room.peek();
    if (here && before && target !== here.id && link.status.peek() === "open") {
      void link.request({ type: "leave" }).catch(() => undefined);
      game.forgetTable();
      if (target && game.welcome.peek()?.rooms?.includes(target)) void comeBack(target);
    }
  });
  window.addEventListener("online", () => link.dial());
  link.dial();
}
