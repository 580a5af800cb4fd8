// Small parts of components: an element that is made without them, the focus, a number.
import { useLayoutEffect, useRef } from "preact/hooks";
import { percent } from "./format";

/** Shows the node that `of` makes once; give another `key` for another node. */
export function Dom({ of }: { of: () => Node }) {
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => place.current!.replaceChildren(of()), []);
  return <span class="dom" ref={place} />;
}

/**
 * A part in which the focus moves to the pressed button, or else to the first one, if the element
 * with the focus has gone or was moved.
 */
export function useFocus<E extends HTMLElement>() {
  const place = useRef<E>(null);
  const had = place.current?.contains(document.activeElement) ?? false;
  useLayoutEffect(() => {
    if (!had || document.activeElement !== document.body) return;
    const buttons = place.current!.querySelectorAll("button");
    ([...buttons].find((one) => one.matches("[aria-pressed=true]")) ?? buttons[0])?.focus();
  });
  return place;
}

/** A number in whole percents, with the exact one as its value. */
export const Percent = ({ value }: { value: number }) => (
  <data value={String(value)}>{percent(value, 0)}</data>
);
