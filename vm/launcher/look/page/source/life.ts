// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The view of one object's life: its header at each step, who changed it, and where.
import type { Recording } from "./data";
import { h, link } from "./dom";
import { count, time } from "./format";
import { ObjectPicker } from "./picker";
import { Rows } from "./rows";
import type { State } from "./state";
import { stepsOf, type LockPicture, type Step, type Steps } from "./steps";
import { shortSite } from "./words";

const ROW = 70;
const MOST_STEPS = 5000;

export const bitWords: Record<string, string> = { "00": "locked", "01": "free", "10": "monitor", "11": "forwarded" };

export class LifeView {
  readonly element: HTMLElement;
  private picker: ObjectPicker;
  private rows: Rows;
  private words = h("p", { class: "facts" });
  private steps: Steps = { object: 0, total: 0, skipped: 0, isSeenFromStart: true, steps: [] };
  private asked = "";

  constructor(
    private recording: Recording,
    private state: State,
  ) {
    this.picker = new ObjectPicker(recording, state);
    this.rows = new Rows(ROW, "steps of the object's life", (index) =>
      this.row(this.steps.steps[index], this.steps.steps[index - 1]),
    );
    this.element = h(
      "section",
      { class: "view life", "aria-label": "One object's life" },
      this.picker.element,
      this.words,
      this.rows.element,
    );
  }

  draw() {
    const object = this.picker.chooseOne();
    if (object === 0) {
      this.words.textContent = "This recording names no object.";
      return;
    }
    if (this.state.shown.object !== object) {
      this.state.set({ object });
      return;
    }
    const asked = [object, this.state.shown.from].join();
    if (asked !== this.asked) {
      this.asked = asked;
      this.steps = stepsOf(this.recording, object, this.state.shown.from, MOST_STEPS);
      const { total, skipped, steps, isSeenFromStart } = this.steps;
      this.words.replaceChildren(
        `${this.recording.text(this.recording.objects.class[object])}, object ${object}: ${count(total)} events; `,
        skipped > 0 || !isSeenFromStart
          ? `${count(steps.length)} from the time shown on. `
          : steps.length < total
            ? `the first ${count(steps.length)}, later ones where a later time is shown. `
            : "all of them. ",
        skipped > 0 || !isSeenFromStart ? link("from its beginning", () => this.state.showAll()) : "",
      );
      this.rows.setCount(steps.length);
    }
    const chosen = this.steps.steps.findIndex((step) => step.number === this.state.shown.event);
    if (chosen >= 0) this.rows.show(chosen);
    this.rows.draw();
  }

  private row(step: Step, previous: Step | undefined): HTMLElement {
    const isChosen = step.number === this.state.shown.event;
    const kind = this.recording.head.kinds[step.kind];
    const site = this.recording.text(step.site);
    return h(
      "div",
      {
        class: `row${isChosen ? " chosen" : ""}`,
        "aria-selected": isChosen ? "true" : "false",
        onclick: () => this.choose(step),
      },
      h("span", { class: "number" }, time(step.time, 1)),
      h(
        "span",
        { class: "what" },
        h(
          "span",
          {},
          `${step.sentence}. `,
          h(
            "span",
            { class: "faint" },
            kind.name,
            " · ",
            this.recording.threadName(step.thread),
            site === "" ? "" : " · ",
            site !== "" && h("code", { title: site }, shortSite(site)),
          ),
        ),
        headerOf(this.recording, this.steps.object, step.picture, previous?.picture),
      ),
    );
  }

  private choose(step: Step) {
    this.state.stretch = undefined;
    this.state.chain = [];
    this.state.set({ event: step.number, thread: step.thread, time: step.time });
  }

  key(event: KeyboardEvent): boolean {
    const by = { ArrowDown: 1, ArrowUp: -1, ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
    const { steps } = this.steps;
    if (by === undefined || steps.length === 0 || event.shiftKey) return false;
    const chosen = steps.findIndex((step) => step.number === this.state.shown.event);
    this.choose(steps[Math.min(Math.max((chosen < 0 ? -1 : chosen) + by, 0), steps.length - 1)]);
    return true;
  }
}

const isUnknown = (value: string) => value === "?" || value === "nobody" || value.endsWith("yet");

// The header's fields, each with its name; what has changed is marked.
export function headerOf(
  recording: Recording,
  object: number,
  now: LockPicture,
  before: LockPicture | undefined,
): HTMLElement {
  const cells: [name: string, value: string, wasOther: boolean][] = [
    ["class", recording.text(recording.objects.class[object]).replace(/^.*\./, "") || "?", false],
    [
      "hash",
      now.hash === undefined ? "not asked yet" : now.hash.toString(16).padStart(8, "0"),
      now.hash !== before?.hash,
    ],
    [
      "address",
      now.address === undefined ? "not moved yet" : `0x${now.address.toString(16)}`,
      now.address !== before?.address,
    ],
    [
      "lock",
      now.bits === "" ? "?" : `${now.bits} ${bitWords[now.bits] ?? ""}`,
      now.bits !== (before?.bits ?? now.bits),
    ],
    [
      "held by",
      now.owner === 0 ? "nobody" : `${recording.threadName(now.owner)}${now.levels > 1 ? ` ×${now.levels}` : ""}`,
      before !== undefined && (now.owner !== before.owner || now.levels !== before.levels),
    ],
  ];
  return h(
    "span",
    { class: "header", role: "group", "aria-label": "the header" },
    ...cells.map(([name, value, changed]) =>
      h(
        "span",
        {
          class: ["cell", changed && "changed", isUnknown(value) && "unknown"].filter(Boolean).join(" "),
        },
        h("small", {}, name),
        h("b", {}, value),
      ),
    ),
  );
}
