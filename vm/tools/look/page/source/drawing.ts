// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Drawing: a context that writes SVG instead of pixels. It has the members of CanvasRenderingContext2D that the views
// use, so that one function draws a canvas on the screen and in a picture.
import { styleOf } from "./dom";

type Paint = string | { pattern: string };
type Point = [number, number];

const styled = ["fillStyle", "strokeStyle", "lineWidth", "font", "textAlign", "textBaseline"] as const;

export const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
export const short = (value: number) => String(Math.round(value * 100) / 100);

// The attributes of a font: "600 12px serif".
export function fontAttributes(font: string): string {
  const [, before, size, family] = /^(.*?)([\d.]+)px(?:\/\S+)? (.*)$/.exec(font) ?? ["", "", "12", "sans-serif"];
  const weight = /bold|\b[1-9]00\b/.exec(before)?.[0] ?? "400";
  return `font-family="${escaped(family)}" font-size="${size}" font-weight="${weight}"`;
}

let pictures = 0; // part of the ids of clips and patterns, which must differ between canvases

export class Drawing {
  fillStyle: Paint = "#000";
  strokeStyle: Paint = "#000";
  lineWidth = 1;
  lineJoin = "miter";
  font = "10px sans-serif";
  textAlign = "left";
  textBaseline = "alphabetic";
  private parts: string[] = [];
  private path = "";
  private dash: number[] = [];
  private saved: { style: Record<string, unknown>; groups: number }[] = [];
  private groups = 0;
  private names = 0;
  private readonly name = `p${pictures++}`;
  private readonly measure = document.createElement("canvas").getContext("2d")!;

  // The SVG that has been drawn since the beginning.
  get text() {
    return this.parts.join("\n") + "</g>".repeat(this.groups);
  }

  setTransform() {}
  setLineDash(dash: number[]) {
    this.dash = dash;
  }
  save() {
    this.saved.push({ style: Object.fromEntries(styled.map((key) => [key, this[key]])), groups: this.groups });
  }
  restore() {
    const last = this.saved.pop();
    if (last === undefined) return;
    Object.assign(this, last.style);
    for (; this.groups > last.groups; this.groups--) this.parts.push("</g>");
  }

  beginPath() {
    this.path = "";
  }
  moveTo(...to: Point) {
    this.path += `M${to.map(short).join(" ")}`;
  }
  lineTo(...to: Point) {
    this.path += `L${to.map(short).join(" ")}`;
  }
  rect(x: number, y: number, width: number, height: number) {
    this.path += `M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}z`;
  }
  clip() {
    const name = this.newName();
    this.parts.push(`<clipPath id="${name}"><path d="${this.path}"/></clipPath><g clip-path="url(#${name})">`);
    this.groups++;
  }
  stroke() {
    this.parts.push(`<path d="${this.path}" fill="none" ${this.strokeAttributes()}/>`);
  }
  fill() {
    this.parts.push(`<path d="${this.path}" fill="${this.paint(this.fillStyle)}"/>`);
  }

  fillRect(x: number, y: number, width: number, height: number) {
    this.box(x, y, width, height, `fill="${this.paint(this.fillStyle)}"`);
  }
  strokeRect(x: number, y: number, width: number, height: number) {
    this.box(x, y, width, height, `fill="none" ${this.strokeAttributes()}`);
  }
  // Paints the rectangle in the page's background colour, because nothing else lies below a canvas in a picture.
  clearRect(x: number, y: number, width: number, height: number) {
    this.box(x, y, width, height, `fill="${styleOf("--ground")}"`);
  }
  private box(x: number, y: number, width: number, height: number, attributes: string) {
    const [left, top] = [Math.min(x, x + width), Math.min(y, y + height)];
    this.parts.push(
      `<rect x="${short(left)}" y="${short(top)}" width="${short(Math.abs(width))}" ` +
        `height="${short(Math.abs(height))}" ${attributes}/>`,
    );
  }

  fillText(text: string, x: number, y: number) {
    this.words(text, x, y, `fill="${this.paint(this.fillStyle)}"`);
  }
  strokeText(text: string, x: number, y: number) {
    this.words(text, x, y, `fill="none" stroke-linejoin="${this.lineJoin}" ${this.strokeAttributes()}`);
  }
  private words(text: string, x: number, y: number, attributes: string) {
    const anchor = { right: "end", center: "middle" }[this.textAlign] ?? "start";
    const shift = this.textBaseline === "middle" ? ' dy="0.35em"' : "";
    this.parts.push(
      `<text x="${short(x)}" y="${short(y)}"${shift} text-anchor="${anchor}" ${fontAttributes(this.font)} ` +
        `${attributes}>${escaped(text)}</text>`,
    );
  }
  measureText(text: string) {
    this.measure.font = this.font;
    return this.measure.measureText(text);
  }

  // The tile's image has the resolution of the screen. The pattern shows it in its size in CSS pixels.
  createPattern(tile: HTMLCanvasElement) {
    const name = this.newName();
    const size = short(tile.width / (devicePixelRatio || 1));
    this.parts.push(
      `<pattern id="${name}" width="${size}" height="${size}" patternUnits="userSpaceOnUse">` +
        `<image href="${tile.toDataURL()}" width="${size}" height="${size}"/></pattern>`,
    );
    return { pattern: name, setTransform: () => {} };
  }

  private newName() {
    return `${this.name}-${this.names++}`;
  }
  private paint(paint: Paint) {
    return typeof paint === "string" ? escaped(paint) : `url(#${paint.pattern})`;
  }
  private strokeAttributes() {
    const dash = this.dash.length > 0 ? ` stroke-dasharray="${this.dash.join(" ")}"` : "";
    return `stroke="${this.paint(this.strokeStyle)}" stroke-width="${short(this.lineWidth)}"${dash}`;
  }
}
