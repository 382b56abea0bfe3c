// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The map of the heap's regions over time. It has a row for each region that was ever in use, ordered by address from
// top to bottom, coloured by the region's state. States and generations: gc/heap/region.h.
import type { Recording, Regions } from "./data";
import { h, placeOf, sized, soon, styleOf } from "./dom";
import { bytes, count, many, time } from "./format";
import type { State } from "./state";

const HEIGHT = 240; // height of the map in CSS pixels
const TALLEST_ROW = 14;

// Numbers of gc::RegionState and gc::Generation.
const enum Place {
  Free,
  Shared,
  Full,
  FromSpace,
  ToSpace,
  HumongousStart,
  HumongousContinues,
  Compacting,
}

interface Look {
  name: string;
  colour: string; // a variable of style.css
  meaning: string;
}
const looks: Look[] = [
  { name: "free", colour: "--sunken", meaning: "nothing in it" },
  { name: "open", colour: "--c5", meaning: "threads allocate in it, by compare-and-swap" },
  { name: "Eden", colour: "--c2", meaning: "full of what threads allocated" },
  { name: "Survivor", colour: "--c4", meaning: "what one collection or more has left alive" },
  { name: "Old", colour: "--c0", meaning: "what has been promoted" },
  { name: "humongous", colour: "--c6", meaning: "a part of one large object" },
  { name: "to-space", colour: "--c3", meaning: "a collector copies into it" },
  { name: "from-space", colour: "--c1", meaning: "a collection empties it, or slides its objects together" },
];

// Returns the index of the colour for the region's state after a change.
function lookOf(changes: Regions, row: number): number {
  switch (changes.state[row] as Place) {
    case Place.Free:
      return 0;
    case Place.Shared:
      return 1;
    case Place.Full:
      return 2 + changes.generation[row];
    case Place.HumongousStart:
    case Place.HumongousContinues:
      return 5;
    case Place.ToSpace:
      return 6;
    default:
      return 7;
  }
}

export class RegionMap {
  readonly element: HTMLElement;
  private canvas = h("canvas", { class: "regions", role: "img" });
  private counts = h("p", { class: "faint", "aria-live": "polite" });
  private changes: Regions | undefined;
  private rowsOf: [region: number, rows: number[]][] = []; // indices of rows of `changes`, in the order of time

  constructor(
    private recording: Recording,
    private state: State,
  ) {
    this.element = h(
      "div",
      {},
      h("h2", {}, "Regions"),
      h(
        "ul",
        { class: "legend" },
        ...looks.map(({ name, colour, meaning }) =>
          h("li", { title: meaning }, h("i", { class: "sample", style: `background: var(${colour})` }), name),
        ),
      ),
      this.canvas,
      this.counts,
    );
    this.canvas.addEventListener("mousemove", (event) => this.tell(event));
    this.canvas.addEventListener("mouseleave", () => this.countAt(this.chosenTime()));
    this.canvas.addEventListener("click", (event) => {
      const row = this.rowAt(event);
      this.state.set({ time: this.timeAt(event), ...(row >= 0 ? { event: this.changes!.event[row] } : {}) });
    });
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  private read() {
    if (this.changes !== undefined) return;
    this.changes = this.recording.regions;
    const byRegion = new Map<number, number[]>();
    for (let row = 0; row < this.changes.rows; row++) {
      const region = this.changes.region[row];
      const rows = byRegion.get(region);
      if (rows === undefined) byRegion.set(region, [row]);
      else rows.push(row);
    }
    this.rowsOf = [...byRegion].sort(([one], [other]) => one - other);
  }

  draw() {
    soon(this, () => this.drawNow());
  }
  private get rowHeight() {
    return Math.min(TALLEST_ROW, HEIGHT / Math.max(this.rowsOf.length, 1));
  }

  private drawNow() {
    const width = this.element.clientWidth;
    if (width === 0 || !this.recording.isWhole) return;
    this.read();
    this.element.hidden = this.rowsOf.length === 0;
    const height = this.rowHeight * this.rowsOf.length;
    const context = sized(this.canvas, width, height);
    const colours = looks.map(({ colour }) => styleOf(colour));
    context.fillStyle = colours[0];
    context.fillRect(0, 0, width, height);
    const { from, until } = this.state.shown;
    const scale = width / (until - from);
    const changes = this.changes!;
    this.rowsOf.forEach(([, rows], place) => {
      rows.forEach((row, index) => {
        const begin = changes.time[row];
        const end = index + 1 < rows.length ? changes.time[rows[index + 1]] : this.recording.end;
        const look = lookOf(changes, row);
        if (look === 0 || end < from || begin > until) return;
        const left = Math.max((begin - from) * scale, 0);
        const right = Math.min((end - from) * scale, width);
        context.fillStyle = colours[look];
        context.fillRect(left, place * this.rowHeight, Math.max(right - left, 0.5), this.rowHeight);
      });
    });
    const chosen = this.state.shown.time;
    if (chosen !== undefined && chosen >= from && chosen <= until) {
      context.fillStyle = styleOf("--ink");
      context.fillRect((chosen - from) * scale, 0, 1, height);
    }
    this.countAt(this.chosenTime());
    this.canvas.setAttribute("aria-label", `map of regions; ${this.counts.textContent}`);
  }

  private chosenTime() {
    const { from, until, time: chosen } = this.state.shown;
    return chosen !== undefined && chosen >= from && chosen <= until ? chosen : until;
  }
  private timeAt(event: MouseEvent) {
    const { from, until } = this.state.shown;
    return from + (placeOf(event).x / Math.max(this.canvas.clientWidth, 1)) * (until - from);
  }
  // Returns the last change before the time under the pointer, or -1.
  private rowAt(event: MouseEvent): number {
    const place = Math.floor(placeOf(event).y / this.rowHeight);
    return this.lastBefore(this.rowsOf[place]?.[1] ?? [], this.timeAt(event));
  }
  private lastBefore(rows: number[], at: number): number {
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.changes!.time[rows[middle]] <= at) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? -1 : rows[low - 1];
  }

  private tell(event: MouseEvent) {
    const row = this.rowAt(event);
    if (row < 0) return this.countAt(this.timeAt(event));
    const { region, time: since, used, change } = this.changes!;
    const words = this.recording.head.kinds[this.recording.kind("region")].words[change[row]] ?? "";
    this.counts.textContent =
      `Region ${region[row]} at ${time(this.timeAt(event), 1000)}: ${looks[lookOf(this.changes!, row)].name}. ` +
      `${words} at ${time(since[row], 1000)}, with ${bytes(used[row])}.`;
  }
  private countAt(at: number) {
    const counts = looks.map(() => 0);
    for (const [, rows] of this.rowsOf) {
      const row = this.lastBefore(rows, at);
      counts[row < 0 ? 0 : lookOf(this.changes!, row)]++;
    }
    const [, all, size] = this.recording.head.regions;
    const parts = counts.flatMap((number, look) =>
      number === 0 || look === 0 ? [] : [`${count(number)} ${looks[look].name}`],
    );
    const used = counts.slice(1).reduce((sum, each) => sum + each, 0);
    this.counts.textContent =
      `At ${time(at, 1000)}: ${many(used, "region")} in use of ${count(all)}, ${bytes(size)} each` +
      (parts.length > 0 ? `: ${parts.join(", ")}.` : ".");
  }
}
