// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The view of the heap: collections over time, the map of regions, each collection with its phases and the work of each
// collector thread, and the times to reach safepoints.
import uPlot from "uplot";
import type { Recording } from "./data";
import { h, link, styleOf, table } from "./dom";
import { count, duration, many, time } from "./format";
import { RegionMap } from "./regions";
import type { State } from "./state";

const MOST_ROWS = 200;

interface Collection {
  begin: number;
  end: number;
  kind: string;
  number: number;
  thread: number;
  event: number;
  phases: { name: string; begin: number; end: number }[];
  works: [thread: number, worker: number, begin: number, end: number][];
}

export class HeapView {
  readonly element: HTMLElement;
  private chart = h("div", { class: "chart" });
  private map: RegionMap;
  private below = h("div", {});
  private plot: uPlot | undefined;
  private collections: Collection[];

  constructor(
    private recording: Recording,
    private state: State,
  ) {
    this.collections = recording.head.pauses.map(([begin, end, kind, number, thread, event, phases, works]) => ({
      begin,
      end,
      kind: recording.text(kind),
      number,
      thread,
      event,
      phases: phases.map(([name, start], place) => ({
        name: recording.text(name),
        begin: start,
        end: phases[place + 1]?.[1] ?? end,
      })),
      works,
    }));
    this.map = new RegionMap(recording, state);
    this.element = h("section", { class: "view heap", "aria-label": "Heap" }, this.chart, this.map.element, this.below);
    new ResizeObserver(() => this.resize()).observe(this.chart);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.plot?.destroy();
      this.plot = undefined;
      this.draw();
    });
  }

  private seen() {
    const { from, until } = this.state.shown;
    return this.collections.filter((each) => each.end >= from && each.begin <= until);
  }

  draw() {
    const seen = this.seen();
    this.chart.hidden = this.collections.length === 0;
    if (this.collections.length > 0) this.drawChart(seen);
    this.map.draw();
    const phases = [...new Set(this.collections.flatMap((each) => each.phases.map((phase) => phase.name)))];
    const parts: Node[] = [];
    if (this.collections.length === 0)
      parts.push(h("p", {}, "No collection happened. With a smaller heap (-Xmx32m) there are some."));
    else {
      parts.push(
        h("h2", {}, `${many(seen.length, "collection")} in the time shown`),
        h(
          "ul",
          { class: "legend" },
          ...phases.map((name, place) => h("li", {}, h("i", { class: `sample phase-${place % 8}` }), name)),
        ),
        ...seen
          .slice(0, MOST_ROWS)
          .map((each) => this.row(each, phases, Math.max(...seen.map((one) => one.end - one.begin)))),
      );
      if (seen.length > MOST_ROWS)
        parts.push(h("p", { class: "faint" }, `and ${count(seen.length - MOST_ROWS)} more: show less time`));
    }
    parts.push(...this.safepoints());
    this.below.replaceChildren(...parts);
  }

  private drawChart(seen: Collection[]) {
    const data: uPlot.AlignedData = [
      seen.map((each) => each.begin / 1e6),
      seen.map((each) => (each.end - each.begin) / 1e6),
    ];
    if (this.plot === undefined) {
      const axis = {
        stroke: styleOf("--faint"),
        grid: { stroke: styleOf("--line"), width: 1 },
        ticks: { stroke: styleOf("--line") },
      };
      this.plot = new uPlot(
        {
          width: this.chart.clientWidth || 600,
          height: 180,
          legend: { show: false },
          cursor: { drag: { x: false, y: false } },
          scales: {
            x: { time: false, range: () => [this.state.shown.from / 1e6, this.state.shown.until / 1e6] },
            y: { range: (_, __, most) => [0, Math.max(most * 1.1, 0.01)] },
          },
          axes: [
            { ...axis, values: (_, values) => values.map((value) => `${value} ms`) },
            { ...axis, size: 70, label: "pause, ms", labelSize: 18 },
          ],
          series: [
            {},
            {
              stroke: styleOf("--accent"),
              width: 2,
              paths: uPlot.paths.bars!({ size: [0.6, 14] }),
              fill: styleOf("--accent"),
              points: { show: true, size: 7 },
            },
          ],
          hooks: {
            init: [
              (plot) =>
                plot.over.addEventListener("click", () => {
                  const chosen = this.seen()[plot.cursor.idx ?? -1];
                  if (chosen !== undefined) this.choose(chosen);
                }),
            ],
          },
        },
        data,
        this.chart,
      );
    } else this.plot.setData(data);
  }
  private resize() {
    if (this.plot !== undefined && this.chart.clientWidth > 0)
      this.plot.setSize({ width: this.chart.clientWidth, height: 180 });
  }

  private choose(each: Collection) {
    this.state.slice = undefined;
    this.state.goTo(each.begin, each.end, { event: each.event, thread: each.thread, time: each.begin });
  }

  // Draws a collection as a bar whose parts are the phases.
  private row(each: Collection, phases: string[], longest: number): HTMLElement {
    const length = Math.max(each.end - each.begin, 1);
    const words = each.phases.map((phase) => `${phase.name} ${duration(phase.end - phase.begin)}`).join(", ");
    return h(
      "div",
      { class: "collection" },
      h(
        "div",
        {},
        link(`#${each.number}`, () => this.choose(each), "show it"),
        ` ${each.kind}, `,
        h("b", {}, duration(length)),
        h(
          "span",
          { class: "faint" },
          ` at ${time(each.begin, 10_000)}, by ${this.recording.threadName(each.thread)}`,
        ),
      ),
      h(
        "div",
        {
          class: "phases",
          role: "img",
          "aria-label": words,
          title: words,
          style: `width: ${(100 * length) / longest}%`,
        },
        ...each.phases.map((phase) => {
          const share = (100 * (phase.end - phase.begin)) / length;
          return h(
            "span",
            { class: `phase-${phases.indexOf(phase.name) % 8}`, style: `width: ${share}%` },
            share > 16 ? `${phase.name} ${duration(phase.end - phase.begin)}` : "",
          );
        }),
      ),
      ...this.workersOf(each, longest),
    );
  }

  // Draws a line per collector thread below the phases. The line is visible where the thread worked.
  private workersOf(each: Collection, longest: number): HTMLElement[] {
    const length = Math.max(each.end - each.begin, 1);
    return [...new Set(each.works.map(([thread]) => thread))].sort((one, other) => one - other).map((thread) => {
      const works = each.works.filter(([of]) => of === thread);
      const sum = works.reduce((all, [, , begin, end]) => all + end - begin, 0);
      const words = `${this.recording.threadName(thread)}: ${duration(sum)} of work in ${many(works.length, "share")}`;
      return h(
        "div",
        {
          class: "workers",
          role: "img",
          "aria-label": words,
          title: words,
          style: `width: ${(100 * length) / longest}%`,
        },
        ...works.map(([, , begin, end]) =>
          h("span", {
            style: `left: ${(100 * (begin - each.begin)) / length}%; width: ${(100 * (end - begin)) / length}%`,
          }),
        ),
      );
    });
  }

  private safepoints(): Node[] {
    const { from, until } = this.state.shown;
    const seen = this.recording.head.safepoints.filter(([request, , resume]) => resume >= from && request <= until);
    if (seen.length === 0) return [];
    const slowest = [...seen].sort((l, r) => r[1] - r[0] - (l[1] - l[0])).slice(0, 20);
    return [
      h("h2", {}, `${many(seen.length, "safepoint")}: all threads stop`),
      table(
        ["operation", "asked by", "at", "until the last stopped", "stopped for"],
        slowest.map(([request, reached, resume, operation, thread, event]) => [
          link(
            this.recording.text(operation),
            () => this.state.goTo(request, resume, { event, thread, view: "threads" }),
            "show it",
          ),
          this.recording.threadName(thread),
          time(request, 1000),
          duration(reached - request),
          duration(resume - reached),
        ]),
        [2, 3, 4],
        seen.length > slowest.length ? "those that threads were slowest to reach" : undefined,
      ),
    ];
  }
}
