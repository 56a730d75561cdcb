// The clock of a question: a bar that runs out, and the seconds left.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { Question } from "../protocol/names.ts";
import { askedAt } from "../state/game.ts";
import { say } from "../words.ts";

export function Deadline({ question }: { question: Question }): JSX.Element | null {
  const total = question.deadline_ms;
  const left = useSignal(total ?? 0);
  useEffect(() => {
    if (total === undefined) return;
    const tick = () => {
      left.value = Math.max(0, askedAt.peek() + total - performance.now());
    };
    tick();
    const timer = window.setInterval(tick, 500);
    return () => window.clearInterval(timer);
  }, [total, left]);
  if (total === undefined) return null;
  return (
    <p class={`deadline ${left.value < 10_000 ? "soon" : ""}`}>
      <progress max={total} value={left.value} aria-label={say("web.time_left")} />
      <span>{say("web.seconds", { seconds: Math.ceil(left.value / 1000) })}</span>
    </p>
  );
}
