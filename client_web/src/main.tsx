// The page begins here.
import { render } from "preact";
import { App } from "./App.tsx";
import { beginForecasts } from "./combat/forecast.ts";
import { beginAiming } from "./questions/aiming.ts";
import { beginPresses } from "./stage/presses.ts";
import { beginSounds } from "./stage/sounds.ts";
import { beginAttention } from "./state/attention.ts";
import { beginPassing } from "./state/passing.ts";
import { begin } from "./state/session.ts";
import "./style/base.css";
import "./style/lobby.css";
import "./style/table.css";
import "./style/tile.css";
import "./style/opening.css";
import "./style/side.css";
import "./style/stage.css";

const page = document.getElementById("page");
if (page) render(<App />, page);
beginPassing();
beginForecasts();
beginAiming();
beginAttention();
beginPresses();
beginSounds();
begin();
