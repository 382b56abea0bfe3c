// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The panel beside the views, which describes the selection with links to other views.
import { chainOf } from "./chain";
import { doingNames, type Recording, type Slice, waitsForLock } from "./data";
import { h, link } from "./dom";
import { count, duration, many, time } from "./format";
import type { State } from "./state";
import { wordsOf } from "./words";

export class Details {
  readonly element = h("aside", { class: "details", "aria-label": "Selected", "aria-live": "polite" });

  constructor(
    private recording: Recording,
    private state: State,
    private showChain: () => void,
  ) {
    state.onChange((_, change) => {
      if ("thread" in change || "object" in change || "event" in change || "time" in change) this.draw();
    });
    this.draw();
  }

  private rows(...rows: [string, Node | string | false][]) {
    return h(
      "dl",
      {},
      ...rows
        .filter(([, value]) => value !== "" && value !== false)
        .flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]),
    );
  }
  // Shows a place in the program, with the source line if the page has the source.
  private site(text: number): Node | false {
    if (text === 0) return false;
    const site = this.recording.text(text);
    const line = this.recording.sourceLine(site);
    return h("span", { class: "site" }, h("code", {}, site), " ", line !== "" && h("code", { class: "line" }, line));
  }
  private thread(id: number) {
    return link(this.recording.threadName(id), () => this.state.set({ view: "threads", thread: id }));
  }
  private object(number: number) {
    return link(
      this.recording.objectName(number),
      () => this.state.set({ view: "object", object: number }),
      "this object's life",
    );
  }

  draw() {
    const { recording, state } = this;
    const { thread, object, event } = state.shown;
    const parts: Node[] = [];
    if (!recording.isWhole) return;
    if (state.slice !== undefined) parts.push(...this.ofSlice(state.slice));
    else if (thread !== 0 && recording.place(thread) >= 0) parts.push(...this.ofThread(thread));
    if (event >= 0 && event < recording.head.count && (state.slice === undefined || state.slice.event !== event))
      parts.push(...this.ofEvent(event));
    if (object > 0 && object < recording.objects.count) parts.push(...this.ofObject(object));
    if (parts.length === 0)
      parts.push(
        h("p", { class: "faint" }, "Nothing is selected. Click a box in a lane, or press Tab and the arrow keys."),
      );
    this.element.replaceChildren(...parts);
  }

  private ofSlice(slice: Slice): Node[] {
    const { state } = this;
    const buttons = [
      link("show it", () => state.goTo(slice.begin, slice.end, { view: "threads" })),
      slice.object !== 0 && link("the lock", () => state.set({ view: "lock", object: slice.object })),
    ];
    const parts: Node[] = [
      h(
        "h2",
        {},
        h("i", { class: `sample ${doingNames[slice.doing]}` }),
        `${doingNames[slice.doing]} for ${duration(slice.end - slice.begin)}`,
      ),
      this.rows(
        ["thread", this.thread(slice.thread)],
        ["from", time(slice.begin)],
        ["until", time(slice.end)],
        ["on", slice.object !== 0 && this.object(slice.object)],
        ["at", this.site(slice.site)],
        ["held by", slice.owner !== 0 && this.thread(slice.owner)],
        ["which took it at", this.site(slice.ownerSite)],
      ),
      h(
        "p",
        { class: "actions" },
        ...buttons,
        waitsForLock(slice) &&
          h("button", { type: "button", class: "chain", onclick: this.showChain }, "Who waits for whom? (c)"),
      ),
    ];
    if (state.chain.length > 0) parts.push(this.chain(slice));
    return parts;
  }

  private chain(slice: Slice): Node {
    const { recording, state } = this;
    const chain = chainOf(recording, slice, state.shown.time);
    return h(
      "section",
      { class: "chain" },
      h("h3", {}, `At ${time(chain.time)}`),
      h(
        "ol",
        {},
        ...chain.links.map((each) =>
          h(
            "li",
            {},
            this.thread(each.thread),
            " waits for ",
            this.object(each.object),
            " at",
            this.site(each.site),
            " ",
            each.owner !== 0 && this.thread(each.owner),
            each.owner !== 0 && " holds it",
            each.ownerSite !== 0 && " since",
            this.site(each.ownerSite),
          ),
        ),
      ),
      h("p", { class: chain.isCycle ? "problem" : "" }, `${chain.end}.`),
    );
  }

  private ofThread(id: number): Node[] {
    const thread = this.recording.threads[this.recording.place(id)];
    return [
      h("h2", {}, thread.name),
      this.rows(
        ["thread", String(id)],
        ["from", time(thread.begin)],
        ["until", time(thread.end)],
        ["events", count(thread.events)],
      ),
    ];
  }

  private ofEvent(number: number): Node[] {
    const event = this.recording.event(number);
    const kind = this.recording.head.kinds[event.kind];
    return [
      h("h2", {}, kind.name),
      h("p", {}, `${kind.sentence}.`),
      this.rows(
        ["event", count(number)],
        ["at", time(event.time, 1)],
        ["thread", this.thread(event.thread)],
        ...wordsOf(this.recording, event).map((word): [string, Node | string] => [
          word.name,
          word.object
            ? this.object(word.object)
            : word.thread
              ? this.thread(word.thread)
              : (this.site(word.site ?? 0) || word.text),
        ]),
      ),
    ];
  }

  private ofObject(object: number): Node[] {
    const { objects } = this.recording;
    return [
      h("h2", {}, this.recording.objectName(object)),
      this.rows(
        ["class", this.recording.text(objects.class[object])],
        ["events", count(objects.events[object])],
        ["taken", objects.enters[object] > 0 && many(objects.enters[object], "time")],
        ["contended", objects.contended[object] > 0 && many(objects.contended[object], "time")],
        ["waited for", objects.waited[object] > 0 && duration(objects.waited[object])],
        ["Object.wait", objects.waits[object] > 0 && many(objects.waits[object], "time")],
        ["inflated", objects.inflations[object] > 0 && many(objects.inflations[object], "time")],
      ),
      h(
        "p",
        { class: "actions" },
        link("its events, step by step", () => this.state.set({ view: "object" })),
        link("its lock", () => this.state.set({ view: "lock" })),
        link("deselect", () => this.state.set({ object: 0 })),
      ),
    ];
  }
}
