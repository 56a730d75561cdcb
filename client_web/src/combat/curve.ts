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

/** A gentle curve from the edge of one box to the edge of another, past what is to be read. */
export function curve(from: Box, to: Box, read: Box[] = []): Curve {
  const a = { x: from.x + from.width / 2, y: from.y + from.height / 2 };
  const b = { x: to.x + to.width / 2, y: to.y + to.height / 2 };
  const start = edge(a, b, from);
  const end = edge(b, a, to);
  let best = bent(start, end, 1);
  let least = read.length ? covered(best, read) : 0;
  for (const bend of BENDS) {
    if (!least) break;
    const other = bent(start, end, bend);
    const covers = covered(other, read);
    if (covers < least) [best, least] = [other, covers];
  }
  return best;
}

/** How many places of a line lie on what is to be read. */
function covered(line: Curve, read: Box[]): number {
  let count = 0;
  for (let at = 0; at < LOOKED; at += 1) {
    const { x, y } = on(line, at / LOOKED);
    count += read.some(
      (box) =>
        x > box.x - WIDTH &&
        x < box.x + box.width + WIDTH &&
        y > box.y - WIDTH &&
        y < box.y + box.height + WIDTH,
    )
      ? 1
      : 0;
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
/** How many times as far across as up or down something may lie to be reached by the upper or lower side. */
const LEVEL = 6;
/** How many times as wide as high a box is that is met where it is nearest, and how far from its middle, in halves. */
const FLAT = 3;
const NEAR = 0.4;

/** Where the line from the middle of a box to a point leaves the box, kept off its corners. */
function edge(middle: Point, other: Point, box: Box): Point {
  const dx = other.x - middle.x;
  const dy = other.y - middle.y;
  const [wide, high] = [box.width / 2, box.height / 2];
  // What lies in another row is reached by the side that faces it, however far to the left or right it lies.
  const upright = Math.abs(dy) > high && Math.abs(dy) * LEVEL > Math.abs(dx);
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
