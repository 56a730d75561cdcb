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
/** Heights of a tile, in widths: where there is room a tile is rather a card than a strip. Lands are always low. */
const HEIGHTS = [1.18, 1, 0.82, 0.62] as const;
const LOW = 0.62;
/** How much narrower tiles are in the rows that do not fight; height of what is worn. */
export const BEHIND = 0.82;
const WORN = 0.16;

/** Pixels that what can be pressed is high at least, where there is room. */
const PRESSED = 24;

/** Pixels between tiles. */
export const gapOf = (width: number): number => (width < SMALL ? 4 : 8);

/** A tile: its width in pixels, its height in widths. */
export interface Size {
  width: number;
  high: number;
}

/** How many groups stand in each row, and how many things at most are worn by one in the front row and in all behind it. */
export interface Counts {
  front: number;
  back: number;
  lands: number;
  worn: number;
  behind?: number;
}

export function countsOf(rows: Rows): Counts {
  const most = (row: Rows["front"]) => Math.max(0, ...row.map((group) => group.worn.length));
  const behind = most(rows.back) + most(rows.lands);
  return {
    front: rows.front.length,
    back: rows.back.length,
    lands: rows.lands.length,
    worn: most(rows.front),
    behind,
  };
}

/** Which rows are one: none; what does not fight and lands; all of them, where a mat is wide and low. */
export type Layout = "three" | "two" | "one";

/** The counts when rows are one so. */
const JOINED: Record<Layout, (counts: Counts) => Counts> = {
  three: (counts) => counts,
  two: (counts) => ({ ...counts, back: counts.back + counts.lands, lands: 0 }),
  one: (counts) => ({
    ...counts,
    worn: counts.worn + (counts.behind ?? 0),
    behind: 0,
    front: counts.front + counts.back + counts.lands,
    back: 0,
    lands: 0,
  }),
};
/** The share of the most that can be filled at which rows stay apart all the same: what moves least is found again. */
const ENOUGH = 0.7;
/** The share of the mat that is filled all the same, where it can be. */
const HALF = 0.5;

/** How a mat is laid out, and how large its tiles are. */
export interface Arrangement {
  layout: Layout;
  size: Size;
}

/** Permanents from which on a mat is to be half full; fewer lands with nothing beside them are no wider than `LONE` pixels. */
export const SOME = 6;
const LONE = 140;

/** How many permanents lie on a mat, without what is attached to others. */
export function sumOf({ front, back, lands }: Rows): number {
  return [...front, ...back, ...lands].reduce((sum, group) => sum + group.ids.length, 0);
}

/** The arrangement of a mat: with its lands in stacks; one by one (`spread`) where there is nothing else on it, or where it would be
 * less than half full with stacks. `most` is the width of the widest tile, in pixels.
 */
export function laid(
  rows: Rows,
  spread: Rows | null,
  room: Room,
  most: number,
): Arrangement & { rows: Rows } {
  const alone = !rows.front.length && !rows.back.length;
  const all = spread ?? rows;
  const widest = alone && all.lands.length < SOME ? Math.min(most, LONE) : most;
  const stacked = { rows, ...arrange(countsOf(rows), room, widest) };
  if (!spread) return stacked;
  if (!alone && sumOf(spread) < SOME) return stacked;
  const apart = { rows: spread, ...arrange(countsOf(spread), room, widest) };
  const fills = ({ rows, layout, size }: typeof apart) => filledBy(JOINED[layout](countsOf(rows)), size);
  const full = fills(stacked);
  return alone || (full < room.width * room.height * HALF && fills(apart) > full) ? apart : stacked;
}

export function arrange(counts: Counts, room: Room, most: number): Arrangement {
  const ways = (["three", "two", "one"] as const).map((layout) => {
    const joined = JOINED[layout](counts);
    const size = fit(joined, room, most);
    return { layout, size, filled: filledBy(joined, size) };
  });
  const best = Math.max(...ways.map(({ filled }) => filled));
  const least = Math.min(best, Math.max(best * ENOUGH, room.width * room.height * HALF));
  const { layout, size } = ways.find(({ filled }) => filled >= least) ?? {
    layout: "three" as const,
    size: { width: LEAST, high: LOW },
  };
  return { layout, size };
}

/** The rows as a layout has them; `turned` is ours, whose creatures are at the top. */
export function joined(rows: Rows, layout: Layout, turned: boolean): Rows {
  if (layout === "three") return rows;
  const behind = turned ? [...rows.back, ...rows.lands] : [...rows.lands, ...rows.back];
  if (layout === "two") return { ...rows, back: behind, lands: [] };
  return { front: [...rows.lands, ...rows.front, ...rows.back], back: [], lands: [] };
}

/** Square pixels that tiles of a size cover. */
export function filledBy(counts: Counts, { width, high }: Size): number {
  const behind = (width * BEHIND) ** 2;
  return counts.front * width * width * high + behind * (counts.back * high + counts.lands * LOW);
}

/** The largest size, up to the width `most`, at which all rows fit; where none does, the least, and the mat scrolls. */
function fit(counts: Counts, room: Room, most: number): Size {
  let best: Size = { width: LEAST, high: LOW };
  for (const high of HEIGHTS) {
    for (let width = most; width > LEAST; width -= 2) {
      if (width * width * high <= best.width * best.width * best.high) break;
      if (heightOf(counts, room.width, width, high) <= room.height) {
        best = { width, high };
        break;
      }
    }
  }
  return best;
}

function heightOf(counts: Counts, room: number, width: number, high: number): number {
  const gap = gapOf(width);
  const line = (tiles: number, wide: number, tall: number) =>
    Math.ceil(tiles / Math.max(1, Math.floor((room + gap) / (wide + gap)))) * (wide * tall + gap);
  const behind = width * BEHIND;
  return (
    line(counts.front, width, high) +
    (counts.worn + (counts.behind ?? 0)) * (width < SMALL ? width * WORN : Math.max(PRESSED, width * WORN)) +
    line(counts.back, behind, high) +
    line(counts.lands, behind, LOW)
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
