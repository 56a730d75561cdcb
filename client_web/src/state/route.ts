// Where we are, in the part of the address after the hash, so that the server need not know: `#/room/ID` is an
// invitation link, `#/replay/ID/MOMENT` a moment of a finished game.
import { signal } from "@preact/signals";

export type Route =
  | { at: "lobby" }
  | { at: "room"; room: string }
  | { at: "replay"; room: string; moment: number; seat: number | null };

function read(): Route {
  const [, at, room, moment, seat] = decodeURIComponent(location.hash.slice(1)).split("/");
  if (at === "room" && room) return { at, room };
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
  if (to.at === "room") return `#/room/${to.room}`;
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

/** The link that invites to a room. */
export function invitation(room: string): string {
  return `${location.origin}${location.pathname}${hashOf({ at: "room", room })}`;
}
