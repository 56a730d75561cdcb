// All options of a room, each with what it means.
import type { ComponentChildren, JSX } from "preact";
import type { P } from "../protocol/names.ts";
import { welcome } from "../state/game.ts";
import { decks } from "../state/session.ts";
import { say } from "../words.ts";
import { ClockField } from "./ClockField.tsx";
import { TeamsField } from "./TeamsField.tsx";

interface Props {
  options: P.RoomOptions;
  onChange: (options: P.RoomOptions) => void;
}

/** The life that a format begins with where nothing is said (103.3, 903.7, current 903.12f). */
function startingLife(format: P.RoomOptions["format"], seats: number): number {
  if (format === "commander") return 40;
  if (format === "brawl") return seats === 2 ? 25 : 30;
  return 20;
}

export function OptionsForm({ options, onChange }: Props): JSX.Element {
  const set = (part: Partial<P.RoomOptions>) => onChange({ ...options, ...part });
  const seats = options.seats ?? 4;
  return (
    <div class="options">
      <Group name="table">
        <Field label="title">
          <input
            maxLength={64}
            value={options.title ?? ""}
            onChange={(e) => set({ title: e.currentTarget.value })}
          />
        </Field>
        <Field label="seats">
          <Whole
            value={seats}
            least={2}
            most={10}
            onChange={(value) =>
              set({
                seats: value,
                teams: undefined,
                draw_teams: undefined,
                ...(value === 2 ? {} : { best_of: undefined }),
              })
            }
          />
        </Field>
        {(welcome.value?.ladder || options.rated) && (
          <Check
            label="rated"
            value={options.rated ?? false}
            onChange={(rated) =>
              set(rated ? { rated, by_hand: undefined, agreement: undefined, seed: undefined } : { rated })
            }
          />
        )}
        <Check
          label="private"
          value={options.private ?? false}
          onChange={(value) => set({ private: value })}
        />
        <Check
          label="spectators"
          value={options.spectators ?? true}
          onChange={(spectators) => set({ spectators })}
        />
        <Field label="delay">
          <Whole
            value={Math.round((options.delay_ms ?? 0) / 1000)}
            least={0}
            most={1800}
            onChange={(value) => set({ delay_ms: value * 1000 })}
          />
        </Field>
        <Check
          label="quiet"
          value={options.quiet_watchers ?? false}
          onChange={(value) => set({ quiet_watchers: value })}
        />
        <Check
          label="bot_pauses"
          value={options.bot_pauses ?? false}
          onChange={(value) => set({ bot_pauses: value })}
        />
      </Group>
      <Group name="rules">
        <Field label="edition">
          <Pick
            value={options.edition ?? "2011"}
            of={["2011", "current"]}
            label="edition"
            onChange={(edition) => set({ edition })}
          />
        </Field>
        <Field label="format">
          <Pick
            value={options.format ?? "constructed"}
            of={["constructed", "commander", "brawl"]}
            label="format"
            onChange={(format) =>
              set({
                format,
                deck_rules: undefined,
                life: undefined,
                ...(format === "brawl" ? { edition: "current" } : {}),
              })
            }
          />
        </Field>
        <DeckRules options={options} set={set} />
        <Field label="variant">
          <Pick
            value={options.variant ?? "free_for_all"}
            of={["free_for_all", "team_vs_team", "emperor", "alternating_teams", "two_headed_giant"]}
            label="variant"
            onChange={(variant) =>
              set({ variant, teams: undefined, range: undefined, attack: undefined, life: undefined })
            }
          />
        </Field>
        {(options.variant ?? "free_for_all") === "free_for_all" && (
          <>
            <Field label="attack">
              <Pick
                value={options.attack ?? "multiple"}
                of={["multiple", "single", "left", "right"]}
                label="attack"
                onChange={(attack) => set({ attack })}
              />
            </Field>
            <TeamsField
              teams={options.teams ?? []}
              seats={seats}
              onChange={(teams) => set({ teams, ...(teams ? {} : { draw_teams: undefined }) })}
            />
            {(options.teams ?? []).length > 0 && (
              <Check
                label="draw_teams"
                value={options.draw_teams ?? false}
                onChange={(value) => set({ draw_teams: value })}
              />
            )}
            <Field label="range">
              <Whole value={options.range ?? 0} least={0} most={10} onChange={(range) => set({ range })} />
            </Field>
          </>
        )}
        {(options.best_of ?? 1) === 1 && (
          <Check
            label="draw_seats"
            value={options.draw_seats ?? false}
            onChange={(value) => set({ draw_seats: value })}
          />
        )}
      </Group>
      <Group name="beginning">
        <Field label="life">
          <Whole
            value={options.life ?? startingLife(options.format, seats)}
            least={1}
            most={1000}
            onChange={(life) => set({ life })}
          />
        </Field>
        <Field label="hand">
          <Whole value={options.hand ?? 7} least={0} most={20} onChange={(hand) => set({ hand })} />
        </Field>
        {seats === 2 && (
          <Field label="best_of">
            <select
              value={String(options.best_of ?? 1)}
              onChange={(event) =>
                set({ best_of: Number(event.currentTarget.value) as 1 | 3 | 5, draw_seats: undefined })
              }
            >
              {[1, 3, 5].map((games) => (
                <option key={games} value={games}>
                  {say(`web.best_of_${games}`)}
                </option>
              ))}
            </select>
          </Field>
        )}
        {(options.best_of ?? 1) > 1 && (
          <Field label="sideboarding">
            <Whole
              value={Math.round((options.sideboarding_ms ?? 180_000) / 1000)}
              least={5}
              most={3600}
              onChange={(value) => set({ sideboarding_ms: value * 1000 })}
            />
          </Field>
        )}
        <Field label="first">
          <select
            value={String(options.first ?? "")}
            onChange={(event) => {
              const seat = event.currentTarget.value;
              set({ first: seat === "" ? undefined : Number(seat) });
            }}
          >
            <option value="">{say("web.first_drawn")}</option>
            {Array.from({ length: seats }, (_, seat) => (
              <option key={seat} value={seat}>
                {say("ui.seat", { seat: seat + 1 })}
              </option>
            ))}
          </select>
        </Field>
        <Field label="first_draw">
          <select
            value={String(options.first_draw ?? "")}
            onChange={(event) => {
              const chosen = event.currentTarget.value;
              set({ first_draw: chosen === "" ? undefined : chosen === "true" });
            }}
          >
            <option value="">{say("web.first_draw_rules")}</option>
            <option value="true">{say("web.first_draw_yes")}</option>
            <option value="false">{say("web.first_draw_no")}</option>
          </select>
        </Field>
        <Field label="by_hand">
          <select
            name="by_hand"
            disabled={options.rated}
            value={options.by_hand ?? "never"}
            onChange={(event) => set({ by_hand: event.currentTarget.value as P.RoomOptions["by_hand"] })}
          >
            {(["never", "unread", "open"] as const).map((one) => (
              <option key={one} value={one}>
                {say(`web.by_hand_${one}`)}
              </option>
            ))}
          </select>
        </Field>
        {options.private && options.by_hand !== undefined && options.by_hand !== "never" && (
          <Field label="agreement">
            <select
              name="agreement"
              value={options.agreement ?? "all"}
              onChange={(event) =>
                set({ agreement: event.currentTarget.value as P.RoomOptions["agreement"] })
              }
            >
              {(["all", "most"] as const).map((one) => (
                <option key={one} value={one}>
                  {say(`web.agreement_${one}`)}
                </option>
              ))}
            </select>
          </Field>
        )}
        <Check
          label="mulligans"
          value={options.mulligans ?? true}
          onChange={(mulligans) => set({ mulligans })}
        />
        <Field label="seed">
          <input
            name="seed"
            disabled={options.rated}
            inputMode="numeric"
            pattern="[0-9]*"
            value={options.seed ?? ""}
            onChange={(event) => {
              const typed = event.currentTarget.value.trim();
              set({ seed: /^\d{1,15}$/.test(typed) ? Number(typed) : undefined });
            }}
          />
        </Field>
      </Group>
      <Group name="time">
        <ClockField clock={options.clock} onChange={(clock) => set({ clock, answer_ms: undefined })} />
        <Field label="concede_after">
          <Whole
            value={options.concede_after ?? 0}
            least={0}
            most={100}
            onChange={(value) => set({ concede_after: value })}
          />
        </Field>
        <Field label="away">
          <Whole
            value={Math.round((options.away_ms ?? 300_000) / 1000)}
            least={0}
            most={86400}
            onChange={(value) => set({ away_ms: value * 1000 })}
          />
        </Field>
        <Field label="abandon">
          <Whole
            value={Math.round((options.abandon_ms ?? 86_400_000) / 60_000)}
            least={1}
            most={30 * 24 * 60}
            onChange={(value) => set({ abandon_ms: value * 60_000 })}
          />
        </Field>
        <Field label="takebacks">
          <Pick
            value={options.takebacks ?? "consent"}
            of={["consent", "own", "none"]}
            label="takebacks"
            onChange={(takebacks) => set({ takebacks })}
          />
        </Field>
        <Check
          label="longer_clocks"
          value={options.longer_clocks ?? true}
          onChange={(value) => set({ longer_clocks: value })}
        />
      </Group>
    </div>
  );
}

function Group({ name, children }: { name: string; children: ComponentChildren }): JSX.Element {
  return (
    <fieldset class="option-group">
      <legend>{say(`web.options_${name}`)}</legend>
      <div class="option-fields">{children}</div>
    </fieldset>
  );
}

/** Deck rules that the host has added, if there are any: they bring their format and life with them. */
function DeckRules({
  options,
  set,
}: {
  options: P.RoomOptions;
  set: (part: Partial<P.RoomOptions>) => void;
}): JSX.Element | null {
  const added = decks.value?.deck_rules ?? [];
  if (added.length === 0) return null;
  return (
    <Field label="deck_rules">
      <select
        value={options.deck_rules ?? ""}
        onChange={(event) => {
          const chosen = added.find((one) => one.name === event.currentTarget.value);
          set({
            deck_rules: chosen?.name,
            life: undefined,
            ...(chosen ? { format: chosen.format ?? "constructed" } : {}),
          });
        }}
      >
        <option value="">{say("web.deck_rules_none")}</option>
        {added.map((one) => (
          <option key={one.name} value={one.name}>
            {one.name}
          </option>
        ))}
      </select>
    </Field>
  );
}

function Field({ label, children }: { label: string; children: ComponentChildren }): JSX.Element {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label class="field">
      <span>{say(`web.option_${label}`)}</span>
      {children}
      <small>{say(`web.about_${label}`)}</small>
    </label>
  );
}

interface WholeProps {
  value: number;
  least: number;
  most: number;
  onChange: (value: number) => void;
}

function Whole({ value, least, most, onChange }: WholeProps): JSX.Element {
  return (
    <input
      type="number"
      value={value}
      min={least}
      max={most}
      onChange={(event) => {
        const typed = Math.trunc(Number(event.currentTarget.value));
        onChange(Math.min(most, Math.max(least, Number.isFinite(typed) ? typed : least)));
      }}
    />
  );
}

interface PickProps<Value extends string> {
  value: Value;
  of: readonly Value[];
  label: string;
  onChange: (value: Value) => void;
}

function Pick<Value extends string>({ value, of, label, onChange }: PickProps<Value>): JSX.Element {
  return (
    <select value={value} onChange={(event) => onChange(event.currentTarget.value as Value)}>
      {of.map((one) => (
        <option key={one} value={one}>
          {say(`web.${label}_${one}`)}
        </option>
      ))}
    </select>
  );
}

interface CheckProps {
  label: string;
  value: boolean;
  onChange: (value: boolean) => void;
}

function Check({ label, value, onChange }: CheckProps): JSX.Element {
  return (
    <label class="check">
      <input type="checkbox" checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{say(`web.option_${label}`)}</span>
      <small>{say(`web.about_${label}`)}</small>
    </label>
  );
}
