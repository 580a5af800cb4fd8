// An interactive map: the picture of the engine, with units to drag above it, and drawing by hand.
// With keys, a ring moves from hex to hex.
import { h, picture, s } from "./dom";
import { assign } from "./figures";
import { Names } from "./situation";
import type { Drawn } from "./types";

/** A unit on the map that can be moved. */
export interface Piece {
  key: string;
  label: string;
  hex: string;
}

/** Callbacks for actions on the map. */
export interface Hands {
  /** Is called with the hexes of a stroke in order; a tap has one hex. */
  drew(hexes: string[]): void;
  chose(key: string): void;
  moved(key: string, hex: string): void;
}

/** The side of a hex of the picture, in its units. */
const SIDE = 48;
/** Layers of the picture that answer the question: Interdiction, routes, and their chances. */
const ODDS = ".danger, .ways, .chances";
/** The distance in pixels up to which a movement counts as a tap. */
const TREMBLE = 8;
const STEPS: Record<string, [number, number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

export class Board {
  private readonly ring = s("circle", { r: SIDE * 0.8, class: "ring", visibility: "hidden" });
  private readonly trail = s("polyline", { class: "trail" });
  private readonly pieces = h("div", { class: "pieces" });
  private readonly frame = h("div", { class: "frame" }, this.pieces);
  readonly element = h("div", {
    class: "board",
    tabindex: 0,
    role: "group",
    "aria-label": "map: arrow keys go from hex to hex, Enter draws",
    keydown: (event: KeyboardEvent) => this.pressed(event),
    focus: () => this.point(this.cursor),
    blur: () => this.ring.setAttribute("visibility", "hidden"),
    pointerdown: (event: PointerEvent) => this.begin(event),
    click: (event: MouseEvent) => this.tapped(event),
  });
  private readonly live = h("p", { class: "unseen", "aria-live": "polite" });
  private svg: SVGSVGElement | null = null;
  private hexes: [string, number, number][] = [];
  private cursor = 0;
  /** The path of hexes drawn by keys so far. */
  private way: string[] | null = null;
  names = new Names([]);
  /** Whether a stroke covers several hexes, as for a road. */
  isLong = false;

  constructor(private readonly hands: Hands) {
    this.element.append(this.frame, this.live);
  }

  /** Whether a finger draws, instead of moving the page. */
  set isDrawing(wanted: boolean) {
    this.element.classList.toggle("drawing", wanted);
    this.dropWay();
  }
  get isDrawing(): boolean {
    return this.element.classList.contains("drawing");
  }

  draw({ svg, hexes }: Drawn): void {
    const drawn = picture(svg);
    if (!(drawn instanceof SVGSVGElement)) return;
    drawn.querySelectorAll(ODDS).forEach((layer) => assign(layer));
    drawn.append(this.trail, this.ring);
    drawn.setAttribute("aria-hidden", "true");
    this.svg?.remove();
    this.svg = drawn;
    this.frame.prepend(drawn);
    // A hex keeps the size of a thumb at least.
    this.frame.style.minWidth = `${Math.round(drawn.viewBox.baseVal.width * 0.5)}px`;
    this.frame.style.maxWidth = `${Math.round(drawn.viewBox.baseVal.width * 1.25)}px`;
    if (hexes.map(([name]) => name).join() !== this.hexes.map(([name]) => name).join()) this.cursor = 0;
    this.hexes = hexes;
    this.names = new Names(hexes.map(([name]) => name));
  }

  /** Shows the units in their hexes, side by side within a hex. */
  show(all: Piece[], chosen: string | null): void {
    const box = this.svg?.viewBox.baseVal;
    if (!box) return;
    const known = new Map(
      [...this.pieces.children].map((piece) => [(piece as HTMLElement).dataset.key!, piece as HTMLElement]),
    );
    const stacks = new Map<string, Piece[]>();
    for (const piece of all) {
      const hex = this.names.of(piece.hex);
      if (hex) stacks.set(hex, [...(stacks.get(hex) ?? []), piece]);
    }
    for (const [hex, stack] of stacks) {
      const [, x, y] = this.hexes.find(([name]) => name === hex)!;
      stack.forEach((piece, place) => {
        const wide = (1.1 * SIDE) / Math.max(1, stack.length * 0.75);
        const left = x + (place - (stack.length - 1) / 2) * wide * 0.9;
        const element = known.get(piece.key) ?? this.piece(piece.key);
        known.delete(piece.key);
        element.setAttribute("aria-label", piece.label);
        element.setAttribute("aria-pressed", String(piece.key === chosen));
        element.title = piece.label;
        element.style.left = `${(100 * (left - wide / 2 - box.x)) / box.width}%`;
        element.style.top = `${(100 * (y - SIDE * 0.55 - box.y)) / box.height}%`;
        element.style.width = `${(100 * wide) / box.width}%`;
        element.style.height = `${(110 * SIDE) / box.height}%`;
        if (!element.isConnected) this.pieces.append(element);
      });
    }
    known.forEach((gone) => gone.remove());
  }

  private piece(key: string): HTMLElement {
    let from: { x: number; y: number } | null = null;
    let isDragged = false;
    const end = (event: PointerEvent, isDone: boolean) => {
      const hex = this.at(event);
      element.style.transform = "";
      if (isDone && isDragged && hex) this.hands.moved(key, hex);
      this.trail.removeAttribute("points");
      from = null;
    };
    const element = h("button", {
      type: "button",
      class: "piece",
      "data-key": key,
      pointerdown: (event: PointerEvent) => {
        if (this.isDrawing) return;
        event.stopPropagation();
        element.setPointerCapture(event.pointerId);
        from = { x: event.clientX, y: event.clientY };
        isDragged = false;
      },
      pointermove: (event: PointerEvent) => {
        if (!from) return;
        const [x, y] = [event.clientX - from.x, event.clientY - from.y];
        isDragged ||= Math.hypot(x, y) > TREMBLE;
        if (!isDragged) return;
        element.style.transform = `translate(${x}px, ${y}px)`;
        const hex = this.at(event);
        if (hex) this.follow([hex]);
      },
      pointerup: (event: PointerEvent) => end(event, true),
      pointercancel: (event: PointerEvent) => end(event, false),
      click: () => {
        if (!isDragged && !this.isDrawing) this.hands.chose(key);
        isDragged = false;
      },
      keydown: (event: KeyboardEvent) => {
        const step = STEPS[event.key];
        if (!step) return;
        event.preventDefault();
        event.stopPropagation();
        const box = element.getBoundingClientRect();
        const next = this.beside(this.nearest(box.left + box.width / 2, box.top + box.height / 2), step);
        if (next >= 0) this.hands.moved(key, this.hexes[next]![0]);
      },
    });
    return element;
  }

  /** Handles a tap while a finger moves the page. */
  private tapped(event: MouseEvent): void {
    const hex = this.at(event);
    if (hex && !this.isDrawing && !this.pieces.contains(event.target as Node)) this.hands.drew([hex]);
  }

  /** Begins a stroke of a finger or a mouse. */
  private begin(event: PointerEvent): void {
    const first = this.at(event);
    if (!first || !this.isDrawing || !event.isPrimary || event.button !== 0) return;
    const way = [first];
    let [x, y] = [event.clientX, event.clientY];
    this.element.setPointerCapture(event.pointerId);
    const over = new AbortController();
    const listen = (
      name: "pointermove" | "pointerup" | "pointercancel",
      heard: (event: PointerEvent) => void,
    ) =>
      this.element.addEventListener(
        name,
        (event) => {
          if (event.isPrimary) heard(event);
        },
        { signal: over.signal },
      );
    this.follow(way);
    listen("pointermove", (event) => {
      // Intermediate points are added, so that a quick finger skips no hex.
      const steps = Math.ceil(Math.hypot(event.clientX - x, event.clientY - y) / TREMBLE);
      for (let step = 1; step <= steps; step++) {
        const hex = this.at({
          clientX: x + ((event.clientX - x) * step) / steps,
          clientY: y + ((event.clientY - y) * step) / steps,
        });
        if (hex && hex !== way.at(-1)) way.push(hex);
      }
      [x, y] = [event.clientX, event.clientY];
      this.follow(way);
    });
    const end = () => {
      over.abort();
      this.trail.removeAttribute("points");
    };
    listen("pointerup", () => {
      end();
      this.hands.drew(way);
    });
    listen("pointercancel", end);
  }

  private pressed(event: KeyboardEvent): void {
    if (event.target !== this.element) return;
    const step = STEPS[event.key];
    const here = this.hexes[this.cursor]?.[0];
    if (step) {
      const next = this.beside(this.cursor, step);
      if (next >= 0) this.point(next);
      if (next >= 0 && this.way) this.follow((this.way = [...this.way, this.hexes[next]![0]]));
    } else if (event.key === "Escape" && this.way) this.dropWay();
    else if ((event.key === "Enter" || event.key === " ") && here) {
      if (this.isLong && !this.way) {
        this.way = [here];
        this.live.textContent = `from ${here}: go on, and press Enter at the end`;
      } else {
        const way = this.way ?? [here];
        this.dropWay();
        this.hands.drew(way);
      }
    } else return;
    event.preventDefault();
  }

  private dropWay(): void {
    this.way = null;
    this.trail.removeAttribute("points");
  }

  private point(place: number): void {
    const [name, x, y] = this.hexes[place] ?? [];
    if (name === undefined || !this.element.matches(":focus-visible")) return;
    this.cursor = place;
    this.ring.setAttribute("transform", `translate(${x} ${y})`);
    this.ring.setAttribute("visibility", "visible");
    this.live.textContent = name;
  }

  private follow(way: string[]): void {
    const points = way.map((hex) => this.hexes.find(([name]) => name === hex)!);
    // The last point is repeated, because a line of one point would not be drawn.
    this.trail.setAttribute("points", [...points, points.at(-1)!].map(([, x, y]) => `${x},${y}`).join(" "));
  }

  /** Returns the index of the neighbouring hex in this direction, or -1 if there is none. */
  private beside(place: number, [across, down]: [number, number]): number {
    const from = this.hexes[place];
    if (!from) return -1;
    let best = -1;
    let least = Infinity;
    this.hexes.forEach(([, x, y], other) => {
      const [dx, dy] = [x - from[1], y - from[2]];
      const along = dx * across + dy * down;
      const off = Math.abs(dx * down) + Math.abs(dy * across);
      if (along < SIDE / 2 || Math.hypot(dx, dy) > 2 * SIDE || along + off * 1.1 >= least) return;
      [best, least] = [other, along + off * 1.1];
    });
    return best;
  }

  private nearest(clientX: number, clientY: number): number {
    const screen = this.svg?.getScreenCTM();
    if (!screen) return -1;
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(screen.inverse());
    const far = this.hexes.map(([, ofX, ofY]) => Math.hypot(ofX - x, ofY - y));
    const place = far.indexOf(Math.min(...far));
    return (far[place] ?? Infinity) <= SIDE ? place : -1;
  }

  private at({ clientX, clientY }: { clientX: number; clientY: number }): string | undefined {
    return this.hexes[this.nearest(clientX, clientY)]?.[0];
  }
}
