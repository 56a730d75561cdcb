// A press while something is still to be seen ends that and answers nothing; nor does one that began before its question was drawn.
import { finishBeats, question } from "../state/game.ts";

/** Where a press can be an answer. */
const ANSWERING = ".dock, .board, .hand, .stack";
/** Keys that are never an answer. */
const ELSEWHERE = new Set(["Tab", "Shift", "Control", "Alt", "Meta", "CapsLock", "F5", "F11", "F12"]);
/** Keys that may be held down: they only lead somewhere. */
const LEADING = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "PageUp", "PageDown"]);

/** Of a key that has ended what was to be seen: no question has that id. */
const SPENT = "";

/** The question that was drawn when the button went down; undefined before the first press. */
let drawn: string | null | undefined;
/** The press has ended what was to be seen. */
let spent = false;
/** The keys that are down, each with the question that was drawn when it went down. */
const held = new Map<string, string | null>();

const open = (): string | null => question.peek()?.id ?? null;

function down(): void {
  drawn = open();
  spent = finishBeats();
}

/** A click without a count is a key's or a program's: the key was looked at when it went down, and when it came up. */
function click(event: MouseEvent): void {
  const late = spent || (drawn !== undefined && drawn !== open());
  if (event.detail === 0 || !late) return;
  if (event.target instanceof Element && event.target.closest(ANSWERING)) refuse(event);
}

/** A key that is held down repeats itself: only the first of it was meant. */
function key(event: KeyboardEvent): void {
  if (ELSEWHERE.has(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
  const { target } = event;
  if (target instanceof Element && target.matches("input, textarea, select")) return;
  if (event.repeat) {
    if (!LEADING.has(event.key)) refuse(event);
    return;
  }
  held.set(event.key, open());
  if (finishBeats()) {
    held.set(event.key, SPENT);
    refuse(event);
  }
}

/** A button with the focus is pressed when the space bar comes up. */
function up(event: KeyboardEvent): void {
  const began = held.get(event.key);
  held.delete(event.key);
  const { target } = event;
  if (began === undefined || began === open() || !(target instanceof Element)) return;
  if (target.closest(ANSWERING)) refuse(event);
}

function refuse(event: Event): void {
  event.stopImmediatePropagation();
  event.preventDefault();
}

/** Look at all presses before anything else does. */
export function beginPresses(): void {
  window.addEventListener("pointerdown", down, true);
  window.addEventListener("click", click, true);
  window.addEventListener("keydown", key, true);
  window.addEventListener("keyup", up, true);
  window.addEventListener("blur", () => held.clear());
}
