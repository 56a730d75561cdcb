// How wide the tiles of a mat can be so that all of them are seen at once: computed from their number and the room there is, so that
// nothing has to be measured at each change.
import { type Signal, useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import type { Rows } from "./groups.ts";

/** Room for tiles, in pixels. */
export interface Room {
  width: number;
  height: number;
}

const LEAST = 36;
/** Tiles narrower than this show their name in short, and no keywords. */
export const SMALL = 66;
/** Height of a tile, in widths; how much narrower tiles are in the rows that do not fight; height of what is worn. */
const HIGH = 0.62;
export const BEHIND = 0.82;
const WORN = 0.16;

/** Pixels between tiles. */
export const gapOf = (width: number): number => (width < SMALL ? 4 : 8);

/** The width, up to `most`, at which all rows fit; where none does, the least, and the mat scrolls. */
export function fit(rows: Rows, room: Room, most: number): number {
  for (let width = most; width > LEAST; width -= 2)
    if (heightOf(rows, room.width, width) <= room.height) return width;
  return LEAST;
}

function heightOf(rows: Rows, room: number, width: number): number {
  const gap = gapOf(width);
  const line = (tiles: number, wide: number) =>
    Math.ceil(tiles / Math.max(1, Math.floor((room + gap) / (wide + gap)))) * (wide * HIGH + gap);
  const worn = Math.max(0, ...rows.front.map((group) => group.worn.length)) * width * WORN;
  const behind = width * BEHIND;
  return (
    line(rows.front.length, width) + worn + line(rows.back.length, behind) + line(rows.lands.length, behind)
  );
}

const told = new WeakMap<Element, Signal<Room | null>>();
let watching: ResizeObserver | null = null;

/** One observer for all mats; the size comes with its report, without asking for it. */
function watch(): ResizeObserver {
  watching ??= new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) {
      const room = told.get(target);
      if (room) room.value = { width: contentRect.width, height: contentRect.height };
    }
  });
  return watching;
}

/** The room inside an element, followed; null until it is laid out. */
export function useRoom(ref: RefObject<Element | null>): Signal<Room | null> {
  const room = useSignal<Room | null>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    told.set(element, room);
    watch().observe(element);
    return () => watch().unobserve(element);
  }, [ref, room]);
  return room;
}
