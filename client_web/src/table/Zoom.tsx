// The card under the pointer or the focus, in full, beside it.
import type { Signal } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Card } from "../card/Card.tsx";
import { faceOf, textOf } from "../card/look.ts";
import { Symbols } from "../card/Mana.tsx";
import type { P } from "../protocol/names.ts";
import { byName, faces } from "../state/game.ts";
import { say } from "../words.ts";
import type { Hovered } from "./pointer.ts";

const GAP = 10;

/** Over the column at the side, where it covers neither the table nor what is asked; null where there is no room for it. */
function besides(shown: DOMRect, width: number, height: number): { x: number; y: number } | null {
  const side = document.querySelector(".side")?.getBoundingClientRect();
  const dock = document.querySelector(".side > .dock")?.getBoundingClientRect();
  const stack = document.querySelector(".side > .stack")?.getBoundingClientRect();
  const bottom = dock?.top ?? side?.bottom ?? 0;
  const below = stack && bottom - stack.bottom - 2 * GAP >= height ? stack.bottom + GAP : 0;
  const free = side && { left: side.left, top: Math.max(side.top, below), bottom };
  if (!free || shown.right > free.left || width > window.innerWidth - free.left) return null;
  const lowest = free.bottom - height - GAP;
  if (lowest < 0) return null;
  return { x: Math.round(free.left + GAP), y: Math.round(Math.min(Math.max(free.top, shown.top), lowest)) };
}

/** Where the column lies below the table, as on a phone held upright: over the table, for who reads its name in the log reads on there. */
function above(shown: DOMRect, width: number, height: number): { x: number; y: number } | null {
  const side = document.querySelector(".side")?.getBoundingClientRect();
  if (!side || side.left > 0 || shown.top < side.top) return null;
  const x = Math.max(GAP, (window.innerWidth - width) / 2);
  return { x: Math.round(x), y: Math.round(Math.max(GAP, side.top - height - GAP)) };
}

/** The scale at which all of it is in sight; what is too high is made wide first. */
function fitted(zoom: HTMLElement): number {
  const room = { width: window.innerWidth - 2 * GAP, height: window.innerHeight - 2 * GAP };
  zoom.classList.remove("tall");
  if (zoom.offsetHeight > room.height) zoom.classList.add("tall");
  return Math.min(1, room.width / zoom.offsetWidth, room.height / zoom.offsetHeight);
}

export function Zoom({ view, at }: { view: P.View; at: Signal<Hovered | null> }): JSX.Element | null {
  const box = useRef<HTMLElement>(null);
  const now = at.value;
  useLayoutEffect(() => {
    const zoom = box.current;
    if (!zoom || !now) return;
    const scale = fitted(zoom);
    const [width, height] = [zoom.offsetWidth * scale, zoom.offsetHeight * scale];
    const put = (x: number, y: number) => {
      zoom.style.transform = `translate(${x}px, ${y}px)${scale < 1 ? ` scale(${scale})` : ""}`;
    };
    const aside = above(now.box, width, height) ?? besides(now.box, width, height);
    if (aside) {
      put(aside.x, aside.y);
      return;
    }
    const right = now.box.right + GAP;
    const left = now.box.left - GAP - width;
    const x = right + width < window.innerWidth ? right : Math.max(GAP, left);
    const y = Math.min(Math.max(GAP, now.box.top), window.innerHeight - height - GAP);
    put(Math.round(x), Math.round(Math.max(GAP, y)));
  });
  if (!now) return null;
  const thing = now.card ? undefined : view.objects?.[now.id];
  const named = byName.value.get(now.card ?? "");
  const face =
    named ?? faceOf(thing, faces.value) ?? faceOf(view.objects?.[thing?.source ?? ""], faces.value);
  if (!face && !thing?.text) return null;
  return (
    <aside class="zoom" ref={box} aria-label={say("web.zoom")}>
      {face ? <Card face={face} thing={thing?.face ? thing : undefined} /> : null}
      {face?.faces?.map((other) => (
        <Card key={other.name} face={other} />
      ))}
      {thing?.text && !thing.face && (
        <p class="zoom-text">
          <Symbols text={textOf(thing, view, faces.value)} />
        </p>
      )}
    </aside>
  );
}
