// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Draws a thread's lane: a thin band while the thread runs, and a box while it cannot run. Each state has a colour, a
// pattern and a letter.
import { Doing, doingNames, type Recording, type Slices } from "./data";
import { styleOf } from "./dom";

export const LANE = 26;
export const BOX = 18;
const BAND = 6;

export interface Drawn {
  // areas that react to the pointer
  lane: number;
  left: number;
  right: number;
  block: Slices;
  row: number;
}

export class Palette {
  readonly font = styleOf("--font");
  readonly ink = styleOf("--ink");
  readonly faint = styleOf("--faint");
  readonly line = styleOf("--line");
  readonly ground = styleOf("--ground");
  readonly accent = styleOf("--accent");
  readonly hold = styleOf("--hold");
  readonly pause = styleOf("--pause");
  readonly doing = doingNames.map((name) => styleOf(`--${name}`));
  readonly soft = doingNames.map((name) => styleOf(`--${name}-soft`));
  private patterns: (CanvasPattern | null)[];

  constructor(context: CanvasRenderingContext2D) {
    this.patterns = doingNames.map((_, doing) => pattern(context, doing, this.doing[doing]));
  }

  // Colour below, pattern above.
  box(context: CanvasRenderingContext2D, doing: number, x: number, y: number, width: number, height: number) {
    context.fillStyle = this.soft[doing];
    context.fillRect(x, y, width, height);
    const above = this.patterns[doing];
    if (above !== null && width > 2) {
      context.fillStyle = above;
      context.fillRect(x, y, width, height);
    } else {
      context.fillStyle = this.doing[doing];
      context.fillRect(x, y, Math.max(width, 1), height);
    }
    if (width <= 6) return;
    context.strokeStyle = this.doing[doing];
    context.lineWidth = 1;
    context.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
  }
}

// The pattern of each state. Blocked: diagonals. Waiting: dashes. Parked: dots. Sleeping: an empty box.
function pattern(context: CanvasRenderingContext2D, doing: number, colour: string): CanvasPattern | null {
  const ratio = devicePixelRatio || 1;
  const size = 6;
  const tile = document.createElement("canvas");
  tile.width = tile.height = size * ratio;
  const ink = tile.getContext("2d")!;
  ink.scale(ratio, ratio);
  ink.strokeStyle = ink.fillStyle = colour;
  ink.lineWidth = 1.6;
  ink.beginPath();
  if (doing === Doing.blocked) {
    for (const shift of [-size, 0, size]) {
      ink.moveTo(shift, size);
      ink.lineTo(shift + size, 0);
    }
    ink.stroke();
  } else if (doing === Doing.waiting) {
    ink.fillRect(0, 2, 4, 1.4);
  } else if (doing === Doing.parked) {
    ink.arc(2, 2, 1.1, 0, 2 * Math.PI);
    ink.fill();
  }
  const made = context.createPattern(tile, "repeat");
  made?.setTransform(new DOMMatrix().scale(1 / ratio));
  return made;
}

export function drawBand(
  context: CanvasRenderingContext2D,
  palette: Palette,
  y: number,
  left: number,
  right: number,
) {
  context.fillStyle = palette.doing[Doing.running];
  context.fillRect(left, y + (LANE - BAND) / 2, Math.max(right - left, 1), BAND);
}

export function drawSlice(
  context: CanvasRenderingContext2D,
  palette: Palette,
  recording: Recording,
  block: Slices,
  row: number,
  y: number,
  left: number,
  right: number,
  isChosen: boolean,
) {
  const width = Math.max(right - left, 1);
  const top = y + (LANE - BOX) / 2;
  context.clearRect(left, y + 1, width, LANE - 2);
  const shares = block.shares.map((share) => share[row]);
  const sum = shares[0] + shares[1] + shares[2] + shares[3];
  if (sum !== 0) {
    // draws a merged slice as stacked bars, one for each state's share
    drawBand(context, palette, y, left, left + width);
    let at = top + BOX;
    shares.forEach((share, doing) => {
      if (share === 0) return;
      const height = Math.max((share / 255) * BOX, 1);
      at -= height;
      context.clearRect(left, at, width, height);
      palette.box(context, doing + 1, left, at, width, height);
    });
  } else {
    palette.box(context, block.doing[row], left, top, width, BOX);
    const doing = doingNames[block.doing[row]];
    const text = block.object[row] !== 0 ? `${doing}: ${recording.objectName(block.object[row])}` : doing;
    const words = width > 7.2 * text.length + 8 ? text : width > 16 ? doing[0].toUpperCase() : "";
    if (words !== "") label(context, palette, words, left + 4, y + LANE / 2);
  }
  if (isChosen) {
    context.strokeStyle = palette.accent;
    context.lineWidth = 2.5;
    context.strokeRect(left, top - 1, Math.max(width, 3), BOX + 2);
  }
}

// Draws words on a plain background, so that they stay readable over a pattern.
export function label(context: CanvasRenderingContext2D, palette: Palette, text: string, x: number, y: number) {
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.lineWidth = 4;
  context.strokeStyle = palette.ground;
  context.strokeText(text, x, y);
  context.fillStyle = palette.ink;
  context.fillText(text, x, y);
}

// Draws an arrow from a blocked thread to the owner of the lock.
export function drawArrow(
  context: CanvasRenderingContext2D,
  palette: Palette,
  x: number,
  from: number,
  to: number,
  text: string,
) {
  const direction = Math.sign(to - from);
  const [start, end] = [from + direction * (BOX / 2 + 1), to - direction * (BAND / 2 + 2)];
  context.setLineDash([]);
  for (const [colour, width] of [
    [palette.ground, 5],
    [palette.ink, 2],
  ] as [string, number][]) {
    context.strokeStyle = context.fillStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(x, start);
    context.lineTo(x, end - direction * 6);
    context.stroke();
  }
  context.beginPath();
  context.moveTo(x, end);
  context.lineTo(x - 5, end - direction * 9);
  context.lineTo(x + 5, end - direction * 9);
  context.fill();
  if (text !== "") label(context, palette, text, x + 9, end - direction * 12);
}
