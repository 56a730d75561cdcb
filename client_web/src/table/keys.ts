// Playing by keyboard: arrows go from tile to tile as they lie on the table, letters and digits answer.
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import { inEnglish, translated } from "../card/printings.ts";
import { draft } from "../questions/current.ts";
import { submit } from "../questions/interaction.ts";
import { casting } from "../state/given.ts";
import { passUntil, takeBack } from "../state/passing.ts";
import { keysAt } from "./pointer.ts";
import { pile } from "./zones.ts";

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function useKeys(root: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const down = (event: KeyboardEvent) => {
      if (event.key === "Escape" && closeMenus(null)) return;
      if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
      if (pressed(event, root.current)) event.preventDefault();
    };
    const leads = (event: Event) => {
      led = event.type === "keydown";
    };
    const outside = (event: Event) => closeMenus(event.target);
    const moves = (event: KeyboardEvent) => {
      if (event.key === "Tab" || event.key in ARROWS) leads(event);
    };
    window.addEventListener("keydown", moves, true);
    window.addEventListener("pointerdown", leads, true);
    window.addEventListener("pointerdown", outside, true);
    window.addEventListener("keydown", down);
    return () => {
      window.removeEventListener("keydown", moves, true);
      window.removeEventListener("pointerdown", leads, true);
      window.removeEventListener("pointerdown", outside, true);
      window.removeEventListener("keydown", down);
    };
  }, [root]);
}

/** Close the menus that are open, but for one that is pressed in; the focus that was in one goes to its button. True if any was. */
function closeMenus(pressed: EventTarget | null): boolean {
  const open = [...document.querySelectorAll<HTMLDetailsElement>("details.menu[open]")];
  const closing = open.filter((menu) => !(pressed instanceof Node && menu.contains(pressed)));
  for (const menu of closing) {
    if (menu.contains(document.activeElement)) menu.querySelector("summary")?.focus();
    menu.open = false;
  }
  return closing.length > 0;
}

function typing(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.matches("input,textarea,select") || target.isContentEditable)
  );
}

/** Act on a key. True when it meant something here. */
function pressed(event: KeyboardEvent, root: HTMLElement | null): boolean {
  const { key, target } = event;
  const now = draft.value;
  if (key in ARROWS) return root !== null && step(root, target, ARROWS[key] ?? [0, 0]);
  if (key === "Escape") {
    if (pile.value) {
      pile.value = null;
      return true;
    }
    if (now?.back ? now.back() : now?.clear?.()) return true;
    if (casting.value) void takeBack();
    return casting.value;
  }
  if (key === "Enter") return !acts(target, "button,summary,a") && (primary() || isOf(target, TABLE));
  if (key === " ") return !acts(target, "button:not([data-ids],[data-seat]),summary,a") && primary();
  if (key === "g" && now?.press) {
    const keys = keysAt(target);
    if (keys.length) now.press(keys, true);
    return keys.length > 0;
  }
  if (now?.key?.(key.length === 1 ? key.toLowerCase() : key)) return true;
  if (key === "p" && now?.question.kind === "priority") {
    void submit(now.question, { kind: "priority", index: 0 });
    return true;
  }
  if (key === "u") {
    void takeBack();
    return true;
  }
  if (key === "l" && translated()) {
    inEnglish.value = !inEnglish.value;
    return true;
  }
  if (key === "f") return primary();
  if (key === "P") return standing("something");
  if (key === "T") return standing("my_turn");
  if (key === "E") return standing("end_of_turn");
  if (key === "O") return standing("off");
  return false;
}

function standing(until: "something" | "my_turn" | "end_of_turn" | "off"): boolean {
  void passUntil(until);
  return true;
}

/** Where what was pressed by the pointer does not look as if it had the focus. */
const TABLE = ".board,.hand,.stack,.dock";
/** Whether the focus was led to where it is by keys, and so is seen. */
let led = true;

function isOf(target: EventTarget | null, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}

/** Whether Enter or the space bar acts on what has the focus: not on what a pointer has left it on at the table, since that would
 * undo what the pointer did. */
function acts(target: EventTarget | null, what: string): boolean {
  return isOf(target, what) && (led || !isOf(target, TABLE));
}

/** Press the button that gives the drafted answer. */
function primary(): boolean {
  const button = document.querySelector<HTMLElement>(".dock [data-primary]:not([disabled])");
  button?.click();
  return button !== null;
}

/** Focus the nearest tile or player in a direction. */
function step(root: HTMLElement, target: EventTarget | null, [dx, dy]: [number, number]): boolean {
  const all = [...root.querySelectorAll<HTMLElement>("[data-ids],[data-seat]")];
  const here = target instanceof HTMLElement ? target.closest<HTMLElement>("[data-ids],[data-seat]") : null;
  if (!here) {
    const first = all.find((one) => one.classList.contains("can")) ?? all[0];
    first?.focus();
    return first !== undefined;
  }
  const from = middle(here);
  let best: HTMLElement | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const one of all) {
    const to = middle(one);
    const along = (to.x - from.x) * dx + (to.y - from.y) * dy;
    const across = Math.abs((to.x - from.x) * dy) + Math.abs((to.y - from.y) * dx);
    const cost = along + across * 2.5;
    if (one !== here && along > 4 && cost < least) {
      least = cost;
      best = one;
    }
  }
  best?.focus();
  return best !== null;
}

function middle(element: HTMLElement): { x: number; y: number } {
  const box = element.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
