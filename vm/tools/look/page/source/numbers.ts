// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The view of figures about locks and pauses. Each figure has a link to its worst instance.
import uPlot from "uplot";
import { Doing, type HotObject, type Instance, type Recording } from "./data";
import { h, link, styleOf, table } from "./dom";
import { count, duration, many, percent } from "./format";
import type { State } from "./state";

export class NumbersView {
  readonly element: HTMLElement;
  private chart = h("div", { class: "chart" });
  private plot: uPlot | undefined;
  private body = h("div", {});

  constructor(
    private recording: Recording,
    private state: State,
  ) {
    this.element = h("section", { class: "view numbers", "aria-label": "Numbers" }, this.body);
    const { waits, histogram } = recording.head.numbers;
    this.body.append(...this.cards());
    if (histogram.length > 0) {
      this.body.append(
        h("h2", {}, "How long contended enters waited"),
        table(
          ["share", "waited at most", ""],
          (
            [
              ["half", waits.p50],
              ["90 %", waits.p90],
              ["99 %", waits.p99],
              ["99.9 %", waits.p999],
              ["all", waits.longest],
            ] as [string, Instance][]
          ).map(([name, instance]) => [name, duration(instance[0]), this.worst(instance, "show it")]),
          [1],
        ),
        this.chart,
        h(
          "p",
          { class: "faint" },
          "contended enters by the time they waited; a click on a bar shows the longest of it",
        ),
      );
      new ResizeObserver(() => this.resize()).observe(this.chart);
      matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
        this.plot?.destroy();
        this.plot = undefined;
        this.draw();
      });
    }
    this.body.append(...this.locks(), ...this.pauses());
  }

  // Returns a link to the slice that begins with the event.
  private worst([amount, event]: Instance, words = "the worst"): Node {
    if (amount <= 0) return document.createTextNode("–");
    return link(words, () => this.show(event), "show it in its lane");
  }
  private show(number: number) {
    const event = this.recording.event(number);
    const slice = this.recording.sliceAt(event.thread, event.time);
    if (slice !== undefined && slice.doing === Doing.blocked) {
      this.state.select(slice);
      this.state.goTo(slice.begin, slice.end, { view: "threads" });
    } else {
      this.state.slice = undefined;
      this.state.goTo(event.time - 50_000, event.time + 50_000, {
        view: "threads",
        thread: event.thread,
        event: number,
        time: event.time,
      });
    }
  }

  private cards(): Node[] {
    const { numbers, pauses } = this.recording.head;
    const longest = pauses.reduce((most, each) => (each[1] - each[0] > most[1] - most[0] ? each : most), pauses[0]);
    const stops = this.recording.head.safepoints;
    const slowest = stops.reduce((most, each) => (each[1] - each[0] > most[1] - most[0] ? each : most), stops[0]);
    const card = (name: string, value: string, more: Node | string) =>
      h("div", { class: "card" }, h("small", {}, name), h("b", {}, value), h("span", {}, more));
    return [
      h(
        "div",
        { class: "cards" },
        card("locks taken", count(numbers.enters), `${many(this.recording.threads.length, "thread")}`),
        card(
          "contended",
          count(numbers.contended),
          numbers.enters === 0 ? "" : `${percent(numbers.contended / numbers.enters)} of all`,
        ),
        card(
          "longest wait",
          numbers.waits.longest[0] === 0 ? "none" : duration(numbers.waits.longest[0]),
          this.worst(numbers.waits.longest),
        ),
        card(
          "waiting at the end",
          count(numbers.unfinished[0]),
          numbers.unfinished[0] === 0 ? "–" : this.worst(numbers.unfinished[1]),
        ),
        card("futile wake-ups", count(numbers.futile), this.worst(numbers.most_futile)),
        card(
          "longest pause",
          longest === undefined ? "none" : duration(longest[1] - longest[0]),
          longest === undefined
            ? ""
            : link("the worst", () => this.state.goTo(longest[0], longest[1], { view: "heap", event: longest[5] })),
        ),
        card(
          "slowest stop",
          slowest === undefined ? "none" : duration(slowest[1] - slowest[0]),
          slowest === undefined
            ? ""
            : link("the worst", () =>
                this.state.goTo(slowest[0], slowest[2], { view: "threads", event: slowest[5] }),
              ),
        ),
      ),
    ];
  }

  private locks(): Node[] {
    const { hot } = this.recording.head.numbers;
    if (hot.length === 0) return [h("p", {}, "No lock was recorded.")];
    return [
      h("h2", {}, "The hottest objects"),
      table(
        ["object", "taken", "contended", "waited", "longest", "fairness", "who took it"],
        hot.map((each) => [
          link(this.recording.objectName(each.object), () => this.state.set({ view: "lock", object: each.object })),
          count(each.enters),
          each.contended === 0 ? "–" : percent(each.contended / each.enters),
          each.waited === 0 ? "–" : duration(each.waited),
          each.longest[0] === 0 ? "–" : this.worst(each.longest, duration(each.longest[0])),
          each.jain === null ? "–" : each.jain.toFixed(2),
          this.takers(each),
        ]),
        [1, 2, 3, 4, 5],
      ),
      h(
        "p",
        { class: "faint" },
        "fairness: Jain's index of how often each thread took it while all competed for it; 1: all equally often",
      ),
    ];
  }
  private takers(hot: HotObject): Node {
    const all = hot.takers.reduce((sum, [, enters]) => sum + enters, 0);
    const words = hot.takers
      .map(([thread, enters]) => `${this.recording.threadName(thread)} ${count(enters)}`)
      .join(", ");
    return h(
      "span",
      { class: "takers", title: words, role: "img", "aria-label": words },
      ...hot.takers.map(([thread, enters]) =>
        h(
          "span",
          { style: `flex: ${Math.max(enters / all, 0.01)}` },
          enters / all > 0.2 ? this.recording.threadName(thread) : "",
        ),
      ),
    );
  }

  private pauses(): Node[] {
    const { pauses } = this.recording.head;
    if (pauses.length === 0) return [];
    const sorted = [...pauses].sort((l, r) => l[1] - l[0] - (r[1] - r[0]));
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
    return [
      h("h2", {}, `Pauses of ${many(pauses.length, "collection")}`),
      table(
        ["share", "at most", ""],
        (
          [
            ["half", 0.5],
            ["90 %", 0.9],
            ["all", 1],
          ] as [string, number][]
        ).map(([name, share]) => {
          const pause = at(share);
          return [
            name,
            duration(pause[1] - pause[0]),
            link("show it", () => this.state.goTo(pause[0], pause[1], { view: "heap", event: pause[5] })),
          ];
        }),
        [1],
      ),
    ];
  }

  draw() {
    const { histogram } = this.recording.head.numbers;
    if (this.plot !== undefined || histogram.length === 0) return;
    const axis = {
      stroke: styleOf("--faint"),
      grid: { stroke: styleOf("--line"), width: 1 },
      ticks: { stroke: styleOf("--line") },
    };
    const logs = histogram.map(([from]) => Math.log2(from) * 2);
    this.plot = new uPlot(
      {
        width: this.chart.clientWidth || 600,
        height: 200,
        legend: { show: false },
        cursor: { drag: { x: false, y: false } },
        scales: {
          x: { time: false, range: () => [logs[0] - 3, logs[logs.length - 1] + 4] },
          y: { range: (_, __, most) => [0, most * 1.1] },
        },
        axes: [
          {
            ...axis,
            splits: (_, __, from, until) => ticksOf(from, until),
            values: (_, values) => values.map((value) => duration(2 ** (value / 2))),
          },
          { ...axis, size: 84 },
        ],
        series: [
          {},
          {
            stroke: styleOf("--blocked"),
            fill: styleOf("--blocked-soft"),
            width: 1,
            paths: uPlot.paths.bars!({ size: [0.9, 60], align: 1 }),
            points: { show: false },
          },
        ],
        hooks: {
          init: [
            (plot) =>
              plot.over.addEventListener("click", () => {
                const bucket = histogram[plot.cursor.idx ?? -1];
                if (bucket !== undefined) this.show(bucket[2][1]);
              }),
          ],
        },
      },
      [logs, histogram.map(([, number]) => number)],
      this.chart,
    );
  }
  private resize() {
    if (this.plot !== undefined && this.chart.clientWidth > 0)
      this.plot.setSize({ width: this.chart.clientWidth, height: 200 });
  }
}

// Returns the positions of the axis's ticks, one for each power of ten. A value v is at the position 2 * log2(v).
function ticksOf(from: number, until: number): number[] {
  const ticks: number[] = [];
  for (let power = 0; power < 13; power++) {
    const at = 2 * Math.log2(10 ** power);
    if (at >= from && at <= until) ticks.push(at);
  }
  return ticks;
}
