// The link to this room: to copy, to share, and as a QR code for a phone in the same room.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { encode } from "uqr";
import type { P } from "../protocol/names.ts";
import { invitation, onlyHere } from "../state/route.ts";
import { request } from "../state/session.ts";
import { say } from "../words.ts";

export function Invite({ room }: { room: P.RoomState }): JSX.Element {
  const link = invitation(room);
  const copied = useSignal(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      copied.value = true;
    } catch {
      copied.value = false;
    }
  };
  return (
    <div class="invite">
      <Qr text={link} />
      <div>
        <label class="field">
          <span>{say("web.invitation_link")}</span>
          <input readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
        </label>
        <button type="button" onClick={() => void copy()}>
          {say(copied.value ? "web.copied" : "web.copy")}
        </button>
        {onlyHere() && <p class="hint">{say("web.invite_only_here")}</p>}
        <p class="hint">{say(room.locked ? "web.invite_locked" : "web.invite_hint")}</p>
        {room.you !== undefined && room.you === room.host && <RoomPassword locked={room.locked ?? false} />}
      </div>
    </div>
  );
}

/** The host locks the room, or opens it again. */
function RoomPassword({ locked }: { locked: boolean }): JSX.Element {
  const password = useSignal("");
  const send = (word: string) => {
    password.value = "";
    void request({ type: "room_password", password: word });
  };
  return (
    <details>
      <summary>{say(locked ? "web.is_locked" : "web.lock_room")}</summary>
      <form
        class="buttons"
        onSubmit={(event) => {
          event.preventDefault();
          if (password.value) send(password.value);
        }}
      >
        <input
          type="password"
          autocomplete="off"
          aria-label={say("web.room_password")}
          placeholder={say("web.room_password")}
          value={password.value}
          onInput={(event) => {
            password.value = event.currentTarget.value;
          }}
        />
        <button type="submit" disabled={!password.value}>
          {say("web.lock")}
        </button>
        {locked && (
          <button type="button" onClick={() => send("")}>
            {say("web.unlock")}
          </button>
        )}
      </form>
    </details>
  );
}

function Qr({ text }: { text: string }): JSX.Element {
  const { data, size } = encode(text, { border: 2, ecc: "M" });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={say("web.qr")}
      shape-rendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
