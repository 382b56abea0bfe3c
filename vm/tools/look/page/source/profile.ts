// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The view of the profile: a flame graph of the execution samples in the visible time, and the methods with the most
// samples.
//
//   |                  all                  |   A row for each depth of the stacks. A box is a method; its width is
//   |           Main.main          | run    |   its share of the samples. Below it are the methods that it has called;
//   |  Bank.run        |  parse    |          the rest of its width is the time in the method itself.
//   |  pay  | lock |
import type { Recording } from "./data";
import { h, link, placeOf, sized, soon, styleOf, table } from "./dom";
import { count, many, percent } from "./format";
import { type Frame, methodsOf, type Profile, profileOf } from "./stacks";
import type { State } from "./state";
import { shortSite } from "./words";

const ROW = 19;
const NARROWEST = 0.4; // boxes that are narrower, in pixels, are left out
const PADDING = 4;
const MOST_METHODS = 20;
const MOST_SITES = 3;

// Packages of the class library.
const isOfLibrary = (name: string) => /^(java|javax|jdk|sun|com\.sun)\./.test(name);
// "bank.Account.pay" -> "Account.pay"
const shortName = (name: string) => name.split(".").slice(-2).join(".");

interface Box {
  frame: Frame;
  left: number;
  width: number;
}

export class ProfileView {
  readonly element: HTMLElement;
  private canvas = h("canvas", { class: "flames", role: "img" });
  private place = h("div", { class: "flame-graph" }, this.canvas);
  private words = h("output", {});
  private told = h("p", { class: "told", "aria-live": "polite" });
  private methods = h("div", {});
  private search: HTMLInputElement;
  private choice: HTMLSelectElement;
  private asked = "";
  private profile: Profile | undefined;
  private zoomed: Frame | undefined; // as wide as the graph; undefined: the root
  private chosen: Frame | undefined;
  private boxes: Box[] = [];

  constructor(
    private recording: Recording,
    private state: State,
  ) {
    this.search = h("input", {
      type: "search",
      placeholder: "method",
      "aria-label": "find a method",
      oninput: () => this.draw(),
    });
    this.choice = h("select", {
      "aria-label": "thread",
      onchange: () => this.state.set({ thread: Number(this.choice.value) }),
    });
    this.element = h(
      "section",
      { class: "view profile", "aria-label": "Profile" },
      h("div", { class: "bar" }, h("label", {}, "thread", this.choice), this.search, this.words),
      h(
        "ul",
        { class: "legend" },
        h("li", {}, h("i", { class: "sample own-method" }), "the program"),
        h("li", {}, h("i", { class: "sample library-method" }), "the class library"),
        h("li", {}, h("i", { class: "sample found-method" }), "found"),
      ),
      this.told,
      this.place,
      this.methods,
      h("p", { class: "hint" }, "Click a box: it becomes as wide as the graph. ↑ ↓ ← → choose a box, Enter widens it, Esc shows all again."),
    );
    this.canvas.addEventListener("mousemove", (event) => this.tell(this.at(event)));
    this.canvas.addEventListener("mouseleave", () => this.tell(undefined));
    this.canvas.addEventListener("click", (event) => {
      const frame = this.at(event);
      if (frame !== undefined) this.widen(frame);
    });
    new ResizeObserver(() => this.draw()).observe(this.place);
  }

  private get root() {
    return this.zoomed ?? this.profile!.root;
  }

  // Makes the tree again if another time or thread is shown. What was chosen stays chosen, if it is still there.
  private read() {
    const { from, until, thread } = this.state.shown;
    const hasSamples = thread !== 0 && this.recording.samples.thread.includes(thread);
    const asked = [from, until, hasSamples && thread].join();
    if (asked === this.asked) return;
    this.asked = asked;
    this.profile = profileOf(this.recording, from, until, hasSamples ? thread : 0);
    this.zoomed = this.again(this.zoomed);
    this.chosen = this.again(this.chosen);
    const own = [...this.profile.threads].sort((one, other) => other[1] - one[1]);
    if (hasSamples && !this.profile.threads.has(thread)) own.push([thread, 0]);
    this.choice.replaceChildren(
      h("option", { value: 0, selected: !hasSamples }, "all"),
      ...own.map(([id, samples]) =>
        h("option", { value: id, selected: hasSamples && id === thread }, `${this.recording.threadName(id)} (${count(samples)})`),
      ),
    );
  }
  private again(frame: Frame | undefined): Frame | undefined {
    if (frame === undefined) return undefined;
    if (frame.caller === undefined) return this.profile!.root;
    return this.again(frame.caller)?.callees.find((each) => each.name === frame.name);
  }

  draw() {
    soon(this, () => this.drawNow());
  }

  private drawNow() {
    const width = this.place.clientWidth;
    if (width === 0 || !this.recording.isWhole) return;
    this.read();
    const { root, depth } = this.profile!;
    this.place.hidden = root.samples === 0;
    const found = this.found();
    this.words.textContent =
      this.recording.samples.rows === 0
        ? "The recording has no execution samples: no thread ran Java code for long, or the family `samples` was not recorded."
        : many(root.samples, "sample") +
          (this.search.value === "" ? "" : `; ${percent(this.share(found))} have ${this.search.value} in their stacks`);
    this.drawGraph(width, depth + 1);
    this.tell(undefined);
    this.drawMethods();
  }

  private matches(frame: Frame) {
    const words = this.search.value.trim().toLowerCase();
    return words !== "" && frame.caller !== undefined && frame.name.toLowerCase().includes(words);
  }
  // Counts the samples that have a found method in their stacks.
  private found(): number {
    const visit = (frame: Frame): number =>
      this.matches(frame) ? frame.samples : frame.callees.reduce((sum, callee) => sum + visit(callee), 0);
    return visit(this.profile!.root);
  }
  private share(samples: number) {
    return samples / Math.max(this.profile!.root.samples, 1);
  }

  private drawGraph(width: number, rows: number) {
    const context = sized(this.canvas, width, rows * ROW);
    const [ground, ink] = [styleOf("--ground"), styleOf("--ink")];
    const colours = { own: styleOf("--c1"), library: styleOf("--c0"), found: styleOf("--c3"), all: styleOf("--sunken") };
    context.fillStyle = ground;
    context.fillRect(0, 0, width, rows * ROW);
    context.font = `12px ${styleOf("--mono")}`;
    context.textBaseline = "middle";
    const letter = context.measureText("0").width;
    this.boxes = [];
    const box = (frame: Frame, left: number, size: number) => {
      if (size < NARROWEST) return;
      const top = frame.depth * ROW;
      this.boxes.push({ frame, left, width: size });
      const isRoot = frame.caller === undefined;
      context.fillStyle = isRoot
        ? colours.all
        : this.matches(frame)
          ? colours.found
          : isOfLibrary(frame.name)
            ? colours.library
            : colours.own;
      context.fillRect(left, top, Math.max(size - 1, NARROWEST), ROW - 1);
      const room = Math.floor((size - 2 * PADDING) / letter);
      if (room >= 3) {
        const name = [frame.name, shortName(frame.name)].find((each) => each.length <= room) ?? shortName(frame.name);
        context.fillStyle = isRoot ? ink : "#111";
        context.fillText(name.length <= room ? name : `${name.slice(0, room - 1)}…`, left + PADDING, top + ROW / 2);
      }
      if (frame === this.chosen) {
        context.strokeStyle = ink;
        context.lineWidth = 2;
        context.strokeRect(left + 1, top + 1, Math.max(size - 3, 1), ROW - 3);
      }
    };
    const visit = (frame: Frame, left: number, size: number) => {
      box(frame, left, size);
      let at = left;
      for (const callee of frame.callees) {
        const part = (size * callee.samples) / Math.max(frame.samples, 1);
        if (part >= NARROWEST) visit(callee, at, part);
        at += part;
      }
    };
    for (let outer = this.root.caller; outer !== undefined; outer = outer.caller) box(outer, 0, width);
    visit(this.root, 0, width);
    this.canvas.setAttribute("aria-label", `flame graph of ${many(this.profile!.root.samples, "sample")}`);
  }

  private at(event: MouseEvent): Frame | undefined {
    const { x, y } = placeOf(event);
    const depth = Math.floor(y / ROW);
    return this.boxes.find((box) => box.frame.depth === depth && x >= box.left && x < box.left + box.width)?.frame;
  }

  // Describes the frame, or the chosen one if there is none.
  private tell(frame: Frame | undefined) {
    const shown = frame ?? this.chosen;
    if (shown === undefined || shown.caller === undefined) {
      this.told.textContent = "Point at a box.";
      return;
    }
    const sites = [...shown.sites].sort((one, other) => other[1] - one[1]).slice(0, MOST_SITES);
    const lines = sites.map(([site, samples]) => `${shortSite(this.recording.text(site))} ${count(samples)}`);
    this.told.textContent =
      `${shown.name}: ${many(shown.samples, "sample")}, ${percent(this.share(shown.samples))}, ` +
      `of these ${count(shown.own)} in the method itself; ${lines.join(", ")}`;
  }

  private drawMethods() {
    const { root } = this.profile!;
    const all = methodsOf(root);
    this.methods.hidden = all.length === 0;
    const rows = all.slice(0, MOST_METHODS).map((method) => [
      count(method.own),
      percent(this.share(method.own)),
      count(method.samples),
      percent(this.share(method.samples)),
      link(method.name, () => this.find(method.name), "show it in the graph"),
    ]);
    this.methods.replaceChildren(
      h("h2", {}, "Methods"),
      table(["itself", "", "with its calls", "", "method"], rows, [0, 1, 2, 3]),
      all.length > MOST_METHODS ? h("p", { class: "faint" }, `and ${many(all.length - MOST_METHODS, "method")} more`) : "",
    );
  }
  private find(name: string) {
    this.search.value = name;
    this.draw();
  }

  private choose(frame: Frame) {
    this.chosen = frame;
    if (frame.event >= 0) this.state.set({ event: frame.event });
    else this.draw();
  }
  private widen(frame: Frame) {
    this.zoomed = frame;
    this.choose(frame);
  }

  key(event: KeyboardEvent): boolean {
    if (event.shiftKey || this.profile === undefined) return false;
    const from = this.chosen ?? this.root;
    const most = (frames: Frame[]) => frames.reduce((one, other) => (other.samples > one.samples ? other : one));
    switch (event.key) {
      case "ArrowDown":
        if (from.callees.length > 0) this.choose(this.chosen === undefined ? from : most(from.callees));
        return true;
      case "ArrowUp":
        if (from.caller !== undefined) this.choose(from.caller);
        return true;
      case "ArrowLeft":
      case "ArrowRight": {
        const beside = from.caller?.callees ?? [from];
        const next = beside[beside.indexOf(from) + (event.key === "ArrowRight" ? 1 : -1)];
        if (next !== undefined) this.choose(next);
        return true;
      }
      case "Enter":
        this.widen(from);
        return true;
      case "Escape":
        if (this.zoomed === undefined) return false;
        this.zoomed = undefined;
        this.draw();
        return true;
    }
    return false;
  }
}
