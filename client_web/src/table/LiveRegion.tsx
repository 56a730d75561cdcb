// What a screen reader is told as it happens: the newest lines of the log, and that we are asked something.
import { effect, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { log, question } from "../state/game.ts";
import { known, sayText } from "../words.ts";
import { sentence } from "./Log.tsx";

const SPOKEN_AT_ONCE = 12;
const PAUSE_MS = 400;

export function LiveRegion(): JSX.Element {
  const text = useSignal("");
  useEffect(() => {
    let told = log.peek().at(-1)?.id ?? 0;
    let timer = 0;
    const speak = () => {
      timer = 0;
      const lines = log.peek();
      const fresh = lines.filter((line) => line.id > told && line.event.key && known(line.event.key));
      told = lines.at(-1)?.id ?? told;
      const words = fresh.slice(-SPOKEN_AT_ONCE).map(sentence);
      const asked = question.peek();
      if (asked) words.push(sayText(asked.prompt));
      if (words.length) text.value = words.join(" ");
    };
    // What comes within the pause is said together; it is not put off by what comes after.
    const stop = effect(() => {
      const news = log.value.length + (question.value ? 1 : 0);
      if (news && !timer) timer = window.setTimeout(speak, PAUSE_MS);
    });
    return () => {
      stop();
      window.clearTimeout(timer);
    };
  }, [text]);
  return (
    <div class="sr" aria-live="polite" aria-atomic="true" data-live>
      {text.value}
    </div>
  );
}
