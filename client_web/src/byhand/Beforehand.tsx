// Other words for cards of the decks, before the game: what of one's own is by hand, what is proposed, and who has agreed.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { P } from "../protocol/names.ts";
import { request } from "../state/session.ts";
import { say } from "../words.ts";
import { ChoiceField } from "./fields.tsx";
import { Printed, Wording } from "./Wording.tsx";

export function Beforehand({ room }: { room: P.RoomState }): JSX.Element | null {
  const rewordings = room.rewordings ?? [];
  const mine = room.you === undefined ? undefined : room.seats[room.you];
  const open = useSignal(false);
  const some = rewordings.length > 0;
  useEffect(() => {
    if (some) open.value = true;
  }, [some, open]);
  if ((room.options.by_hand ?? "never") === "never" || (!rewordings.length && !mine?.deck)) return null;
  return (
    <section class="panel beforehand by-hand">
      <details open={open.value} onToggle={(event) => (open.value = event.currentTarget.open)}>
        <summary>{say("web.reword_deck")}</summary>
        <p class="hint">{say("web.reword_deck_hint")}</p>
        {rewordings.map((one) => (
          <Proposed key={one.ballot} one={one} room={room} />
        ))}
        {open.value && mine?.deck && <Propose key={mine.deck} />}
      </details>
    </section>
  );
}

function Proposed({ one, room }: { one: P.Rewording; room: P.RoomState }): JSX.Element {
  const names = (one.waiting ?? []).map((seat) => room.seats[seat]?.name ?? "");
  const asked = room.you !== undefined && (one.waiting ?? []).includes(room.you);
  const give = (yes: boolean) => void request({ type: "agree", ballot: one.ballot, yes });
  return (
    <div class="vote" role="status" data-rewording={one.ballot}>
      <p>{say("web.ballot_reword", { name: room.seats[one.by]?.name ?? "" })}</p>
      <dl class="wording">
        <dt>{say("web.printed", { card: one.card })}</dt>
        <dd>{one.text}</dd>
        <dt>{say("web.wording")}</dt>
        <dd>{one.line}</dd>
        <dt>{say("web.understood")}</dt>
        <dd>{one.read}</dd>
      </dl>
      <p class="hint">{names.length ? say("ui.waiting", { names }) : say("web.reword_agreed")}</p>
      <div class="buttons">
        {asked && (
          <button type="button" class="primary" data-agree onClick={() => give(true)}>
            {say("web.agree")}
          </button>
        )}
        {room.you !== undefined && (
          <button type="button" data-disagree onClick={() => give(false)}>
            {say(one.by === room.you ? "web.withdraw" : "web.disagree")}
          </button>
        )}
      </div>
    </div>
  );
}

/** What is by hand in one's own deck, and the words proposed for it. */
function Propose(): JSX.Element {
  const paragraphs = useSignal<P.Paragraph[] | null>(null);
  const at = useSignal("0");
  const line = useSignal("");
  useEffect(() => {
    void request<P.ParagraphsTold>({ type: "paragraphs" }).then((told) => {
      paragraphs.value = told?.paragraphs ?? [];
    });
  }, [paragraphs]);
  const chosen = paragraphs.value?.[Number(at.value)];
  if (!chosen) return <p class="hint">{paragraphs.value && say("web.nothing_of_deck")}</p>;
  return (
    <form
      class="mend"
      data-form="reword-deck"
      onSubmit={(event) => {
        event.preventDefault();
        void request({ type: "reword", card: chosen.card, text: chosen.text, line: line.value.trim() }).then(
          (done) => {
            if (done) line.value = "";
          },
        );
      }}
    >
      <div class="fields">
        <ChoiceField
          label={say("web.paragraph")}
          value={at.value}
          set={(value) => {
            at.value = value;
          }}
          options={(paragraphs.value ?? []).map((one, place) => [
            String(place),
            `${one.card}: ${one.text.slice(0, 60)}`,
          ])}
        />
      </div>
      <Printed card={chosen.card} text={chosen.text} />
      <Wording line={line} ready />
    </form>
  );
}
