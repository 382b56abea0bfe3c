// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The page of keyhole --compare-locks: an overview of all modes, and a tab for each mode. Its data is the output of
// --json.
import { h, inCode, table } from "./dom";
import { count, duration, many, percent } from "./format";
import { pngOf, save, svgOf } from "./picture";
import type { Comparison, Mode, Simulated } from "./types";
import { shortSite } from "./words";

const milliseconds = (value: number) => `${value.toFixed(value < 100 ? 1 : 0)} ms`;
// The same marks of significance as in the terminal's report.
const stars = (chance: number) => (chance < 0.01 ? " **" : chance < 0.05 ? " *" : "");

export class ComparisonPage {
  private body = h("div", { class: "view comparison", id: "view", role: "tabpanel" });
  private tabs = new Map<string, HTMLElement>();
  private names: string[];
  private shown = "";

  constructor(private comparison: Comparison) {
    document.title = `${comparison.command} – locking modes`;
    this.names = ["all modes", ...comparison.modes.map((mode) => mode.mode)];
    const list = h("div", { class: "tabs", role: "tablist", "aria-label": "locking modes" });
    for (const name of this.names) {
      const tab = h(
        "button",
        { type: "button", role: "tab", "aria-controls": "view", onclick: () => this.show(name) },
        name,
      );
      this.tabs.set(name, tab);
      list.append(tab);
    }
    document
      .getElementById("page")!
      .replaceChildren(
        h(
          "header",
          {},
          h("h1", {}, "Keyhole"),
          h("code", { class: "program" }, comparison.command),
          h(
            "span",
            { class: "facts" },
            `${many(new Set(comparison.modes.map((mode) => mode.locking_mode)).size, "locking mode")} · ${many(comparison.processors, "processor")}`,
          ),
          h(
            "div",
            { class: "tools" },
            h("button", { type: "button", title: "save this as SVG (key s)", onclick: () => this.save("svg") }, "SVG"),
            h("button", { type: "button", title: "save this as PNG", onclick: () => this.save("png") }, "PNG"),
          ),
        ),
        list,
        h("main", {}, h("div", { class: "place" }, this.body)),
      );
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === "s") void this.save("svg");
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step === undefined) return;
      const place = (this.names.indexOf(this.shown) + step + this.names.length) % this.names.length;
      this.show(this.names[place]);
      this.tabs.get(this.names[place])!.focus();
    });
    const wanted = decodeURIComponent(location.hash.slice(1));
    this.show(this.names.includes(wanted) ? wanted : this.names[0]);
    document.body.dataset.ready = "whole";
  }

  private show(name: string) {
    this.shown = name;
    history.replaceState(null, "", `#${encodeURIComponent(name)}`);
    for (const [each, tab] of this.tabs) {
      tab.setAttribute("aria-selected", each === name ? "true" : "false");
      tab.tabIndex = each === name ? 0 : -1;
    }
    const mode = this.comparison.modes.find((each) => each.mode === name);
    this.body.replaceChildren(...(mode === undefined ? this.all() : this.one(mode)));
    this.body.scrollTop = 0;
  }

  private async save(kind: "svg" | "png") {
    const text = await svgOf(this.body, () => {});
    const data = kind === "svg" ? new Blob([text], { type: "image/svg+xml" }) : await pngOf(text);
    save(data, `locks-${this.shown.replaceAll(" ", "-")}.${kind}`);
  }

  private get base() {
    return this.comparison.modes.find((mode) => mode.mode === this.comparison.base)!;
  }
  private link(mode: Mode) {
    return h("button", { class: "link", type: "button", onclick: () => this.show(mode.mode) }, mode.mode);
  }

  private all(): Node[] {
    const { modes, hotspot, words, simulation, base } = this.comparison;
    const rows = hotspot === undefined ? modes : [...modes, hotspot];
    const ran = rows.filter((mode) => mode.refuses === undefined);
    const most = Math.max(...ran.flatMap((mode) => mode.runs.map((run) => Math.max(run.wall_ms, run.cpu_ms))), 1);
    const head = [
      "mode",
      "wall",
      "to the base",
      "wall and CPU of each run",
      "CPU",
      "contended",
      "parks",
      "longest wait",
    ];
    const parts: Node[] = [
      h("h2", {}, "What decided"),
      h("ul", {}, ...words.map((sentence) => h("li", {}, ...inCode(sentence)))),
      h("h2", {}, `Measured; the base is ${base}`),
      table(
        simulation === null ? head : [...head, `simulated, ${simulation.cpus} CPUs`],
        rows.map((mode) => {
          const name = mode === hotspot ? mode.mode : this.link(mode);
          if (mode.refuses !== undefined) return [name, "–", "", h("div", { class: "refusal faint" }, mode.refuses)];
          const { recorded } = mode;
          const there = mode.simulated?.there;
          return [
            name,
            milliseconds(mode.wall_ms),
            `${(mode.wall_ms / this.base.wall_ms).toFixed(2)}${stars(mode.wall_chance)}`,
            this.times(mode, most),
            milliseconds(mode.cpu_ms),
            recorded === undefined ? "–" : percent(recorded.contended / Math.max(recorded.enters, 1)),
            mode === hotspot ? "–" : count(mode.counters.parks ?? 0),
            recorded === undefined ? "–" : duration(recorded.waited_ns.most),
            ...(simulation === null ? [] : [there ? duration(there.nanoseconds) : "–"]),
          ];
        }),
        [1, 2, 4, 5, 6, 7, 8],
      ),
      h("p", { class: "faint" }, "to the base: * differs by chance with a probability below 5 %, ** below 1 %"),
    ];
    if (simulation !== null) parts.push(this.load(simulation));
    return parts;
  }

  private load(simulation: NonNullable<Comparison["simulation"]>): Node {
    return h(
      "p",
      { class: "faint" },
      `simulated: ${many(simulation.locks, "lock")} of ${many(simulation.objects, "object")}, taken by ` +
        `${many(simulation.threads, "thread")}; per lock ${duration(simulation.inside_ns)} of work inside, ` +
        `${duration(simulation.outside_ns)} outside. A simulation, not a measurement.`,
    );
  }

  // Draws a mark for each run: wall time above, CPU time below.
  private times(mode: Mode, most: number): Node {
    const words = mode.runs
      .map((run) => `wall ${milliseconds(run.wall_ms)}, CPU ${milliseconds(run.cpu_ms)}`)
      .join("\n");
    const mark = (kind: string, value: number) =>
      h("i", { class: kind, style: `left: calc(${(100 * value) / most}% - 2px)` });
    return h(
      "span",
      { class: "times", role: "img", title: words, "aria-label": words },
      h("b", { class: "wall", style: `width: ${(100 * mode.wall_ms) / most}%` }),
      h("b", { class: "cpu", style: `width: ${(100 * mode.cpu_ms) / most}%` }),
      ...mode.runs.flatMap((run) => [mark("wall", run.wall_ms), mark("cpu", run.cpu_ms)]),
    );
  }

  private one(mode: Mode): Node[] {
    if (mode.refuses !== undefined)
      return [h("h2", {}, mode.mode), h("p", {}, `This mode does not run the program: ${mode.refuses}.`)];
    const { base } = this;
    const isBase = mode === base;
    const parts: Node[] = [h("h2", {}, mode.mode)];
    if (mode.output_differs) parts.push(h("p", { class: "problem" }, "Its output is not that of the first run."));
    const ratio = (value: number, of: number) => (isBase || of === 0 ? "" : (value / of).toFixed(2));
    const times: [string, string, string, string][] = [
      [
        "wall",
        milliseconds(mode.wall_ms),
        milliseconds(base.wall_ms),
        `${ratio(mode.wall_ms, base.wall_ms)}${stars(mode.wall_chance)}`,
      ],
      [
        "CPU",
        milliseconds(mode.cpu_ms),
        milliseconds(base.cpu_ms),
        `${ratio(mode.cpu_ms, base.cpu_ms)}${stars(mode.cpu_chance)}`,
      ],
    ];
    const counters = Object.keys(mode.counters)
      .filter((name) => mode.counters[name] !== 0 || base.counters[name] !== 0)
      .map((name): [string, string, string, string] => [
        name,
        count(mode.counters[name]),
        count(base.counters[name] ?? 0),
        ratio(mode.counters[name], base.counters[name] ?? 0),
      ]);
    const columns = (rows: [string, string, string, string][]) =>
      isBase ? rows.map((row) => row.slice(0, 2)) : rows;
    const heads = isBase ? ["", mode.mode] : ["", mode.mode, base.mode, "ratio"];
    parts.push(table(heads, columns([...times, ...counters]), [1, 2, 3], "medians of the runs"));
    if (mode.recorded !== undefined) parts.push(...this.recorded(mode.recorded));
    if (mode.simulated !== undefined) parts.push(...this.simulated(mode, mode.simulated));
    return parts;
  }

  private recorded(recorded: NonNullable<Mode["recorded"]>): Node[] {
    const { waited_ns: waited } = recorded;
    const causes = Object.entries(recorded.inflations).map(([cause, times]) => `${cause} ${count(times)}`);
    const facts: [string, string][] = [
      ["locks taken", count(recorded.enters)],
      ["contended", `${count(recorded.contended)} (${percent(recorded.contended / Math.max(recorded.enters, 1))})`],
      ["waited: half at most", duration(waited.p50)],
      ["99 % at most", duration(waited.p99)],
      ["99.9 % at most", duration(waited.p999)],
      ["longest", duration(waited.most)],
      ["Object.wait", count(recorded.waits)],
      ["futile wake-ups", count(recorded.futile_wake_ups)],
      ["inflations", causes.length === 0 ? "none" : causes.join(", ")],
    ];
    return [
      h("h2", {}, "In a recorded run"),
      table(["", ""], facts, [1]),
      h("h2", {}, "The hottest objects"),
      table(
        ["class", "taken at", "taken", "contended", "waited", "threads", "fairness"],
        recorded.hot.map((hot) => [
          hot.class,
          h("code", { title: hot.site }, shortSite(hot.site)),
          count(hot.enters),
          count(hot.contended),
          duration(hot.waited_ns),
          count(hot.threads),
          hot.jain === null ? "–" : hot.jain.toFixed(2),
        ]),
        [2, 3, 4, 5, 6],
      ),
    ];
  }

  private simulated(mode: Mode, { here, there }: NonNullable<Mode["simulated"]>): Node[] {
    const { simulation, processors } = this.comparison;
    const title = h("h2", {}, "On the simulated machine");
    if (simulation === null || (here === null && there === null))
      return [title, h("p", {}, `${mode.mode} does not finish there, or is not known to the simulator.`)];
    const ofBase = this.base.simulated;
    const time = (run: Simulated | null | undefined) => (run ? duration(run.nanoseconds) : "–");
    const ratio = (run: Simulated | null, other: Simulated | null | undefined) =>
      run && other ? (run.nanoseconds / other.nanoseconds).toFixed(2) : "–";
    const names = [...new Set([here, there].flatMap((run) => Object.keys(run?.counters ?? {})))];
    const seen = names.filter((name) => (here?.counters[name] ?? 0) !== 0 || (there?.counters[name] ?? 0) !== 0);
    return [
      title,
      table(
        ["", `${processors} CPUs`, `${simulation.cpus} CPUs`],
        [
          ["time", time(here), time(there)],
          [`to ${this.base.mode}`, ratio(here, ofBase?.here), ratio(there, ofBase?.there)],
          ...seen.map((name) => [
            name,
            here ? count(here.counters[name]) : "–",
            there ? count(there.counters[name]) : "–",
          ]),
        ],
        [1, 2],
      ),
      this.load(simulation),
    ];
  }
}
