// Mana and other symbols in texts, our own drawings: each colour has a shape of its own, so that none is told by colour alone.
import type { ComponentChildren, JSX } from "preact";

/** The paths of the drawings. Elements that are made once and shown again and again would hold all that they were ever shown in. */
const SHAPES: Record<string, string> = {
  W: "M8 1.500 9.600 5 13 3.200 11.400 6.600 15 8l-3.600 1.400L13 12.800 9.600 11 8 14.500 6.400 11 3 12.800l1.600-3.400L1 8l3.600-1.400L3 3.200 6.400 5z",
  U: "M2 5.500c2-2 4-2 6 0s4 2 6 0v2.300c-2 2-4 2-6 0s-4-2-6 0zm0 4.400c2-2 4-2 6 0s4 2 6 0v2.300c-2 2-4 2-6 0s-4-2-6 0z",
  B: "M11.500 12.900A6 6 0 1 1 11 2.800a4.700 4.700 0 1 0 .5 10.100z",
  R: "M9.500 1 3 9h4l-1.500 6L13 6.500H8.500z",
  G: "M3 13C2 6 6 2.500 13.500 2.500 14 10 10.500 13.500 5.500 12.300L3.800 14.500zM5 11.500c1.500-3 3.500-5 6-6.500",
  C: "M8 1.500 13.500 8 8 14.500 2.500 8z",
  T: "M3 8a5 5 0 1 1 5 5v-2a3 3 0 1 0-3-3h2.200L4 12 .8 8z",
  Q: "M13 8a5 5 0 1 0-5 5v-2a3 3 0 1 1 3-3H8.800L12 12l3.200-4z",
  S: "M8 1v14M1 8h14M3 3l10 10M13 3 3 13",
};
/** Of lines. */
const DRAWN = "S";

const NAMES: Record<string, string> = {
  W: "white",
  U: "blue",
  B: "black",
  R: "red",
  G: "green",
  C: "colorless",
};

/** One symbol, by what stands between the braces. */
export function ManaSymbol({ of }: { of: string }): JSX.Element {
  const halves = of.split("/");
  const main = halves.find((half) => half in SHAPES) ?? "";
  const shape = halves.length === 1 ? SHAPES[of] : undefined;
  const tone = halves.length > 1 ? `m-${halves[0]} m2-${halves[1]}` : `m-${main || "n"}`;
  return (
    <span class={`mana ${tone}`} role="img" aria-label={NAMES[of] ?? of}>
      {shape ? (
        <svg viewBox="0 0 16 16" aria-hidden="true" fill="currentColor">
          <path d={shape} stroke={of === DRAWN ? "currentColor" : undefined} stroke-width={1.5} />
        </svg>
      ) : (
        of.replace("/", "")
      )}
    </span>
  );
}

/** A text in which `{2}{R}` are drawn. */
export function Symbols({ text }: { text: string }): JSX.Element {
  const parts: ComponentChildren[] = text
    .split(/(\{[^}]+\})/)
    .map((part, at) =>
      part.startsWith("{") ? <ManaSymbol key={`${at}${part}`} of={part.slice(1, -1).toUpperCase()} /> : part,
    );
  return <>{parts}</>;
}
