// A life total that counts to where it goes, so that one sees it change. At once where nothing is played out.
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { paceNow } from "../stage/stage.ts";

const COUNT_MS = 450;
const STEP_MS = 50;
const STILL = matchMedia("(prefers-reduced-motion: reduce)");
const SWELL: Keyframe[] = [{}, { transform: "scale(1.35)" }, {}];

export function Life({ value, you }: { value: number; you: number | undefined }): JSX.Element {
  const counted = useSignal(value);
  const number = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const from = counted.peek();
    if (from === value || paceNow(you) === "off") {
      counted.value = value;
      return;
    }
    if (!STILL.matches) number.current?.animate?.(SWELL, { duration: COUNT_MS, easing: "ease-out" });
    const began = performance.now();
    const timer = window.setInterval(() => {
      const part = Math.min(1, (performance.now() - began) / COUNT_MS);
      counted.value = Math.round(from + (value - from) * part);
      if (part === 1) window.clearInterval(timer);
    }, STEP_MS);
    return () => window.clearInterval(timer);
  }, [value, you, counted]);
  return (
    <span class="life-number" ref={number}>
      {counted.value}
    </span>
  );
}
