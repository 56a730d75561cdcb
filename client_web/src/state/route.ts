// Where we are, in the part of the address after the hash, so that the server need not know: `#/room/ID` and
// `#/room/ID/INVITATION` invite to a room, `#/link/CODE` is a one-time link of the host's, `#/replay/ID/MOMENT` a moment of a
// finished game.
import { signal } from "@preact/signals";
import type { P } from "../protocol/names.ts";
import { welcome } from "./game.ts";

export type Route =
  | { at: "lobby" }
  | { at: "you" }
  | { at: "replays" }
  | { at: "ratings" }
  | { at: "link"; code: string }
  | { at: "room"; room: string; invitation?: string }
  | { at: "replay"; room: string; moment: number; seat: number | null };

function read(): Route {
  const [, at, room, moment, seat] = decodeURIComponent(location.hash.slice(1)).split("/");
  if (at === "you" || at === "replays" || at === "ratings") return { at };
  if (at === "link" && room) return { at, code: room };
  if (at === "room" && room) return moment ? { at, room, invitation: moment } : { at, room };
  if (at === "replay" && room) {
    return { at, room, moment: Number(moment) || 0, seat: seat ? Number(seat) : null };
  }
  return { at: "lobby" };
}

export const route = signal<Route>(read());
window.addEventListener("hashchange", () => {
  route.value = read();
});

export function hashOf(to: Route): string {
  if (to.at === "room") return `#/room/${to.room}${to.invitation ? `/${to.invitation}` : ""}`;
  if (to.at === "link") return `#/link/${to.code}`;
  if (to.at === "you" || to.at === "replays" || to.at === "ratings") return `#/${to.at}`;
  if (to.at === "replay") return `#/replay/${to.room}/${to.moment}${to.seat === null ? "" : `/${to.seat}`}`;
  return "#/";
}

/** Go somewhere, as a link would. */
export function go(to: Route): void {
  if (location.hash !== hashOf(to)) location.hash = hashOf(to);
}

/** The link to where we are. */
export function linkTo(): string {
  return location.href;
}

/** The link that invites to a room; one with a password is opened by the code that is in it. */
export function invitation(room: P.RoomState): string {
  const code = room.locked ? room.invitation : undefined;
  return `${base()}${hashOf({ at: "room", room: room.id, invitation: code })}`;
}

/** Addresses that only this computer has. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** The page's address as others can open it: on the host's own computer the one that the server knows. */
function base(): string {
  const known = welcome.value?.address;
  if (LOOPBACK.test(location.hostname) && known) return `${known.replace(/\/$/, "")}/`;
  return `${location.origin}${location.pathname}`;
}

/** Whether the invitation would lead nowhere from another computer. */
export function onlyHere(): boolean {
  return LOOPBACK.test(location.hostname) && !welcome.value?.address;
}
