// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The view of one lock: a picture of its owner, its queue and its waiters, redrawn at each step.
import { ChosenObject } from "./chosen";
import type { Recording } from "./data";
import { h, svg } from "./dom";
import { count, duration, time } from "./format";
import { bitWords } from "./life";
import { asAlgorithmHasIt, headerWords } from "./reconstruction";
import { ruleInWords } from "./rules";
import type { State } from "./state";
import type { LockPicture, OwnPicture, Step, Waiter } from "./types";
import { shortSite } from "./words";

const MOST_DRAWN = 7;

export class LockView {
  readonly element: HTMLElement;
  private chosen: ChosenObject;
  private slider = h("input", { type: "range", min: 0, step: 1, "aria-label": "step" });
  private words = h("output", { class: "step-words" });
  private position = h("span", { class: "faint" });
  private picture = h("div", { class: "picture" });
  private states: HTMLElement;
  private timer: number | undefined;
  private player: HTMLButtonElement;

  constructor(
    private recording: Recording,
    private state: State,
  ) {
    this.chosen = new ChosenObject(recording, state);
    const button = (text: string, title: string, act: () => void) =>
      h("button", { type: "button", title, "aria-label": title, onclick: act }, text);
    this.player = button("▶ play", "play (key space)", () => this.play());
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.states = h("div", { class: "states" });
    this.element = h(
      "section",
      { class: "view lock", "aria-label": "One lock" },
      this.chosen.picker.element,
      h(
        "div",
        { class: "bar scrub" },
        button("|◀", "the first step (key Home)", () => this.go(0)),
        button("◀", "one step back (key ←)", () => this.go(this.place - 1)),
        this.player,
        button("▶", "one step on (key →)", () => this.go(this.place + 1)),
        button("▶|", "the last step (key End)", () => this.go(this.chosen.steps.steps.length - 1)),
        button("contended", "the next step at which a thread finds the lock held (key n)", () => this.next("lock_contended")),
        button("inflated", "the next step at which the object gets a monitor (key m)", () => this.next("inflate")),
        this.slider,
        this.position,
      ),
      this.words,
      h("div", { class: "beside" }, this.picture, this.states),
    );
  }

  private get place() {
    const { event } = this.state.shown;
    const { steps } = this.chosen.steps;
    let low = 0,
      high = steps.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (steps[middle].number <= event) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  private go(place: number) {
    const step = this.chosen.steps.steps[Math.min(Math.max(place, 0), this.chosen.steps.steps.length - 1)];
    if (step === undefined) return;
    this.state.slice = undefined;
    this.state.chain = [];
    this.state.set({ event: step.number, thread: step.thread, time: step.time });
  }

  // Goes to the next step by an event of this kind, after the last one to the first.
  private next(kind: string) {
    const { steps } = this.chosen.steps;
    const wanted = this.recording.kind(kind);
    const after = steps.findIndex((step, place) => place > this.place && step.kind === wanted);
    const found = after >= 0 ? after : steps.findIndex((step) => step.kind === wanted);
    if (found >= 0) this.go(found);
    else this.position.textContent = kind === "inflate" ? "it is never inflated" : "it is never contended";
  }

  private play() {
    if (this.timer !== undefined) this.stop();
    else {
      this.player.textContent = "❚❚ pause";
      this.timer = window.setInterval(() => {
        if (this.place >= this.chosen.steps.steps.length - 1 || this.state.shown.view !== "lock") this.stop();
        else this.go(this.place + 1);
      }, 400);
    }
  }
  private stop() {
    clearInterval(this.timer);
    this.timer = undefined;
    this.player.textContent = "▶ play";
  }

  key(event: KeyboardEvent): boolean {
    if (event.shiftKey) return false;
    const last = this.chosen.steps.steps.length - 1;
    switch (event.key) {
      case "ArrowRight":
      case "ArrowDown":
        this.go(this.place + 1);
        return true;
      case "ArrowLeft":
      case "ArrowUp":
        this.go(this.place - 1);
        return true;
      case "PageDown":
        this.go(this.place + 20);
        return true;
      case "PageUp":
        this.go(this.place - 20);
        return true;
      case "Home":
        this.go(0);
        return true;
      case "End":
        this.go(last);
        return true;
      case "n":
        this.next("lock_contended");
        return true;
      case "m":
        this.next("inflate");
        return true;
      case " ":
        this.play();
        return true;
      default:
        return false;
    }
  }

  draw() {
    const renewed = () => {
      this.slider.max = String(Math.max(this.chosen.steps.steps.length - 1, 0));
    };
    if (!this.chosen.renew(this.words, renewed)) return;
    const place = this.place;
    const step = this.chosen.steps.steps[place];
    if (step === undefined) return;
    this.slider.value = String(place);
    const { skipped, steps } = this.chosen.steps;
    const before = skipped > 0 ? `, ${count(skipped)} before the time shown` : "";
    this.position.textContent = `step ${count(place + 1)} of ${count(steps.length)}${before}`;
    this.words.replaceChildren(
      h("b", {}, `${step.sentence}.`),
      h(
        "span",
        { class: "faint" },
        ` ${time(step.time, 1)}${step.site !== 0 ? ` · ${this.recording.text(step.site)}` : ""}`,
      ),
      " ",
      ruleInWords(step.rule),
    );
    const line = this.recording.sourceLine(this.recording.text(step.site));
    if (line !== "") this.words.append(h("code", { class: "line" }, line));
    this.picture.replaceChildren(this.drawing(step));
    this.drawStates(step);
  }

  // Draws the owner on the left, the object in the middle, the queue on the right, and the waiters below.
  private drawing(step: Step): SVGElement {
    const picture = asAlgorithmHasIt(step.picture);
    const { own } = picture;
    const parts: Element[] = [];
    const text = (x: number, y: number, words: string, kind = "") =>
      parts.push(svg("text", { x, y, class: kind }, words));
    const arrow = (x1: number, y1: number, x2: number, y2: number, kind: string) =>
      parts.push(svg("line", { x1, y1, x2, y2, class: `arrow ${kind}`, "marker-end": "url(#tip)" }));
    const card = (x: number, y: number, width: number, title: string, below: string, kind: string) => {
      parts.push(svg("rect", { x, y, width, height: 46, rx: 6, class: `card ${kind}` }));
      text(x + 10, y + 19, fit(title, width / 7.4), "title");
      text(x + 10, y + 36, fit(below, width / 6.4), "below");
    };
    text(24, 28, "holds it", "head");
    text(322, 28, "the object", "head");
    text(622, 28, own === undefined ? `want it (${picture.blocked.length})` : this.queueWords(own), "head");
    if (picture.owner !== 0) {
      const site = this.recording.text(picture.site);
      card(
        24,
        44,
        210,
        `${this.recording.threadName(picture.owner)}${picture.levels > 1 ? ` ×${picture.levels}` : ""}`,
        site === "" ? "" : shortSite(site),
        step.thread === picture.owner ? "owner acts" : "owner",
      );
      arrow(238, 67, 314, 67, "owns");
    } else {
      parts.push(svg("rect", { x: 24, y: 44, width: 210, height: 46, rx: 6, class: "card nobody" }));
      text(34, 72, "nobody", "below");
    }
    this.drawObject(picture, parts, text);
    const queue = (waiters: Waiter[], x: number, y: number, kind: string) => {
      waiters.slice(0, MOST_DRAWN).forEach((waiter, place) => {
        const since =
          waiter.since < 0
            ? "in a step of its own"
            : `${shortSite(this.recording.text(waiter.site))} · ${duration(step.time - waiter.since)}`;
        card(
          x,
          y + place * 54,
          230,
          this.recording.threadName(waiter.thread),
          since,
          waiter.thread === step.thread ? `${kind} acts` : kind,
        );
      });
      if (waiters.length > MOST_DRAWN)
        text(x + 10, y + MOST_DRAWN * 54 + 14, `and ${waiters.length - MOST_DRAWN} more`, "below");
    };
    queue(picture.blocked, 622, 44, "blocked");
    if (picture.blocked.length > 0) arrow(618, 67, 552, 67, "wants");
    text(24, 182, `wait for a notify (${picture.waiting.length})`, "head");
    queue(picture.waiting, 24, 196, "waiting");
    const lower = 44 + Math.min(picture.blocked.length, MOST_DRAWN + 1) * 54;
    const left = 196 + Math.min(picture.waiting.length, MOST_DRAWN + 1) * 54;
    const height = Math.max(lower, left, 214);
    return svg(
      "svg",
      { viewBox: `0 0 870 ${height}`, role: "img", "aria-label": sentenceOf(this.recording, picture) },
      svg(
        "defs",
        {},
        svg(
          "marker",
          { id: "tip", viewBox: "0 0 10 10", refX: 9, refY: 5, markerWidth: 7, markerHeight: 7, orient: "auto" },
          svg("path", { d: "M0 0 L10 5 L0 10 z", class: "tip" }),
        ),
      ),
      ...parts,
    );
  }

  private queueWords(own: OwnPicture): string {
    const next = own.successor === 0 ? "" : `, next ${this.recording.threadName(own.successor)}`;
    return `its queue (${own.queue.length})${next}`;
  }

  private drawObject(
    picture: LockPicture,
    parts: Element[],
    text: (x: number, y: number, words: string, kind?: string) => void,
  ) {
    const { object } = this.chosen.steps;
    parts.push(svg("rect", { x: 318, y: 40, width: 230, height: 104, rx: 8, class: "object" }));
    text(330, 62, fit(this.recording.objectName(object), 28), "title");
    parts.push(
      svg("rect", { x: 330, y: 74, width: 150, height: 30, class: "field" }),
      svg("rect", { x: 480, y: 74, width: 56, height: 30, class: "field lock-bits" }),
    );
    text(
      338,
      93,
      picture.hash === undefined ? "hash: not asked yet" : `hash ${picture.hash.toString(16).padStart(8, "0")}`,
      "below",
    );
    text(497, 95, picture.bits === "" ? "?" : picture.bits, "bits");
    text(
      330,
      126,
      picture.bits === "" ? "lock bits not seen yet" : `lock bits: ${bitWords[picture.bits] ?? ""}`,
      "below",
    );
    if (!picture.isInflated) return;
    parts.push(
      svg("line", { x1: 508, y1: 106, x2: 508, y2: 160, class: "arrow owns", "marker-end": "url(#tip)" }),
      svg("rect", { x: 400, y: 164, width: 148, height: 40, rx: 6, class: "card monitor" }),
    );
    text(412, 189, "its ObjectMonitor", "title");
  }

  // Marks the current states in the diagrams: the header's state, if the algorithm is known, and the lock's state.
  private drawStates(step: Step) {
    const picture = asAlgorithmHasIt(step.picture);
    const { own } = picture;
    const { pictures } = this.recording.head;
    const ofHeader: [lit: boolean, state: string, meaning: string][] =
      own === undefined || pictures === undefined
        ? []
        : headerWords[pictures.family].map(([bits, name, meaning, isNow]) => [
            isNow(own.header & 3, own.header >> 2),
            `${bits} ${name}`.trim(),
            meaning,
          ]);
    const ofLock: [lit: boolean, state: string, meaning: string][] = [
      [picture.owner === 0, "free", "nobody holds it"],
      [picture.owner !== 0 && picture.levels === 1 && picture.blocked.length === 0, "held", "one thread, one level"],
      [picture.owner !== 0 && picture.levels > 1, "held again", "the same thread, several levels"],
      [picture.owner !== 0 && picture.blocked.length > 0, "contended", "held, and others want it"],
      [picture.waiting.length > 0, "awaited", "threads are in Object.wait"],
      [picture.isInflated, "inflated", "the object has a monitor"],
    ];
    const tableOf = (caption: string, rows: typeof ofLock) =>
      h(
        "table",
        {},
        h("caption", {}, caption),
        h(
          "tbody",
          {},
          ...rows.map(([lit, state, meaning]) =>
            h(
              "tr",
              { class: lit ? "lit" : "", "aria-current": lit ? "true" : undefined },
              h("td", {}, lit ? "▸" : ""),
              h("th", { scope: "row" }, state),
              h("td", {}, meaning),
            ),
          ),
        ),
      );
    this.states.replaceChildren(
      ...(ofHeader.length === 0 ? [] : [tableOf("what the lock bits of the header say", ofHeader)]),
      tableOf("the lock's state", ofLock),
    );
  }
}

const fit = (text: string, characters: number) =>
  text.length <= characters ? text : `${text.slice(0, Math.floor(characters) - 1)}…`;

function sentenceOf(recording: Recording, picture: LockPicture): string {
  const names = (waiters: Waiter[]) => waiters.map((each) => recording.threadName(each.thread)).join(", ");
  return [
    picture.owner === 0 ? "nobody holds the lock" : `${recording.threadName(picture.owner)} holds the lock`,
    picture.blocked.length > 0 && `${names(picture.blocked)} want it`,
    picture.waiting.length > 0 && `${names(picture.waiting)} wait for a notify`,
  ]
    .filter(Boolean)
    .join("; ");
}
