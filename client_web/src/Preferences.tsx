// Language, looks, sound and notifications.
import type { JSX } from "preact";
import {
  type Lang,
  lang,
  notify,
  type Pace,
  pace,
  sound,
  type Theme,
  theme,
  volume,
} from "./state/settings.ts";
import { say } from "./words.ts";

export function Preferences(): JSX.Element {
  const askToNotify = async (wanted: boolean) => {
    notify.value = wanted && (await Notification.requestPermission()) === "granted";
  };
  return (
    <div class="preferences">
      <label>
        {say("web.language")}
        <select
          value={lang.value}
          onChange={(event) => {
            lang.value = event.currentTarget.value as Lang;
          }}
        >
          <option value="en">English</option>
          <option value="fr">Français</option>
        </select>
      </label>
      <label>
        {say("web.theme")}
        <select
          value={theme.value}
          onChange={(event) => {
            theme.value = event.currentTarget.value as Theme;
          }}
        >
          <option value="auto">{say("web.theme_auto")}</option>
          <option value="dark">{say("web.theme_dark")}</option>
          <option value="light">{say("web.theme_light")}</option>
        </select>
      </label>
      <label>
        {say("web.pace")}
        <select
          value={pace.value}
          onChange={(event) => {
            pace.value = event.currentTarget.value as Pace;
          }}
        >
          <option value="off">{say("web.pace_off")}</option>
          <option value="fast">{say("web.pace_fast")}</option>
          <option value="normal">{say("web.pace_normal")}</option>
          <option value="slow">{say("web.pace_slow")}</option>
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={sound.value}
          onChange={(event) => {
            sound.value = event.currentTarget.checked;
          }}
        />
        {say("web.sound")}
      </label>
      {sound.value && (
        <label>
          {say("web.volume")}
          <input
            type="range"
            min={5}
            max={100}
            step={5}
            value={volume.value}
            onInput={(event) => {
              volume.value = event.currentTarget.value;
            }}
          />
        </label>
      )}
      {"Notification" in window && (
        <label class="check">
          <input
            type="checkbox"
            checked={notify.value}
            onChange={(event) => void askToNotify(event.currentTarget.checked)}
          />
          {say("web.notify")}
        </label>
      )}
    </div>
  );
}
