// The clock in a player's header: what is left of it while it runs, else what the player has for the whole game.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { clock, clockAt } from "../state/extras.ts";
import { say } from "../words.ts";

/** 75 000 ms as "1:15". */
export function minutes(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export function SeatClock({ seat }: { seat: number }): JSX.Element | null {
  const told = clock.value;
  const now = useSignal(performance.now());
  const runs = told?.seat === seat && told.left_ms !== undefined && !told.paused_ms;
  useEffect(() => {
    if (!runs) return;
    const timer = window.setInterval(() => {
      now.value = performance.now();
    }, 500);
    return () => window.clearInterval(timer);
  }, [runs, now]);
  if (!told) return null;
  if (runs) {
    const left = (told.left_ms ?? 0) - Math.max(0, now.value - clockAt.value);
    return (
      <span class={`seat-clock runs ${left < 15_000 ? "soon" : ""}`} title={say("web.time_left")}>
        {minutes(left)}
      </span>
    );
  }
  const bank = told.banks?.[String(seat)];
  return bank === undefined ? null : <span class="seat-clock">{minutes(bank)}</span>;
}
