// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The view of code: each method's machine code with its level, lifetime and size, why it was retired, and when frames
// were deoptimized. A method whose listings were recorded can be opened.
import type { Recording } from "./data";
import { h, link } from "./dom";
import { bytes, count, many, time } from "./format";
import { MethodView } from "./method";
import { Rows } from "./rows";
import type { State } from "./state";
import { shortMethod } from "./words";

const ROW = 30;

interface Version {
  level: number;
  begin: number;
  end: number;
  bytes: number;
  reason: string; // why the code was retired; "" if it was not
  event: number;
  thread: number;
}
interface Change {
  left: boolean; // true: the frame was deoptimized; false: it entered code at a loop
  time: number;
  words: string; // why and where
  thread: number;
  event: number;
}
interface Method {
  text: number;
  name: string;
  versions: Version[];
  first: number;
  changes: Change[];
}

// Names of the compilation levels, numbered as in -XX:TieredStopAtLevel and the log.
const levelWords: Record<number, string> = {
  1: "baseline, without a profile",
  2: "middle",
  3: "baseline, with a profile",
  4: "optimised",
};

export class CodeView {
  readonly element: HTMLElement;
  private rows: Rows;
  private words = h("output", {});
  private search: HTMLInputElement;
  private order: HTMLSelectElement;
  private methods: Method[];
  private shown: Method[] = [];
  private opened: MethodView;
  private list: HTMLElement;

  constructor(
    private recording: Recording,
    private state: State,
  ) {
    this.methods = methodsOf(recording);
    this.rows = new Rows(ROW, "methods", (index) => this.row(this.shown[index]));
    this.search = h("input", {
      type: "search",
      placeholder: "method",
      "aria-label": "find a method",
      oninput: () => this.draw(),
    });
    this.order = h(
      "select",
      { "aria-label": "order", onchange: () => this.draw() },
      h("option", { value: "first" }, "compiled first"),
      h("option", { value: "size" }, "largest code"),
      h("option", { value: "versions" }, "compiled most often"),
      h("option", { value: "left" }, "deoptimized most often"),
    );
    this.opened = new MethodView(
      recording,
      (event) => this.describe(event),
      () => this.close(),
    );
    const levels = [
      ...new Set(this.methods.flatMap((method) => method.versions.map((version) => version.level))),
    ].sort();
    this.list = h(
      "div",
      { class: "list" },
      h("div", { class: "bar" }, this.search, h("label", {}, "order", this.order), this.words),
      h(
        "ul",
        { class: "legend" },
        ...levels.map((level) =>
          h("li", {}, h("i", { class: `sample level-${level}` }), `level ${level}: ${levelWords[level] ?? ""}`),
        ),
      ),
      this.rows.element,
    );
    this.element = h("section", { class: "view code", "aria-label": "Code" }, this.list, this.opened.element);
  }

  private open(method: Method, event: number) {
    this.opened.open(method.name, this.recording.listings(method.text), event);
    this.list.hidden = true;
  }
  private close() {
    this.opened.hide();
    this.list.hidden = false;
    this.draw();
  }

  private describe(event: number): string {
    const version = this.methods.flatMap((method) => method.versions).find((each) => each.event === event);
    if (version === undefined) return "";
    const end = version.reason === "" ? "" : `, retired: ${version.reason}`;
    return `level ${version.level} from ${time(version.begin, 1000)}, ${bytes(version.bytes)}${end}`;
  }

  key(event: KeyboardEvent): boolean {
    if (this.opened.isOpen) return this.opened.key(event);
    const place = this.shown.findIndex((method) =>
      method.versions.some((version) => version.event === this.state.shown.event),
    );
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined && !event.shiftKey && this.shown.length > 0) {
      const next = Math.min(Math.max(place + by, 0), this.shown.length - 1);
      this.choose(this.shown[next].versions[0]);
      this.rows.show(next);
      return true;
    }
    if (event.key !== "Enter" || place < 0 || !this.recording.hasListings(this.shown[place].text)) return false;
    this.open(this.shown[place], this.state.shown.event);
    return true;
  }

  draw() {
    const { from, until } = this.state.shown;
    const words = this.search.value.trim().toLowerCase();
    const leftIn = (method: Method) => this.changesIn(method).filter((change) => change.left);
    const size = (method: Method) => Math.max(...method.versions.map((version) => version.bytes));
    const orders: Record<string, (l: Method, r: Method) => number> = {
      first: (l, r) => l.first - r.first,
      size: (l, r) => size(r) - size(l),
      versions: (l, r) => r.versions.length - l.versions.length || l.first - r.first,
      left: (l, r) => leftIn(r).length - leftIn(l).length || l.first - r.first,
    };
    this.shown = this.methods
      .filter((method) => method.versions.some((version) => version.end >= from && version.begin <= until))
      .filter((method) => words === "" || method.name.toLowerCase().includes(words))
      .sort(orders[this.order.value]);
    const versions = this.shown.flatMap((method) => method.versions);
    const retired = versions.filter((version) => version.reason !== "").length;
    const left = this.shown.reduce((sum, method) => sum + leftIn(method).length, 0);
    this.words.textContent =
      this.methods.length === 0
        ? "No method was compiled while this was recorded."
        : `${many(this.shown.length, "method")}, compiled ${count(versions.length)}×, retired ${count(retired)}×` +
          (left === 0 ? "" : `, deoptimized ${count(left)}×`) +
          this.wordsOfListings();
    this.rows.setCount(this.shown.length);
  }

  private wordsOfListings(): string {
    const { listings } = this.recording.head;
    if (listings === undefined) return "; --look --code records what methods look like inside";
    return `; ${count(listings.methods.length)} open${listings.full ? ", none that were compiled later: there was too much code" : ""}`;
  }

  private row(method: Method): HTMLElement {
    const { from, until } = this.state.shown;
    const x = (at: number) => Math.min(Math.max(((at - from) / (until - from)) * 100, 0), 100);
    const largest = Math.max(...method.versions.map((version) => version.bytes));
    return h(
      "div",
      { class: `row${method.versions.some((version) => version.event === this.state.shown.event) ? " chosen" : ""}` },
      h(
        "span",
        { class: "method", title: method.name },
        this.recording.hasListings(method.text)
          ? link(shortMethod(method.name), () => this.open(method, -1), `${method.name}: open (key Enter)`)
          : shortMethod(method.name),
      ),
      h("span", { class: "number" }, bytes(largest)),
      h(
        "span",
        { class: "track" },
        ...method.versions.map((version) => {
          const title =
            `${method.name}\nlevel ${version.level} from ${time(version.begin, 1000)}, ${bytes(version.bytes)}` +
            (version.reason === "" ? "" : `\nretired at ${time(version.end, 1000)}: ${version.reason}`);
          return h(
            "button",
            {
              type: "button",
              class: `version level-${version.level}`,
              title,
              "aria-label": title,
              style: `left: ${x(version.begin)}%; width: max(${x(version.end) - x(version.begin)}%, 4px)`,
              onclick: () => this.choose(version),
            },
            String(version.level),
          );
        }),
        ...this.marks(method).map((mark) =>
          h("button", {
            type: "button",
            class: `change${mark.left ? " left" : ""}`,
            title: mark.title,
            "aria-label": mark.title,
            style: `left: ${x(mark.time)}%`,
            onclick: () => this.chooseChange(mark),
          }),
        ),
      ),
    );
  }

  private changesIn(method: Method): Change[] {
    const { from, until } = this.state.shown;
    return method.changes.filter((change) => change.time >= from && change.time <= until);
  }

  // Changes that are close together share one mark.
  private marks(method: Method): (Change & { title: string })[] {
    const { from, until } = this.state.shown;
    const places = new Map<string, Change[]>();
    for (const change of this.changesIn(method)) {
      const place = `${Math.floor(((change.time - from) / (until - from)) * 60)} ${change.left ? 1 : 0}`;
      const known = places.get(place);
      if (known === undefined) places.set(place, [change]);
      else known.push(change);
    }
    return [...places.values()].map((all) => {
      const numbers = new Map<string, number>();
      for (const { words } of all) numbers.set(words, (numbers.get(words) ?? 0) + 1);
      const lines = [...numbers].sort((l, r) => r[1] - l[1]).slice(0, 8);
      const title =
        `${all[0].left ? "deoptimized" : "entered at a loop"} ${count(all.length)}×, from ${time(all[0].time, 1000)}\n` +
        lines.map(([words, number]) => `${count(number)}× ${words}`).join("\n");
      return { ...all[0], title };
    });
  }

  private chooseChange(change: Change) {
    this.state.slice = undefined;
    this.state.chain = [];
    this.state.set({ event: change.event, thread: change.thread, time: change.time });
  }

  private choose(version: Version) {
    this.state.slice = undefined;
    this.state.chain = [];
    this.state.set({ event: version.event, thread: version.thread, time: version.begin });
  }
}

// Returns when a version of a method ends: when code of the same level is retired or recompiled, or at the recording's
// end.
function methodsOf(recording: Recording): Method[] {
  const { code } = recording;
  const methods = new Map<number, Method>();
  for (let i = 0; i < code.rows; i++) {
    let method = methods.get(code.method[i]);
    if (method === undefined) {
      method = { text: code.method[i], name: recording.text(code.method[i]), versions: [], first: code.time[i], changes: [] };
      methods.set(code.method[i], method);
    }
    const living = method.versions.filter((version) => version.level === code.level[i] && version.end === Infinity);
    if (code.retired[i] !== 0) {
      for (const version of living) [version.end, version.reason] = [code.time[i], recording.text(code.b[i])];
      if (living.length === 0)
        method.versions.push({
          level: code.level[i],
          begin: recording.begin,
          end: code.time[i],
          bytes: 0,
          reason: recording.text(code.b[i]),
          event: code.event[i],
          thread: code.thread[i],
        });
    } else {
      for (const version of living) version.end = code.time[i];
      method.versions.push({
        level: code.level[i],
        begin: code.time[i],
        end: Infinity,
        bytes: code.b[i],
        reason: "",
        event: code.event[i],
        thread: code.thread[i],
      });
    }
  }
  addChanges(recording, methods);
  for (const method of methods.values())
    for (const version of method.versions) if (version.end === Infinity) version.end = recording.end;
  return [...methods.values()];
}

function addChanges(recording: Recording, methods: Map<number, Method>) {
  const { tierChanges: all } = recording;
  const reasons = recording.head.kinds.find((kind) => kind.name === "deoptimized")!.words;
  for (let i = 0; i < all.rows; i++) {
    const method = methods.get(all.method[i]);
    if (method === undefined) continue; // the code existed before the recording began, and was not retired
    const left = all.left[i] !== 0;
    const how = left ? reasons[all.detail[i]] : `level ${all.detail[i]}`;
    method.changes.push({
      left,
      time: all.time[i],
      words: `${how}: ${recording.text(all.site[i])}`,
      thread: all.thread[i],
      event: all.event[i],
    });
  }
}
