// What stands on the cards that are seen, asked for in the language of the page: once for each card, those together that come together.
import { effect } from "@preact/signals";
import { learn } from "../card/printings.ts";
import type { Link } from "../protocol/link.ts";
import type { P } from "../protocol/names.ts";
import { faces, isMadeUp } from "./game.ts";
import { lang } from "./settings.ts";

const TOGETHER_MS = 40;
/** What the server tells at a time. */
const NAMES_AT_MOST = 200;

/** The names that were asked for, by language. */
const asked = new Map<string, Set<string>>();

/** Ask for what is new. What is refused is asked again with the next card. */
function ask(link: Link, language: "fr"): void {
  const before = asked.get(language) ?? new Set();
  asked.set(language, before);
  const seen = Object.entries(faces.peek()).filter(([key]) => !isMadeUp(key));
  const names = seen.flatMap(([, face]) => [face.name, ...(face.faces ?? []).map((other) => other.name)]);
  const fresh = [...new Set(names)].filter((name) => !before.has(name)).slice(0, NAMES_AT_MOST);
  if (!fresh.length) return;
  for (const name of fresh) before.add(name);
  link.request<P.Printings>({ type: "printings", lang: language, names: fresh }).then(
    (told) => {
      learn(language, told.printings ?? {});
      ask(link, language);
    },
    () => {
      for (const name of fresh) before.delete(name);
    },
  );
}

/** From now on, follow the cards that we are shown. */
export function followCards(link: Link): void {
  let waiting = false;
  effect(() => {
    const language = lang.value;
    const some = Object.keys(faces.value).length > 0;
    if (language === "en" || link.status.value !== "open" || !some || waiting) return;
    waiting = true;
    window.setTimeout(() => {
      waiting = false;
      ask(link, language);
    }, TOGETHER_MS);
  });
}
