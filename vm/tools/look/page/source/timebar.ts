// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The overview: a band for the whole recording. It shows the number of threads that wait for locks, the pauses, and the
// interval that the views show.
import { Doing, type Recording } from "./data";
import { h, sized, soon, styleOf } from "./dom";
import { duration, many, time } from "./format";
import type { State } from "./state";

const HEIGHT = 40;

export class TimeBar {
  readonly element: HTMLElement;
  private canvas = h("canvas", { class: "overview" });
  private words = h("output", { class: "range" });
  private blocked: Float64Array | undefined; // number of threads that wait for locks, at each pixel
  private width = 0;

  constructor(
    private recording: Recording,
    private state: State,
  ) {
    const button = (text: string, title: string, act: () => void) =>
      h("button", { type: "button", title, "aria-label": title, onclick: act }, text);
    this.element = h(
      "div",
      { class: "timebar" },
      this.canvas,
      h(
        "div",
        { class: "zoom", role: "group", "aria-label": "time shown" },
        this.words,
        button("−", "show more time (key −)", () => state.zoom(2)),
        button("+", "show less time (key +)", () => state.zoom(0.5)),
        button("◀", "earlier (key shift ←)", () => state.pan(-0.5)),
        button("▶", "later (key shift →)", () => state.pan(0.5)),
        button("all", "the whole recording (key 0)", () => state.showAll()),
      ),
    );
    this.canvas.setAttribute("role", "img");
    this.drag();
    state.onChange(() => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.canvas.parentElement!);
  }

  // Dragging in the overview selects an interval; a click moves the visible interval there.
  private drag() {
    const timeOf = (event: PointerEvent) => {
      const box = this.canvas.getBoundingClientRect();
      return this.recording.begin + ((event.clientX - box.left) / box.width) * this.length;
    };
    let start: number | undefined;
    this.canvas.addEventListener("pointerdown", (event) => {
      start = timeOf(event);
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (start === undefined) return;
      const now = timeOf(event);
      if (Math.abs(now - start) > this.length / 500)
        this.state.set({ from: Math.min(start, now), until: Math.max(start, now) });
    });
    this.canvas.addEventListener("pointerup", (event) => {
      const now = timeOf(event);
      if (start !== undefined && Math.abs(now - start) <= this.length / 500) {
        const { from, until } = this.state.shown;
        this.state.set({ from: now - (until - from) / 2, until: now + (until - from) / 2 });
      }
      start = undefined;
    });
  }

  private get length() {
    return this.recording.end - this.recording.begin;
  }

  private countBlocked(width: number): Float64Array {
    const counts = new Float64Array(width);
    const scale = width / this.length;
    this.recording.forEachSlice(this.recording.begin, this.recording.end, Infinity, (block, row) => {
      const mixed = block.shares[0][row] + block.shares[1][row] + block.shares[2][row] + block.shares[3][row] !== 0;
      const isForLock =
        block.doing[row] === Doing.blocked || (block.doing[row] === Doing.parked && block.owner[row] !== 0);
      if (!mixed && !isForLock) return;
      const share = mixed ? block.shares[0][row] / 255 : 1;
      const from = (block.begin[row] - this.recording.begin) * scale;
      const until = from + block.length[row] * scale;
      for (let x = Math.floor(from); x < until && x < width; x++)
        counts[x] += share * (Math.min(until, x + 1) - Math.max(from, x));
    });
    return counts;
  }

  // Labels: the number of blocked threads that corresponds to the full height, and the times of both ends.
  private drawScale(context: CanvasRenderingContext2D, width: number, most: number) {
    const { begin, end } = this.recording;
    const height = most === 0 ? "no thread waits for a lock" : `full height: ${many(most, "thread")} waiting for locks`;
    const label = (text: string, at: number, y: number, align: CanvasTextAlign) => {
      context.textAlign = align;
      context.strokeText(text, at, y);
      context.fillText(text, at, y);
    };
    context.font = `11px ${styleOf("--font")}`;
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 3;
    context.strokeStyle = styleOf("--sunken");
    context.fillStyle = styleOf("--ink");
    label(height, 5, 8, "left");
    label(time(begin, this.length / 1000), 5, HEIGHT - 8, "left");
    label(time(end, this.length / 1000), width - 5, HEIGHT - 8, "right");
    this.canvas.setAttribute(
      "aria-label",
      `how many threads wait for locks over the whole recording; ${height}`,
    );
  }

  draw() {
    soon(this, () => this.drawNow());
  }

  private drawNow() {
    const width = Math.floor(this.element.clientWidth);
    if (width === 0) return;
    const context = sized(this.canvas, width, HEIGHT);
    if (this.blocked === undefined || this.width !== width) {
      this.width = width;
      this.blocked = this.countBlocked(width);
    }
    const { begin } = this.recording;
    const scale = width / this.length;
    const x = (at: number) => (at - begin) * scale;
    context.clearRect(0, 0, width, HEIGHT);
    context.fillStyle = styleOf("--sunken");
    context.fillRect(0, 0, width, HEIGHT);
    context.fillStyle = styleOf("--pause");
    for (const [from, until] of this.recording.head.pauses)
      context.fillRect(x(from), 0, Math.max(1, (until - from) * scale), HEIGHT);
    const most = Math.max(0, Math.ceil(Math.max(...this.blocked) - 0.01)); // tolerates the rounding of shares to 255ths
    context.fillStyle = styleOf("--blocked");
    for (let i = 0; i < width; i++) {
      const height = (this.blocked[i] / Math.max(most, 1)) * (HEIGHT - 4);
      if (height > 0) context.fillRect(i, HEIGHT - Math.max(height, 1), 1, Math.max(height, 1));
    }
    const { from, until } = this.state.shown;
    context.fillStyle = styleOf("--veil");
    context.fillRect(0, 0, x(from), HEIGHT);
    context.fillRect(x(until), 0, width - x(until), HEIGHT);
    context.strokeStyle = styleOf("--accent");
    context.lineWidth = 2;
    context.strokeRect(x(from) + 1, 1, Math.max(x(until) - x(from) - 2, 1), HEIGHT - 2);
    this.drawScale(context, width, most);
    const step = (until - from) / 1000;
    this.words.textContent = `${time(from, step)} – ${time(until, step)} (${duration(until - from)})`;
  }
}
