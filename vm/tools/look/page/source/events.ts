// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The view of events, with a row for each event of the visible time, of all threads or only of the selected thread or
// object.
import { eventOf, type Event, type Recording } from "./data";
import { h, link } from "./dom";
import { many, time } from "./format";
import { Rows } from "./rows";
import type { State } from "./state";
import { wordsOf } from "./words";

const ROW = 24;
const MOST_ROWS = 1_000_000; // longest list of events, because browsers limit the height of an element
const MOST_FOUND = 200_000;

export class EventsView {
  readonly element: HTMLElement;
  private rows: Rows;
  private onlyThread = h("input", { type: "checkbox", id: "only-thread" });
  private onlyObject = h("input", { type: "checkbox", id: "only-object" });
  private words = h("output", {});
  private first = 0; // if the list is not filtered: number of the event in row 0
  private found: number[] | undefined; // otherwise their numbers
  private asked = "";
  private scrolledTo = -1; // the selected event when the list was last scrolled to it

  constructor(
    private recording: Recording,
    private state: State,
  ) {
    this.rows = new Rows(ROW, "events", (index) => this.row(index));
    this.element = h(
      "section",
      { class: "view events", "aria-label": "Events" },
      h(
        "div",
        { class: "bar" },
        h("label", {}, this.onlyThread, "only the selected thread"),
        h("label", {}, this.onlyObject, "only the selected object"),
        this.words,
      ),
      this.rows.element,
    );
    for (const box of [this.onlyThread, this.onlyObject]) box.addEventListener("change", () => this.draw());
  }

  draw() {
    const { from, until, thread, object } = this.state.shown;
    const byThread = this.onlyThread.checked && thread !== 0,
      byObject = this.onlyObject.checked && object !== 0;
    const asked = [from, until, byThread && thread, byObject && object].join();
    if (asked !== this.asked) {
      this.asked = asked;
      this.find(byThread ? thread : 0, byObject ? object : 0);
      this.scrolledTo = -1;
    }
    const { event } = this.state.shown;
    if (event >= 0 && event !== this.scrolledTo) {
      this.rows.show(this.found === undefined ? event - this.first : this.found.indexOf(event));
    }
    this.scrolledTo = event;
    this.rows.draw();
  }

  private find(thread: number, object: number) {
    const { recording } = this;
    const { from, until } = this.state.shown;
    this.first = recording.eventAt(from);
    const last = until >= recording.end ? recording.head.count : recording.eventAt(until);
    const all = last - this.first;
    this.found = undefined;
    let shown = Math.min(all, MOST_ROWS),
      more = all > shown;
    if (thread !== 0 || object !== 0) {
      this.found = [];
      for (let number = this.first; number < last && this.found.length < MOST_FOUND;) {
        const block = recording.events(recording.blockOf(number));
        for (let row = number - block.first; row < block.rows && block.first + row < last; row++) {
          if (thread !== 0 && block.thread[row] !== thread) continue;
          if (object !== 0 && objectOf(recording, eventOf(block, row)) !== object) continue;
          this.found.push(block.first + row);
        }
        number = block.first + block.rows;
      }
      shown = this.found.length;
      more = shown >= MOST_FOUND;
    }
    this.words.textContent = more
      ? `the first ${many(shown, "event")} of the time shown`
      : `${many(shown, "event")} in the time shown`;
    this.rows.setCount(shown);
  }

  private row(index: number): HTMLElement {
    const number = this.found === undefined ? this.first + index : this.found[index];
    const event = this.recording.event(number);
    const kind = this.recording.head.kinds[event.kind];
    const isChosen = number === this.state.shown.event;
    const fields = wordsOf(this.recording, event).flatMap((word) => [
      h("span", { class: "faint" }, `${word.name} `),
      word.object
        ? link(word.text, () => this.state.set({ view: "object", object: word.object! }))
        : h("span", {}, word.text),
      " ",
    ]);
    return h(
      "div",
      {
        class: `row${isChosen ? " chosen" : ""}`,
        "aria-selected": isChosen ? "true" : "false",
        onclick: () => this.choose(event),
      },
      h("span", { class: "number" }, time(event.time, 1)),
      h("span", { class: "name" }, this.recording.threadName(event.thread)),
      h("span", { class: "kind" }, kind.name),
      h("span", { class: "fields" }, ...fields),
    );
  }

  // Selects a row that is already visible, so the list stays where it is.
  private choose(event: Event) {
    this.scrolledTo = event.number;
    const object = objectOf(this.recording, event);
    this.state.slice = undefined;
    this.state.chain = [];
    this.state.set({
      event: event.number,
      thread: event.thread,
      time: event.time,
      ...(object !== 0 ? { object } : {}),
    });
    this.rows.draw();
  }

  key(event: KeyboardEvent): boolean {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 }[event.key];
    if (step === undefined) return false;
    const { event: chosen } = this.state.shown;
    const total = this.recording.head.count;
    const place = this.found === undefined ? chosen - this.first : this.found.indexOf(chosen);
    const next = Math.max(place + step, 0);
    const number =
      this.found === undefined
        ? Math.min(this.first + next, total - 1)
        : this.found[Math.min(next, this.found.length - 1)];
    if (number === undefined) return true;
    this.choose(this.recording.event(number));
    this.rows.show(this.found === undefined ? number - this.first : this.found.indexOf(number));
    return true;
  }
}

export function objectOf(recording: Recording, event: Event): number {
  return recording.head.kinds[event.kind].fields[0][0] === "object" ? event.a : 0;
}
