// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Creates DOM elements in one expression: h("button", { class: "link", onclick }, "text", ...).

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | undefined | ((event: never) => void)>;

function fill(element: Element, attributes: Attributes, children: Child[]) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value as unknown as EventListener);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child) element.append(child);
}

export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  fill(element, attributes, children);
  return element;
}

export function svg(name: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  fill(element, attributes, children);
  return element;
}

// Makes a table with a head. Cells are texts or elements; `numbers` lists the columns that are aligned to the right.
export function table(head: string[], rows: Child[][], numbers: number[] = [], caption?: string): HTMLTableElement {
  const cell = (name: "td" | "th", column: number, content: Child) =>
    h(
      name,
      { class: numbers.includes(column) ? "number" : undefined, scope: name === "th" ? "col" : undefined },
      content,
    );
  return h(
    "table",
    {},
    caption !== undefined && h("caption", {}, caption),
    head.some((text) => text !== "") &&
      h("thead", {}, h("tr", {}, ...head.map((text, column) => cell("th", column, text)))),
    h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map((content, column) => cell("td", column, content))))),
  );
}

// Formats words in backquotes as code.
export const inCode = (sentence: string) =>
  sentence.split("`").map((part, place) => (place % 2 === 0 ? part : h("code", {}, part)));

export const link = (text: string, onclick: () => void, title?: string) =>
  h("button", { class: "link", type: "button", title, onclick }, text);

type ContextOf = (canvas: HTMLCanvasElement) => CanvasRenderingContext2D;
let otherContext: ContextOf | undefined;
// Makes all canvases draw into other contexts, for a picture. With undefined, they draw on the screen again.
export function drawInto(contextOf: ContextOf | undefined) {
  otherContext = contextOf;
}

// Gives a canvas the resolution of the screen. Returns its context, scaled to CSS pixels.
export function sized(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D {
  if (otherContext !== undefined) return otherContext(canvas);
  const ratio = (devicePixelRatio || 1) * zoomOf(canvas);
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext("2d")!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

// The factor by which the large view enlarges an element.
export const zoomOf = (element: Element) => (element.closest(".large") === null ? 1 : LARGE);
const LARGE = 1.6; // as in style.css
// Returns the pointer's position within the event's target, in pixels before enlargement. It does not use offsetX,
// which differs between browsers if the target is enlarged.
export function placeOf(event: MouseEvent) {
  const target = event.target as HTMLElement;
  const box = target.getBoundingClientRect();
  const zoom = zoomOf(target);
  return { x: (event.clientX - box.left) / zoom, y: (event.clientY - box.top) / zoom };
}

const drawn = new WeakMap<object, number>();
// Draws once before the next frame, even if it is called several times.
export function soon(owner: object, draw: () => void) {
  const waiting = drawn.get(owner);
  if (waiting !== undefined) cancelAnimationFrame(waiting);
  drawn.set(owner, requestAnimationFrame(draw));
}

export const styleOf = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
