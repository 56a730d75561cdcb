// What a screen reader is told as it happens: the newest lines of the log, and that we are asked something.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { log, question } from "../state/game.ts";
import { known, sayText } from "../words.ts";
import { sentence } from "./Log.tsx";

const SPOKEN_AT_ONCE = 12;
const PAUSE_MS = 400;

export function LiveRegion(): JSX.Element {
  const text = useSignal("");
  const told = useRef(log.peek().at(-1)?.id ?? 0);
  const lines = log.value;
  const asked = question.value;
  useEffect(() => {
    const timer = window.setTimeout(() => {
      const fresh = lines.filter((line) => line.id > told.current && line.event.key && known(line.event.key));
      told.current = lines.at(-1)?.id ?? told.current;
      const words = fresh.slice(-SPOKEN_AT_ONCE).map(sentence);
      if (asked) words.push(sayText(asked.prompt));
      if (words.length) text.value = words.join(" ");
    }, PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [lines, asked, text]);
  return (
    <div class="sr" aria-live="polite" aria-atomic="true" data-live>
      {text.value}
    </div>
  );
}
