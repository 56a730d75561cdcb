// What a rating says, in words: ladders by the names that the page has for formats, and how sure a number is.
import type { P } from "../protocol/names.ts";
import { known, say } from "../words.ts";
import { request } from "./session.ts";
import { lang } from "./settings.ts";

/** What begins the name of a ladder of bots. */
const BOTS = "bots ";
/** Up to which spread a rating is called so. One begins at 16.7; some ten duels bring it below 12, some forty below 8. */
const SURE = 8;
const FAIRLY_SURE = 12;

export const ofBots = (ladder: string): boolean => ladder.startsWith(BOTS);
export const botsOf = (ladder: string): string => BOTS + ladder;

/** A ladder by what is played on it. */
export function calledLadder(ladder: string): string {
  const played = ofBots(ladder) ? ladder.slice(BOTS.length) : ladder;
  return known(`web.format_${played}`)
    ? say(`web.format_${played}`)
    : say("web.deck_rules", { name: played });
}

/** The ladder on which the people of a room are rated. */
export const ladderOf = (options: P.RoomOptions): string =>
  options.deck_rules || options.format || "constructed";

function written(rating: number, digits: number): string {
  const form = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(lang.value, form).format(rating);
}

export const ratingOf = (line: P.RatingLine): string => written(line.rating, 1);

/** How sure a rating is. */
export function sureness(line: P.RatingLine): string {
  if (line.spread <= SURE) return say("web.rating_sure");
  return say(line.spread <= FAIRLY_SURE ? "web.rating_sure_fairly" : "web.rating_sure_not");
}

/** Between which numbers it most likely is. */
export function between(line: P.RatingLine): string {
  const least = written(Math.max(0, line.rating - line.spread), 0);
  return say("web.rating_between", { least, most: written(line.rating + line.spread, 0) });
}

export const played = (line: P.RatingLine): string =>
  say("web.rating_games", { games: line.games ?? 0, wins: line.wins ?? 0 });

/** A ladder, the first if none is named, and where somebody stands. */
export function askRatings(person: string, ladder = ""): Promise<P.Ratings | null> {
  return request<P.Ratings>({ type: "ratings", ladder, person });
}
