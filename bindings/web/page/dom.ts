// Creates elements with attributes and listeners. Text is never parsed as HTML.

type Attributes = Record<string, string | number | boolean | null | undefined | ((event: never) => void)>;
export type Child = Node | string | null | undefined | false;

function filled<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value as EventListener);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined)
      element.setAttribute(name, String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

/** An element of the page; an attribute that is a function listens to the event of its name. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return filled(document.createElement(tag), attributes, children);
}

/** An element of a drawing. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/** A picture of the engine as part of the page; parsed as XML, or `null` if it is no SVG. */
export function picture(svg: string): Element | null {
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  return root.nodeName === "svg" ? (document.importNode(root, true) as Element) : null;
}

export function button(text: Child, press: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return h("button", { type: "button", click: press, ...attributes }, text);
}
