// What this browser remembers: who I am, and how I like the page. Signals that write themselves down.
import { effect, type Signal, signal } from "@preact/signals";

function remembered(key: string, start: boolean): Signal<boolean>;
function remembered<Value extends string = string>(key: string, start: NoInfer<Value>): Signal<Value>;
function remembered(key: string, start: string | boolean): Signal<string | boolean> {
  const stored = read(key);
  const value = signal<string | boolean>(
    stored === null ? start : typeof start === "boolean" ? stored === "true" : stored,
  );
  effect(() => {
    const now = String(value.value);
    try {
      if (now === String(start)) localStorage.removeItem(`apnap.${key}`);
      else localStorage.setItem(`apnap.${key}`, now);
    } catch {
      // A browser that keeps nothing still plays.
    }
  });
  return value;
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(`apnap.${key}`);
  } catch {
    return null;
  }
}

export type Theme = "auto" | "dark" | "light";
export type Lang = "en" | "fr";
export type Pace = "off" | "fast" | "normal" | "slow";

/** The language the browser asks for, if we speak it. */
function browserLang(): Lang {
  return navigator.language.toLowerCase().startsWith("fr") ? "fr" : "en";
}

export const name = remembered("name", "");
export const token = remembered("token", "");
export const deckText = remembered("deck", "");
export const lang = remembered<Lang>("lang", browserLang());
export const theme = remembered<Theme>("theme", "auto");
export const sound = remembered("sound", true);
/** How loud sounds are, in hundredths. */
export const volume = remembered("volume", "40");
/** How fast the game is played out before one's eyes. */
export const pace = remembered<Pace>("pace", "normal");
/** Whether the cards in hand lie sorted, or as they were drawn. */
export const sorted = remembered("sorted", true);
export const notify = remembered("notify", false);
export const ignoredText = remembered("ignored", "");
export const stopsText = remembered("stops", "");

effect(() => {
  document.documentElement.lang = lang.value;
  document.documentElement.dataset.theme = theme.value;
});
