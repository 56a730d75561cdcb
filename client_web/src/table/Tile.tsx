// One permanent, or a stack of equal ones, as a small card. Presses, drags and zoom are handled by the board, by `data-ids`.
import type { JSX } from "preact";
import { memo } from "preact/compat";
import { Art } from "../card/Art.tsx";
import { counters, frame, is, kind, landColors, size } from "../card/look.ts";
import { ManaSymbol, Symbols } from "../card/Mana.tsx";
import { read } from "../card/printings.ts";
import type { P } from "../protocol/names.ts";
import type { Mark } from "../questions/interaction.ts";
import { say } from "../words.ts";

interface Props {
  ids: string;
  count: number;
  thing: P.ObjectView;
  face: P.Face | undefined;
  name: string;
  mark: Mark | undefined;
  label: string;
  /** A class for how it fights ("attacking", "blocking", ""). */
  fighting: string;
  /** The seat whose colour its edge takes; -1: none. */
  edge: number;
  /** What the server foresees for it ("dies"), if anything. */
  fate?: string;
  /** Letters of the name for which there is room; absent: as many as on a card in hand. */
  letters?: number;
  /** Whether there is room for its text. */
  reads?: boolean;
  /** Whether the cost is shown, as in the hand. */
  cost?: boolean;
}

function Shown(props: Props): JSX.Element {
  const { thing, face, mark } = props;
  const pt = size(thing);
  const land = is(thing, "land") && !is(thing, "creature");
  const reads = props.reads && !land && face && read(face).text;
  const classes = [
    "tile",
    `f-${frame(thing, face)}`,
    thing.tapped ? "tapped" : "",
    thing.sick && is(thing, "creature") && thing.zone === "battlefield" ? "sick" : "",
    thing.face_down ? "face-down" : "",
    mark?.can ? "can" : "",
    mark?.picked ? "picked" : "",
    mark?.aim ? "aim" : "",
    props.fighting,
    props.edge >= 0 ? `edge s${props.edge}` : "",
    props.count > 1 ? "many" : "",
    mark?.label ? "labelled" : "",
    props.fate ?? "",
    reads ? "reads" : "",
    land ? "land" : "",
  ];
  return (
    <button
      type="button"
      class={classes.filter(Boolean).join(" ")}
      data-ids={props.ids}
      data-name={props.name}
      aria-pressed={mark?.can ? Boolean(mark.picked || mark.to !== undefined) : undefined}
    >
      <span class="sr">{props.label}</span>
      <span class="tile-face" aria-hidden="true">
        <span class="tile-name">{inShort(props.name, props.letters)}</span>
        {props.cost && face?.cost && (
          <span class="tile-cost">
            <Symbols text={face.cost} />
          </span>
        )}
        {land ? (
          <LandArt face={face} />
        ) : (
          <Art
            name={face?.name ?? props.name}
            kind={kind((thing.types ?? []).join(" ") || face?.types || "")}
            types={thing.types?.join(" ")}
            fit="pull"
          />
        )}
        {reads && (
          <span class="tile-text">
            <Symbols text={reads} />
          </span>
        )}
        <Marks thing={thing} said={reads ? (face?.text ?? "").toLowerCase() : ""} />
        {pt && (
          <span
            class={`tile-pt ${changed(thing, face) ? "changed" : ""} ${rounded(pt).length > SIZE ? "long" : ""}`}
          >
            {rounded(pt)}
          </span>
        )}
        {thing.loyalty !== undefined && <span class="tile-pt loyalty">{thing.loyalty}</span>}
        {props.count > 1 && <span class="tile-count">×{props.count}</span>}
        {mark?.label && (
          <span class={`tile-label ${mark.label.includes("×") ? "parts" : ""}`}>{mark.label}</span>
        )}
      </span>
    </button>
  );
}

/** What a land is for: the mana that it makes, large. */
function LandArt({ face }: { face: P.Face | undefined }): JSX.Element {
  const colors = landColors(face);
  return (
    <span class="land-art">
      {(colors.length ? colors : ["C"]).map((color) => (
        <ManaSymbol key={color} of={color} />
      ))}
    </span>
  );
}

/** Letters of a name on a card in hand: whatever is longer would cover its cost. */
const NAME = 30;
/** Letters of power and toughness beyond which they are written smaller. */
const SIZE = 7;

/** Sizes of five figures or more, as "1.2M"; the zoom has them exactly. */
const COMPACT = new Intl.NumberFormat("en", { notation: "compact" });
const rounded = (pt: string): string => pt.replace(/\d{5,}/g, (size) => COMPACT.format(Number(size)));

function inShort(name: string, letters = NAME): string {
  return name.length > letters ? `${name.slice(0, letters - 1)}…` : name;
}

function changed(thing: P.ObjectView, face: P.Face | undefined): boolean {
  return face !== undefined && `${face.power}/${face.toughness}` !== `${thing.power}/${thing.toughness}`;
}

/** Chips on a tile, and letters on a chip, beyond which only the zoom says more: a tile clips nothing, since every clipped box
 * is one more that the browser sorts at each change. */
const CHIPS = 4;
const LETTERS = 12;

/** What is to be seen of its state; keywords but for those that its text, which is read beside them, says. */
function Marks({ thing, said }: { thing: P.ObjectView; said: string }): JSX.Element | null {
  if (thing.zone !== "battlefield") return null;
  const words = [...counters(thing), ...(thing.keywords ?? []).filter((word) => !said.includes(word))];
  const shown = words.length > CHIPS ? words.slice(0, CHIPS - 1) : words;
  return (
    <span class="tile-marks">
      {thing.tapped && (
        <span class="chip tap" title={say("ui.tapped")}>
          ⟳
        </span>
      )}
      {thing.sick && is(thing, "creature") && (
        <span class="chip" title={say("ui.sick")}>
          {say("web.sick")}
        </span>
      )}
      {thing.damage ? (
        <span class="chip hurt" title={say("ui.damage", { damage: thing.damage })}>
          −{thing.damage}
        </span>
      ) : null}
      {shown.map((word) => (
        <span key={word} class="chip">
          {word.length > LETTERS ? `${word.slice(0, LETTERS - 1)}…` : word}
        </span>
      ))}
      {shown.length < words.length && <span class="chip">+{words.length - shown.length}</span>}
    </span>
  );
}

function same(a: Props, b: Props): boolean {
  return (
    a.thing === b.thing &&
    a.face === b.face &&
    a.ids === b.ids &&
    a.label === b.label &&
    a.fighting === b.fighting &&
    a.edge === b.edge &&
    a.fate === b.fate &&
    a.letters === b.letters &&
    a.reads === b.reads &&
    a.mark?.can === b.mark?.can &&
    a.mark?.picked === b.mark?.picked &&
    a.mark?.aim === b.mark?.aim &&
    a.mark?.label === b.mark?.label
  );
}

export const Tile = memo(Shown, same);
