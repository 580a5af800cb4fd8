// Controls as elements, for the editor of a map, which is no component.
import { effect, untracked } from "@preact/signals";
import { render } from "preact";
import { assign } from "./figures";
import { Entry } from "./fields";
import type { Question } from "./question";
import * as store from "./store";
import type { Description, Field } from "./types";

/** The controls of a map, which change the question on screen. */
export class Controls {
  /** The elements that show the fault of a path. */
  private readonly places = new Map<string, HTMLElement>();
  private ends: (() => void)[] = [];

  get all(): Description {
    return store.description;
  }

  get question(): Question {
    return store.question.value;
  }

  changed(): void {
    store.change(() => {});
  }

  /** Runs `make`; the controls made in it are there until they are dropped. */
  scope<T>(make: () => T): { made: T; drop: () => void } {
    const outer = this.ends;
    const own: (() => void)[] = [];
    this.ends = own;
    const made = make();
    this.ends = outer;
    return { made, drop: () => own.splice(0).forEach((end) => end()) };
  }

  /** Calls `show` at each change of the question. */
  watch(show: () => void): void {
    this.ends.push(
      effect(() => {
        void store.question.value;
        untracked(show);
      }),
    );
  }

  /** Shows a fault at a path if it has a place, and returns the place; `null` clears the fault. */
  blame(path: string | null, message: string): HTMLElement | null {
    const now = store.fault.value;
    if (path === null) store.fault.value = null;
    const place = path === null ? undefined : this.places.get(path);
    if (!place?.isConnected) return null;
    if (now?.path !== path || now.message !== message) store.fault.value = { message, path };
    return place;
  }

  /** A line for faults at a path that has no control of its own. */
  line(path: string, field: HTMLElement): HTMLElement {
    const element = document.createElement("p");
    element.className = "fault";
    this.places.set(path, element);
    this.ends.push(
      effect(() => {
        const fault = store.fault.value?.path === path ? store.fault.value : null;
        element.hidden = !fault;
        element.textContent = fault?.message ?? "";
        field.toggleAttribute("aria-invalid", Boolean(fault));
        if (fault) assign(element);
      }),
    );
    return element;
  }

  /** The control of a field at a path of the question. */
  one(field: Field, path: string): HTMLElement {
    const element = document.createElement("div");
    render(<Entry field={field} path={path} />, element);
    this.places.set(path, element);
    this.ends.push(() => {
      this.places.delete(path);
      render(null, element);
    });
    return element;
  }
}
