// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Builds the page: its head, its tabs and its keyboard commands.
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { CodeView } from "./code";
import { ComparisonPage } from "./comparison";
import { Recording, type Head, readHead, readSides, side } from "./data";
import { Details } from "./details";
import { h } from "./dom";
import { EventsView } from "./events";
import { duration, many } from "./format";
import { FindingsView } from "./findings";
import { HeapView } from "./heap";
import { LifeView } from "./life";
import { LockView } from "./lock";
import { NumbersView } from "./numbers";
import { pngOf, save, svgOf } from "./picture";
import { ProfileView } from "./profile";
import { SidesPage, type Sides } from "./sides";
import { State, viewNames, type Shown, type ViewName } from "./state";
import { ThreadsView } from "./threads";
import { TimeBar } from "./timebar";

interface View {
  readonly element: HTMLElement;
  draw(): void;
  key?(event: KeyboardEvent): boolean;
}

const titles: Record<ViewName, string> = {
  findings: "Findings",
  threads: "Threads",
  object: "Object",
  lock: "Lock",
  heap: "Heap",
  code: "Code",
  numbers: "Numbers",
  events: "Events",
  profile: "Profile",
};

// What the view shows, in a few sentences for somebody who sees it for the first time.
const abouts: Record<ViewName, string> = {
  findings:
    "The problems that this run shows, each with its reasons. A link leads to the place in another view; the lines of " +
    "source below a sentence are those that it names.",
  threads:
    "A lane for each thread, and time from left to right. A thin green band: the thread runs. A box: it cannot run, and " +
    "the box says why. Point at a box to see for what the thread waits, and who holds it. Drag to move, + and − to zoom.",
  object:
    "All that happened to one object: its lock, its identity hash, its moves by the collector. Choose the object above. " +
    "Each step names the rule of the VM's source that allows it.",
  lock:
    "One lock after each step: who holds it, who waits in its queue, who waits for a notify. Step with ← and →, or play. " +
    "A recording made by jcmd has fewer steps.",
  heap:
    "Garbage collections with their phases, the heap's regions over time, and the stops of all threads. A pause is the " +
    "time in which no thread of the program runs.",
  code:
    "Which methods were compiled, when and by which tier, and when their code was given up (deoptimization). Level 1 is " +
    "the baseline compiler, level 4 the optimising one.",
  numbers: "How often locks were taken and how long threads waited. Each number leads to its worst instance.",
  events: "Everything that was recorded, in order. Select a thread or an object, and show only its events.",
  profile:
    "Where the program spent processor time, by samples of its stacks. The wider a box, the more samples have its method " +
    "on their stacks; the boxes below it are the methods that it called.",
};

const keys: [string, string][] = [
  ["f", "the findings"],
  ["1 … 8", "the other views"],
  ["v, g", "show or hide the threads of the VM; the virtual threads, if they are many"],
  ["↑ ↓", "thread, step, event before or after; caller, callee"],
  ["← →", "slice or step before or after"],
  ["+ −", "show less or more time"],
  ["shift ← →", "earlier, later"],
  ["0", "the whole recording"],
  ["Enter", "show the selected slice as large as it fits"],
  ["c", "who waits for whom"],
  ["space", "play a lock's steps"],
  ["n, m", "a lock's next step that is contended; that inflates it"],
  ["Home End", "a lock's first and last step"],
  ["Enter, Esc", "in the view of code: open a method, and close it"],
  ["Esc", "select nothing"],
  ["s", "save the view as SVG"],
  ["p", "a large view, for a projector"],
  ["?", "this help"],
];

class Page {
  private views = new Map<ViewName, View>();
  private tabs = new Map<ViewName, HTMLElement>();
  private redraw = () => {};
  private place = h("div", { class: "place", id: "view", role: "tabpanel" });
  private largeButton = h(
    "button",
    { type: "button", class: "enlarge", title: "large, for a projector (key p)", "aria-pressed": "false", onclick: () => this.enlarge() },
    "large",
  );
  private aboutTitle = h("h2", {});
  private about = h("p", {});
  private help = h(
    "dialog",
    { class: "help", "aria-label": "help" },
    this.aboutTitle,
    this.about,
    h("h2", {}, "Keys"),
    h("dl", {}, ...keys.flatMap(([key, words]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, words)])),
    h("button", { type: "button", onclick: () => this.help.close() }, "close"),
  );

  // `length`: of the recording, in nanoseconds.
  constructor(
    private recording: Recording,
    private state: State,
    length: number,
  ) {
    const { head } = recording;
    const tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "views" });
    viewNames.forEach((name, place) => {
      const tab = h(
        "button",
        {
          type: "button",
          role: "tab",
          id: `tab-${name}`,
          "aria-controls": "view",
          onclick: () => state.set({ view: name }),
        },
        titles[name],
        h("kbd", {}, place === 0 ? "f" : String(place)),
      );
      this.tabs.set(name, tab);
      tabs.append(tab);
    });
    const details = new Details(recording, state, () => this.chain());
    const bar = new TimeBar(recording, state);
    document.title = `${head.program} – Keyhole`;
    const notice =
      head.problem !== ""
        ? head.problem
        : head.complete
          ? ""
          : "The recording was not stopped; its end may be missing.";
    document
      .getElementById("page")!
      .replaceChildren(
        h(
          "header",
          {},
          h("h1", {}, "Keyhole"),
          h("code", { class: "program", title: head.program }, head.program),
          h(
            "span",
            { class: "facts" },
            [
              head.mode !== "" && `locks: ${head.mode}`,
              many(recording.threads.length, "thread"),
              many(head.count, "event"),
              duration(length),
            ]
              .filter(Boolean)
              .join(" · "),
          ),
          h(
            "div",
            { class: "tools" },
            h("button", { type: "button", title: "save the view as SVG (key s)", onclick: () => this.save("svg") }, "SVG"),
            h("button", { type: "button", title: "save the view as PNG", onclick: () => this.save("png") }, "PNG"),
            this.largeButton,
            h("button", { type: "button", title: "this view, and keys (key ?)", onclick: () => this.showHelp() }, "?"),
          ),
        ),
        ...(notice === "" ? [] : [h("p", { class: "notice", role: "alert" }, notice)]),
        tabs,
        bar.element,
        h("main", {}, this.place, details.element),
        this.help,
      );
    state.onChange((shown, change) => this.show(shown, change));
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("hashchange", () => {
      state.readAddress();
      state.set({});
    });
    const redraw = () => {
      bar.draw();
      this.view.draw();
    };
    this.redraw = redraw;
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
    this.show(state.shown, { view: state.shown.view });
    bar.draw();
    const whole = () => {
      details.draw();
      state.set({});
      document.body.dataset.ready = "whole";
    };
    document.body.dataset.ready = "lanes";
    if (recording.isWhole) whole();
    else document.addEventListener("DOMContentLoaded", whole);
  }

  // Shows findings and lanes while the browser still reads the file, because their data comes first.
  private get view(): View {
    const { view } = this.state.shown;
    return this.viewOf(this.recording.isWhole || view === "findings" ? view : "threads");
  }
  private viewOf(name: ViewName): View {
    let view = this.views.get(name);
    if (view === undefined) {
      view = this.make(name);
      this.views.set(name, view);
    }
    return view;
  }
  private make(name: ViewName): View {
    const { recording, state } = this;
    switch (name) {
      case "findings":
        return new FindingsView(recording, state);
      case "threads":
        return new ThreadsView(recording, state);
      case "object":
        return new LifeView(recording, state);
      case "lock":
        return new LockView(recording, state);
      case "heap":
        return new HeapView(recording, state);
      case "code":
        return new CodeView(recording, state);
      case "numbers":
        return new NumbersView(recording, state);
      case "events":
        return new EventsView(recording, state);
      case "profile":
        return new ProfileView(recording, state);
    }
  }

  private show(shown: Shown, change: Partial<Shown>) {
    if (this.place.firstChild !== this.view.element) this.place.replaceChildren(this.view.element);
    if ("view" in change) {
      for (const [name, tab] of this.tabs) {
        tab.setAttribute("aria-selected", name === shown.view ? "true" : "false");
        tab.tabIndex = name === shown.view ? 0 : -1;
      }
      this.showTab(this.tabs.get(shown.view)!);
      this.place.setAttribute("aria-labelledby", `tab-${shown.view}`);
    }
    this.view.draw();
  }

  private showHelp() {
    const { view } = this.state.shown;
    this.aboutTitle.textContent = titles[view];
    this.about.textContent = abouts[view];
    this.help.showModal();
  }

  // Scrolls the row of tabs. scrollIntoView would also scroll the page around a frame.
  private showTab(tab: HTMLElement) {
    const row = tab.parentElement!;
    const [inner, outer] = [tab.getBoundingClientRect(), row.getBoundingClientRect()];
    row.scrollLeft += Math.max(inner.right - outer.right, 0) + Math.min(inner.left - outer.left, 0);
  }

  // Saves a picture of the view, as it is on the screen.
  private async save(kind: "svg" | "png") {
    const { view } = this.state.shown;
    const { head } = this.recording;
    const program = head.program.split(" ")[0].split("/").at(-1) + (side === undefined ? "" : `-${head.mode}`);
    const text = await svgOf(this.view.element, () => this.view.draw());
    const data = kind === "svg" ? new Blob([text], { type: "image/svg+xml" }) : await pngOf(text);
    save(data, `${program}-${view}.${kind}`);
  }

  // Switches between the normal view and the large one, which has no panel beside it.
  private enlarge() {
    const isLarge = document.getElementById("page")!.classList.toggle("large");
    this.largeButton.setAttribute("aria-pressed", String(isLarge));
    this.redraw();
  }

  private chain() {
    const threads = this.viewOf("threads") as ThreadsView;
    if (this.state.shown.view !== "threads") this.state.set({ view: "threads" });
    threads.showChain();
  }

  private key(event: KeyboardEvent) {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
    if (target.matches("input[type=search], select")) return;
    const { state } = this;
    const act = (): boolean => {
      if (target.getAttribute("role") === "tab" && ["ArrowLeft", "ArrowRight"].includes(event.key)) {
        const next =
          (viewNames.indexOf(state.shown.view) + (event.key === "ArrowRight" ? 1 : viewNames.length - 1)) %
          viewNames.length;
        state.set({ view: viewNames[next] });
        this.tabs.get(viewNames[next])!.focus();
        return true;
      }
      if (target.matches("button") && [" ", "Enter"].includes(event.key)) return false;
      if (/^[1-8]$/.test(event.key)) {
        state.set({ view: viewNames[Number(event.key)] });
        return true;
      }
      switch (event.key) {
        case "+":
        case "=":
          state.zoom(0.5);
          return true;
        case "-":
        case "−":
          state.zoom(2);
          return true;
        case "0":
          state.showAll();
          return true;
        case "f":
          state.set({ view: "findings" });
          return true;
        case "c":
          this.chain();
          return true;
        case "s":
          void this.save("svg");
          return true;
        case "p":
          this.enlarge();
          return true;
        case "?":
          this.showHelp();
          return true;
        case "Escape":
          if (this.view.key?.(event) === true) return true;
          state.slice = undefined;
          state.chain = [];
          state.set({ thread: 0, object: 0, event: -1, time: undefined });
          return true;
      }
      if (this.view.key?.(event) === true) return true;
      if (!event.shiftKey || (event.key !== "ArrowLeft" && event.key !== "ArrowRight")) return false;
      state.pan(event.key === "ArrowLeft" ? -0.5 : 0.5);
      return true;
    };
    if (act()) event.preventDefault();
  }
}

function showRecording(head: Head, sides?: Sides) {
  const length = head.end - head.begin;
  // Frames side by side have the same scale of time.
  if (sides !== undefined) Object.assign(head, { begin: sides.begin, end: sides.end });
  const recording = new Recording(head);
  const state = new State(recording, sides?.address(Number(side)));
  new Page(recording, state, length);
  sides?.join(Number(side), state);
  // For the browser's console.
  Object.assign(globalThis, { keyhole: { recording, state } });
}

// Sides are shown when the browser has read the blocks of all of them.
const sides = readSides();
if (sides.length > 0) {
  const { textContent } = document.currentScript!;
  document.addEventListener("DOMContentLoaded", () => new SidesPage(sides, textContent!));
} else {
  const head = readHead();
  if ("comparison" in head) new ComparisonPage(head.comparison);
  else showRecording(head, side === undefined ? undefined : (parent as unknown as { sides: Sides }).sides);
}
