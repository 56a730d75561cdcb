// What a room tells beside the view: clocks, votes, what it does for us by itself, emotes. Fed with messages, like `game`.
import { signal } from "@preact/signals";
import type { P } from "../protocol/names.ts";

export const automatic = signal<P.Automatic | null>(null);
export const clock = signal<P.ClockMessage | null>(null);
/** When the clock was told, in milliseconds of `performance.now()`. */
export const clockAt = signal(0);
export const votes = signal<P.Vote[]>([]);
/** What is done by hand or proposed, and when we were told of it, in milliseconds of `performance.now()`. */
export type Told = P.Ballot & { at: number };
export const ballots = signal<Told[]>([]);
export const emotes = signal<(P.Emoted & { id: number })[]>([]);

const EMOTE_MS = 6000;
let next = 0;

export function feedExtras(message: P.ServerMessage): void {
  switch (message.type) {
    case "automatic":
      automatic.value = message;
      break;
    case "clock":
      clock.value = message;
      clockAt.value = performance.now();
      break;
    case "vote": {
      const others = votes.value.filter((vote) => vote.vote !== message.vote);
      votes.value = message.result ? others : [...others, message];
      break;
    }
    case "ballot": {
      const others = ballots.value.filter((one) => one.ballot !== message.ballot);
      ballots.value = message.result ? others : [...others, { ...message, at: performance.now() }];
      break;
    }
    case "emote": {
      next += 1;
      const id = next;
      emotes.value = [...emotes.value, { ...message, id }];
      window.setTimeout(() => {
        emotes.value = emotes.value.filter((one) => one.id !== id);
      }, EMOTE_MS);
      break;
    }
  }
}

/** The line is lost: what is still put to the table is told anew to whoever comes back; what went with a process of the server is not. */
export function forgetAsked(): void {
  votes.value = [];
  ballots.value = [];
}

export function forgetExtras(): void {
  automatic.value = null;
  clock.value = null;
  forgetAsked();
  emotes.value = [];
}
