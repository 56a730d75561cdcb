// The table: everybody's mats round the middle, our hand, and the side column with stack, question and log. The question never
// covers the board. Only layout and the wiring of presses and keys is here.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Ballots } from "../byhand/Ballots.tsx";
import { Mending } from "../byhand/Mending.tsx";
import { Arrows } from "../combat/Arrows.tsx";
import { fates } from "../combat/forecast.ts";
import { Coach } from "../first/Coach.tsx";
import { ChatBox } from "../lobby/Chat.tsx";
import type { P } from "../protocol/names.ts";
import { draft } from "../questions/current.ts";
import { Dock } from "../questions/Dock.tsx";
import { Stage } from "../stage/Stage.tsx";
import { chat } from "../state/game.ts";
import { say } from "../words.ts";
import { Hand } from "./Hand.tsx";
import { useKeys } from "./keys.ts";
import { Lately } from "./Lately.tsx";
import { LiveRegion } from "./LiveRegion.tsx";
import { LogPanel } from "./Log.tsx";
import { Mat } from "./Mat.tsx";
import { isOpening, Opening } from "./Opening.tsx";
import { othersOf } from "./order.ts";
import { PilePanel } from "./Pile.tsx";
import { usePointer } from "./pointer.ts";
import { StackColumn } from "./Stack.tsx";
import { TopBar } from "./TopBar.tsx";
import { Votes } from "./Votes.tsx";
import { Zoom } from "./Zoom.tsx";

/** Where the board and the column at the side lie one below the other. */
const UPRIGHT = matchMedia("(max-width: 620px)");

/** So many others stand in one row. */
const ONE_ROW = 3;

/** Who is out has nothing on the table any more, and leaves the room to the others. */
function columns(others: number[], view: P.View): string {
  return others.map((seat) => `minmax(0, ${view.players[String(seat)]?.lost ? 0.4 : 1}fr)`).join(" ");
}

/** Questions about one's own creatures. */
const DECLARATIONS: ReadonlySet<string> = new Set(["attackers", "blockers"]);

interface Props {
  view: P.View;
  /** What stands in the place of the question, in a replay. */
  dock?: JSX.Element;
}

export function Table({ view, dock }: Props): JSX.Element {
  const root = useRef<HTMLDivElement>(null);
  const hovered = usePointer(root);
  useKeys(root);
  const others = othersOf(view);
  const asked = draft.value?.question;
  const opening = !dock && isOpening(view);
  useEffect(() => {
    // Where the board scrolls, the creatures that are asked about come into sight.
    if (UPRIGHT.matches && asked && DECLARATIONS.has(asked.kind))
      root.current?.querySelector(".mat.own")?.scrollIntoView({ block: "end" });
  }, [asked]);
  return (
    <div class="table" ref={root} data-others={others.length}>
      <TopBar view={view} />
      <main class="board" id="main">
        {opening ? (
          <Opening view={view}>
            <Dock view={view} />
          </Opening>
        ) : (
          <>
            <div
              class="others"
              data-count={others.length}
              style={others.length > ONE_ROW ? undefined : { gridTemplateColumns: columns(others, view) }}
            >
              {others.map((seat) => (
                <Mat key={seat} seat={seat} view={view} own={false} fates={fates.value} />
              ))}
            </div>
            {view.you !== undefined && <Mat seat={view.you} view={view} own fates={fates.value} />}
          </>
        )}
      </main>
      {!opening && <Hand view={view} />}
      <aside class="side" aria-label={say("web.side")}>
        <Coach />
        <Lately view={view} />
        <PilePanel view={view} />
        <StackColumn view={view} />
        <Votes view={view} />
        <Ballots view={view} />
        {!dock && <Mending view={view} />}
        <Talk />
        {dock ?? (!opening && <Dock view={view} />)}
      </aside>
      <Stage view={view} root={root} />
      <Arrows view={view} root={root} hovered={hovered} />
      <Zoom view={view} at={hovered} />
      <LiveRegion />
    </div>
  );
}

/** Log and chat, one of them at a time; on a phone held upright, where there is no room for both, none until its tab is pressed. */
function Talk(): JSX.Element {
  const tab = useSignal<"log" | "chat">("log");
  const read = useSignal(0);
  const folded = useSignal(UPRIGHT.matches);
  const last = chat.value.at(-1)?.id ?? 0;
  if (tab.value === "chat" && read.value !== last) read.value = last;
  return (
    <section class={`talk ${folded.value ? "folded" : ""}`}>
      <div class="tabs" role="tablist">
        {(["log", "chat"] as const).map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={tab.value === name && !folded.value}
            onClick={() => {
              folded.value = UPRIGHT.matches && tab.value === name && !folded.value;
              tab.value = name;
            }}
          >
            {say(`web.${name}`)}
            {name === "chat" && last > read.value && <span class="unread">•</span>}
          </button>
        ))}
      </div>
      {!folded.value && (tab.value === "log" ? <LogPanel /> : <ChatBox />)}
    </section>
  );
}
