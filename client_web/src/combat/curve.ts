// The way of an arrow from one box to another: off the corners of cards, and past what is to be read. Pure.

/** A box in pixels, as the browser says where an element lies. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A quadratic curve by its three points, as a path, and the middle of it. */
export interface Curve {
  path: string;
  points: readonly [Point, Point, Point];
  x: number;
  y: number;
}

export interface Point {
  x: number;
  y: number;
}

/** A point of a curve; 0 is its start and 1 its end. */
export function on({ points: [a, b, c] }: Curve, at: number): Point {
  const along = (from: number, by: number, to: number) =>
    Math.round((1 - at) ** 2 * from + 2 * at * (1 - at) * by + at ** 2 * to);
  return { x: along(a.x, b.x, c.x), y: along(a.y, b.y, c.y) };
}

/** How a line may bend, the best first: the one that covers least of what is to be read is taken. */
const BENDS = [1, -1, 0.5, 0.2, -0.3, -0.6, 2, -2];
/** Places of a line that are looked at, and pixels around it that it covers. */
const LOOKED = 24;
const WIDTH = 4;

/** How many times as far across as up or down something may lie to be reached by the upper or lower side: mats lie in rows, and the
 * stack lies beside them. */
const LEVEL = 6;
export const BESIDE = 1;

/** A gentle curve from the edge of one box to the edge of another, past what is to be read. */
export function curve(from: Box, to: Box, read: readonly Box[] = [], level = LEVEL): Curve {
  const a = { x: from.x + from.width / 2, y: from.y + from.height / 2 };
  const b = { x: to.x + to.width / 2, y: to.y + to.height / 2 };
  const start = edge(a, b, from, level);
  const end = edge(b, a, to, level);
  let best = bent(start, end, 1);
  const near = read.length ? nearby(start, end, read) : [];
  let least = near.length ? covered(best, near) : 0;
  for (const bend of BENDS) {
    if (!least) break;
    const other = bent(start, end, bend);
    const covers = covered(other, near);
    if (covers < least) [best, least] = [other, covers];
  }
  return best;
}

/** Curves that were drawn, kept while what is to be read lies as it lay: most of a table stays where it is from patch to patch. */
export class Ways {
  private read: readonly Box[] = [];
  private lay = "";
  private readonly known = new Map<string, Curve>();

  /** Where what is to be read lies now. */
  look(read: readonly Box[]): void {
    const lies = read.map(place).join();
    if (lies !== this.lay || this.known.size > MANY) this.known.clear();
    this.lay = lies;
    this.read = read;
  }

  curve(from: Box, to: Box, level = LEVEL): Curve {
    const key = `${place(from)} ${place(to)} ${level}`;
    const line = this.known.get(key) ?? curve(from, to, this.read, level);
    this.known.set(key, line);
    return line;
  }
}

/** Curves that are kept at most. */
const MANY = 400;

function place({ x, y, width, height }: Box): string {
  return `${Math.round(x)},${Math.round(y)},${Math.round(width)},${Math.round(height)}`;
}

/** What may lie under a line between two points, however it bends. */
function nearby(start: Point, end: Point, read: readonly Box[]): Box[] {
  const left = Math.min(start.x, end.x) - FAR;
  const right = Math.max(start.x, end.x) + FAR;
  const top = Math.min(start.y, end.y) - FAR;
  const bottom = Math.max(start.y, end.y) + FAR;
  return read.filter(
    ({ x, y, width, height }) => x < right && x + width > left && y < bottom && y + height > top,
  );
}

/** Pixels that the middle of a bent line is off the straight one at most, and what it covers. */
const FAR = 60 + WIDTH;

/** How many places of a line lie on what is to be read. */
function covered({ points: [a, b, c] }: Curve, read: readonly Box[]): number {
  let count = 0;
  for (let step = 0; step < LOOKED; step += 1) {
    const at = step / LOOKED;
    const [before, by, after] = [(1 - at) * (1 - at), 2 * at * (1 - at), at * at];
    const x = before * a.x + by * b.x + after * c.x;
    const y = before * a.y + by * b.y + after * c.y;
    for (const box of read) {
      if (x < box.x - WIDTH || x > box.x + box.width + WIDTH) continue;
      if (y < box.y - WIDTH || y > box.y + box.height + WIDTH) continue;
      count += 1;
      break;
    }
  }
  return count;
}

function bent(start: Point, end: Point, by: number): Curve {
  const dx = end.x - start.x;
  const dy = end.y - start.y;
  const length = Math.hypot(dx, dy) || 1;
  const bend = Math.min(60, length * 0.16) * (dx >= 0 ? by : -by);
  const cx = (start.x + end.x) / 2 + (dy / length) * bend;
  const cy = (start.y + end.y) / 2 - (dx / length) * bend;
  const at = (value: number) => Math.round(value);
  return {
    points: [start, { x: cx, y: cy }, end],
    path: `M${at(start.x)} ${at(start.y)}Q${at(cx)} ${at(cy)} ${at(end.x)} ${at(end.y)}`,
    x: at((start.x + 2 * cx + end.x) / 4),
    y: at((start.y + 2 * cy + end.y) / 4),
  };
}

/** How far from the middle of a side a line leaves a box at most, in halves of it: its corners have marks of their own. */
const MIDDLE = 0.6;
/** How many times as wide as high a box is that is met where it is nearest, and how far from its middle, in halves. */
const FLAT = 3;
const NEAR = 0.4;

/** Where the line from the middle of a box to a point leaves the box, kept off its corners. */
function edge(middle: Point, other: Point, box: Box, level: number): Point {
  const dx = other.x - middle.x;
  const dy = other.y - middle.y;
  const [wide, high] = [box.width / 2, box.height / 2];
  // What lies in another row is reached by the side that faces it, however far to the left or right it lies.
  const upright = Math.abs(dy) > high && Math.abs(dy) * level > Math.abs(dx);
  const scale = upright
    ? high / Math.abs(dy)
    : Math.min(wide / (Math.abs(dx) || 1e-6), high / (Math.abs(dy) || 1e-6), 1);
  const kept = (along: number, side: number, most = MIDDLE) =>
    Math.abs(along) >= side && !upright ? along : Math.max(-most * side, Math.min(most * side, along));
  // A nameplate is met where it is nearest: a line along it would cross what stands beside it.
  const flat = upright && wide > high * FLAT;
  return {
    x: middle.x + (flat ? kept(dx, wide, NEAR) : kept(dx * scale, wide)),
    y: middle.y + (upright ? Math.sign(dy) * high : kept(dy * scale, high)),
  };
}

/** Pixels that a ribbon's number needs to each side and up and down. */
const NUMBER = { x: 28, y: 12 };
/** Where along a curve its number may stand, the best first. */
const ALONG = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.1, 0.8];

/** Where on a curve its number covers none of what is to be read. */
export function beside(line: Curve, read: readonly Box[]): Point {
  const covers = (at: Point) =>
    read.some(
      ({ x, y, width, height }) =>
        at.x - NUMBER.x < x + width &&
        at.x + NUMBER.x > x &&
        at.y - NUMBER.y < y + height &&
        at.y + NUMBER.y > y,
    );
  return ALONG.map((at) => on(line, at)).find((place) => !covers(place)) ?? on(line, 0.5);
}
