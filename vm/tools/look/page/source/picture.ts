// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Pictures of a view, as it is on the screen: SVG with texts and shapes, which other programs can edit, or PNG.
//
//   element            in the picture
//   text               a text per line
//   background, border  rectangles, lines
//   canvas             what the view draws, as SVG (drawing.ts); charts of uPlot: an image
//   svg                itself, with its style as attributes
//
// Scrolled parts that are out of sight are not in it.
import { Drawing, escaped, fontAttributes, short } from "./drawing";
import { drawInto, styleOf, zoomOf } from "./dom";

const PNG_SCALE = 2; // pixels per CSS pixel
const SVG = "http://www.w3.org/2000/svg";
const isClear = (colour: string) => /^transparent$|^rgba\(.*, 0\)$|\/ 0\)$/.test(colour);

class Painter {
  readonly parts: string[] = [];

  // `zoom`: the factor by which the page enlarges the element. Bounding boxes include this factor, but lengths in
  // computed styles do not.
  constructor(
    private origin: DOMRect,
    private zoom: number,
    private canvases: Map<HTMLCanvasElement, Drawing>,
  ) {}

  paint(element: Element, clip: DOMRect) {
    const style = getComputedStyle(element);
    if (element.matches(".hint, .tip, input[type=range]")) return;
    if (style.display === "none" || style.visibility === "hidden" || style.opacity === "0") return;
    const box = element.getBoundingClientRect();
    if (element instanceof SVGSVGElement) {
      this.parts.push(this.svgOf(element, box));
      return;
    }
    this.paintBox(style, box, clip);
    if (element instanceof HTMLCanvasElement) this.parts.push(this.canvasOf(element, box));
    else if (element instanceof HTMLSelectElement)
      this.words(element.selectedOptions[0]?.text ?? "", style, box.left + 8, box);
    else if (element instanceof HTMLInputElement) this.words(element.value, style, box.left + 8, box);
    else {
      const inner = style.overflowX === "visible" && style.overflowY === "visible" ? clip : common(clip, box);
      if (inner.width <= 0 || inner.height <= 0) return;
      for (const child of element.childNodes) {
        if (child instanceof Element) this.paint(child, inner);
        else if (child instanceof Text) this.paintText(child, style, inner);
      }
    }
  }

  private paintBox(style: CSSStyleDeclaration, box: DOMRect, clip: DOMRect) {
    const seen = common(box, clip);
    if (seen.width <= 0 || seen.height <= 0) return;
    const sides = ["Top", "Right", "Bottom", "Left"] as const;
    const widths = sides.map((side) =>
      style[`border${side}Style`] === "none" ? 0 : this.zoom * Number.parseFloat(style[`border${side}Width`]),
    );
    const colours = sides.map((side) => style[`border${side}Color`]);
    const isEven = widths.every((width, side) => width === widths[0] && colours[side] === colours[0]);
    const fill = style.backgroundImage !== "none" ? colours[0] : style.backgroundColor;
    const border = isEven && widths[0] > 0 && seen.width === box.width && seen.height === box.height;
    if (!isClear(fill) || border) {
      const stroke = border ? ` stroke="${colours[0]}" stroke-width="${widths[0]}"` : "";
      const inset = border ? widths[0] / 2 : 0;
      const radius = this.zoom * (Number.parseFloat(style.borderTopLeftRadius) || 0);
      this.parts.push(
        `<rect x="${this.x(seen.left + inset)}" y="${this.y(seen.top + inset)}" ` +
          `width="${short(seen.width - 2 * inset)}" height="${short(seen.height - 2 * inset)}" rx="${short(radius)}" ` +
          `fill="${isClear(fill) ? "none" : fill}"${style.backgroundImage !== "none" ? ' fill-opacity="0.5"' : ""}${stroke}/>`,
      );
    }
    if (isEven) return;
    widths.forEach((width, side) => {
      if (width === 0 || isClear(colours[side])) return;
      const isAcross = side % 2 === 0;
      const left = side === 1 ? box.right - width : box.left;
      const top = side === 2 ? box.bottom - width : box.top;
      const line = common(new DOMRect(left, top, isAcross ? box.width : width, isAcross ? width : box.height), clip);
      if (line.width <= 0 || line.height <= 0) return;
      this.parts.push(
        `<rect x="${this.x(line.left)}" y="${this.y(line.top)}" width="${short(line.width)}" ` +
          `height="${short(line.height)}" fill="${colours[side]}"/>`,
      );
    });
  }

  // Words that the browser has put on one line become one text.
  private paintText(node: Text, style: CSSStyleDeclaration, clip: DOMRect) {
    const range = document.createRange();
    let line: { text: string; box: DOMRect } | undefined;
    const finish = () => {
      if (line !== undefined) this.words(line.text, style, line.box.left, line.box);
      line = undefined;
    };
    for (const word of node.data.matchAll(/\S+\s*/g)) {
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].trimEnd().length);
      const box = range.getBoundingClientRect();
      const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
      if (box.width === 0 || x < clip.left || x > clip.right || y < clip.top || y > clip.bottom) continue;
      if (line !== undefined && Math.abs(line.box.top - box.top) > 2) finish();
      if (line === undefined) line = { text: word[0], box };
      else line.text += word[0];
    }
    finish();
  }
  private words(text: string, style: CSSStyleDeclaration, left: number, box: DOMRect) {
    if (text.trim() === "") return;
    const size = this.zoom * Number.parseFloat(style.fontSize);
    const font = `${style.fontWeight} ${size}px ${style.fontFamily}`;
    const underlined = style.textDecorationLine === "underline" ? ' text-decoration="underline"' : "";
    this.parts.push(
      `<text x="${this.x(left)}" y="${this.y((box.top + box.bottom) / 2)}" dy="0.35em" ${fontAttributes(font)}` +
        `${underlined} fill="${style.color}">${escaped(text.trim())}</text>`,
    );
  }

  private canvasOf(canvas: HTMLCanvasElement, box: DOMRect) {
    const place = `x="${this.x(box.left)}" y="${this.y(box.top)}" width="${short(box.width)}" height="${short(box.height)}"`;
    const drawing = this.canvases.get(canvas);
    if (drawing !== undefined)
      return `<svg ${place} viewBox="0 0 ${canvas.clientWidth} ${canvas.clientHeight}">${drawing.text}</svg>`;
    return canvas.width === 0 ? "" : `<image ${place} href="${canvas.toDataURL()}"/>`;
  }

  private svgOf(original: SVGSVGElement, box: DOMRect) {
    const copy = original.cloneNode(true) as SVGSVGElement;
    const [from, to] = [original, copy].map((each) => [each, ...each.querySelectorAll("*")]);
    from.forEach((each, index) => {
      const style = getComputedStyle(each);
      const target = to[index];
      for (const name of ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "text-anchor"])
        target.setAttribute(name, style.getPropertyValue(name));
      for (const name of ["font-family", "font-size", "font-weight"])
        if (each instanceof SVGTextContentElement) target.setAttribute(name, style.getPropertyValue(name));
      target.removeAttribute("class");
    });
    for (const [name, value] of [
      ["x", this.x(box.left)],
      ["y", this.y(box.top)],
      ["width", short(box.width)],
      ["height", short(box.height)],
    ])
      copy.setAttribute(name, value);
    return new XMLSerializer().serializeToString(copy);
  }

  private x(left: number) {
    return short(left - this.origin.left);
  }
  private y(top: number) {
    return short(top - this.origin.top);
  }
}

function common(one: DOMRect, other: DOMRect): DOMRect {
  const [left, top] = [Math.max(one.left, other.left), Math.max(one.top, other.top)];
  return new DOMRect(left, top, Math.min(one.right, other.right) - left, Math.min(one.bottom, other.bottom) - top);
}

const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

// Returns the element as SVG text. `draw` must make the view redraw the canvases of the element.
export async function svgOf(element: Element, draw: () => void): Promise<string> {
  const canvases = new Map<HTMLCanvasElement, Drawing>();
  drawInto((canvas) => {
    const drawing = new Drawing();
    canvases.set(canvas, drawing);
    return drawing as unknown as CanvasRenderingContext2D;
  });
  draw();
  await frame(); // the view redraws its canvases only before the next frame
  drawInto(undefined);
  const box = element.getBoundingClientRect();
  const painter = new Painter(box, zoomOf(element), canvases);
  painter.paint(element, box);
  draw();
  const [width, height] = [short(box.width), short(box.height)];
  return [
    `<svg xmlns="${SVG}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="${width}" height="${height}" fill="${styleOf("--ground")}"/>`,
    ...painter.parts,
    "</svg>",
  ].join("\n");
}

// Draws the SVG on a canvas.
export async function pngOf(text: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width * PNG_SCALE, image.height * PNG_SCALE];
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob === null ? reject(new Error("the picture is too large")) : resolve(blob))),
  );
}

// Makes the browser save the data as a file.
export function save(data: Blob, name: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(data);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
