// Presses, drags and hovering on the table, for all tiles and players at once: they say who they are by `data-ids` and
// `data-seat`. Dragging is a way of pressing two things; there is always one without it.
import { type Signal, signal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import { press } from "../byhand/pointing.ts";
import { aiming, pointer } from "../questions/aiming.ts";
import { draft, marks } from "../questions/current.ts";
import { objectKey, playerKey, type TargetKey } from "../questions/interaction.ts";

/** What is being dragged, from where to where, in client coordinates. */
export const dragging = signal<{ from: TargetKey; x: number; y: number; toX: number; toY: number } | null>(
  null,
);

/** What the zoom shows, and beside what. */
export interface Hovered {
  id: string;
  /** The name of a card that is not on the table, instead of the id. */
  card?: string | undefined;
  box: DOMRect;
}

/** What shows a card when it is hovered or pressed. */
const SHOWS = "[data-ids],[data-zoom],[data-card]";
const HOVER_MS = 180;
const LONG_PRESS_MS = 450;
const DRAG_PIXELS = 8;

/** The keys of what an element stands for; empty for none. */
export function keysAt(target: EventTarget | null): TargetKey[] {
  const element = target instanceof Element ? target.closest<HTMLElement>("[data-ids],[data-seat]") : null;
  if (!element) return [];
  const { ids, seat } = element.dataset;
  return ids !== undefined
    ? ids.split(" ").map(objectKey)
    : seat !== undefined
      ? [playerKey(Number(seat))]
      : [];
}

export function usePointer(root: RefObject<HTMLElement | null>): Signal<Hovered | null> {
  const hovered = useSignal<Hovered | null>(null);
  useEffect(() => {
    const table = root.current;
    return table ? listen(table, hovered) : undefined;
  }, [root, hovered]);
  return hovered;
}

function listen(table: HTMLElement, hovered: Signal<Hovered | null>): () => void {
  let timer = 0;
  let start: { x: number; y: number; keys: TargetKey[] } | null = null;
  let swallow = false;
  /** Where a button went down: until the pointer has gone on from there, nothing is shown. */
  let still: { x: number; y: number } | null = null;
  /** By what a card is shown, or about to be: a name that was pointed at, something else, or the focus. */
  let by: "name" | "thing" | "focus" | "" = "";
  /** Where the pointer was last. */
  let last = { x: -1, y: -1 };
  const show = (target: EventTarget | null, wait: number, focused = false) => {
    window.clearTimeout(timer);
    const element = target instanceof Element ? target.closest<HTMLElement>(SHOWS) : null;
    if (!element || element.dataset.full !== undefined) {
      hide();
      return;
    }
    const { zoom, ids, card } = element.dataset;
    const id = zoom ?? ids?.split(" ")[0] ?? "";
    const box = element.getBoundingClientRect();
    by = focused ? "focus" : card === undefined ? "thing" : "name";
    timer = window.setTimeout(() => {
      if (element.isConnected) hovered.value = { id, card, box: element.getBoundingClientRect() };
      else if (by === "name") hovered.value = { id, card, box };
    }, wait);
  };
  const hide = () => {
    window.clearTimeout(timer);
    hovered.value = null;
    by = "";
  };
  /** Whether the pointer itself has moved, and not only what lies under it. */
  const moved = ({ clientX: x, clientY: y }: PointerEvent): boolean => {
    const same = last.x === x && last.y === y;
    last = { x, y };
    return !same;
  };
  // Names lie in lists that grow while one reads: the card stays where its name has gone from under a pointer at rest.
  const over = (event: PointerEvent) => {
    if (event.pointerType === "touch" || dragging.value) return;
    if (!moved(event) && by === "name") return;
    if (still && Math.hypot(event.clientX - still.x, event.clientY - still.y) < DRAG_PIXELS) return;
    still = null;
    show(event.target, HOVER_MS);
  };
  const down = (event: PointerEvent) => {
    swallow = false;
    const keys = keysAt(event.target);
    if (event.button === 0 && keys.length) start = { x: event.clientX, y: event.clientY, keys };
    const name = event.target instanceof Element && event.target.closest("[data-card]");
    if (event.pointerType === "touch") show(event.target, name ? 0 : LONG_PRESS_MS);
    else {
      still = { x: event.clientX, y: event.clientY };
      hide();
    }
  };
  const move = (event: PointerEvent) => {
    if (aiming.peek()) pointer.value = { x: event.clientX, y: event.clientY };
    const now = draft.peek();
    if (!start || !now?.drop) return;
    if (!dragging.value && now.lifts && !now.lifts(start.keys[0] ?? "")) return;
    const far = Math.hypot(event.clientX - start.x, event.clientY - start.y) > DRAG_PIXELS;
    if (!dragging.value && !far) return;
    hide();
    dragging.value = {
      from: start.keys.find((key) => marks.peek().get(key)?.to === undefined) ?? start.keys[0] ?? "",
      x: start.x,
      y: start.y,
      toX: event.clientX,
      toY: event.clientY,
    };
  };
  const up = (event: PointerEvent) => {
    // A card that a name shows stays until something else is pressed.
    const named = event.target instanceof Element && event.target.closest("[data-card]") !== null;
    if (event.pointerType === "touch" && !named) {
      swallow = hovered.value !== null;
      hide();
    }
    const drag = dragging.value;
    start = null;
    if (!drag) return;
    dragging.value = null;
    swallow = true;
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const to = keysAt(under)[0];
    if (to === drag.from || under?.closest(".hand")) return;
    if (to || under?.closest(".board")) draft.value?.drop?.(drag.from, to ?? null);
  };
  const click = (event: MouseEvent) => {
    if (swallow) {
      swallow = false;
      return;
    }
    const keys = keysAt(event.target);
    if (keys.length) press(keys, event.shiftKey || event.detail === 2);
  };
  // A question that comes or goes takes the focus with it: what the pointer shows stays.
  const focus = ({ target }: FocusEvent) => {
    if (!(target instanceof Element) || !target.matches(":focus-visible")) return;
    if (by === "focus" || target.closest(SHOWS)) show(target, HOVER_MS, true);
  };
  const blur = () => {
    if (by === "focus") hide();
  };
  const menu = (event: Event) => {
    if (keysAt(event.target).length) event.preventDefault();
  };
  // A finger that is lifted leaves, too.
  const leave = (event: PointerEvent) => {
    if (event.pointerType !== "touch" && (moved(event) || by !== "name")) hide();
  };
  const leaves = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !dragging.value) return;
    event.stopImmediatePropagation();
    swallow = true;
    cancel();
  };
  const cancel = () => {
    start = null;
    dragging.value = null;
    hide();
  };
  table.addEventListener("pointerover", over);
  table.addEventListener("pointerleave", leave);
  table.addEventListener("pointerdown", down);
  window.addEventListener("pointermove", move);
  window.addEventListener("pointerup", up);
  window.addEventListener("pointercancel", cancel);
  window.addEventListener("keydown", leaves, true);
  table.addEventListener("click", click);
  table.addEventListener("focusin", focus);
  table.addEventListener("focusout", blur);
  table.addEventListener("contextmenu", menu);
  return () => {
    hide();
    window.removeEventListener("pointermove", move);
    window.removeEventListener("pointerup", up);
    window.removeEventListener("pointercancel", cancel);
    window.removeEventListener("keydown", leaves, true);
  };
}
