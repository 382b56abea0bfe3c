// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The view of one object's life. For each step it shows the object's header, the thread that changed the header, and
// the place in the program.
import { ChosenObject } from "./chosen";
import type { Recording } from "./data";
import { h, link } from "./dom";
import { count, many, time } from "./format";
import { asAlgorithmHasIt } from "./reconstruction";
import { Rows } from "./rows";
import { ruleInWords } from "./rules";
import type { State } from "./state";
import type { LockPicture, Step } from "./types";
import { shortSite } from "./words";

const ROW = 104;

export const bitWords: Record<string, string> = { "00": "locked", "01": "free", "10": "monitor", "11": "forwarded" };

export class LifeView {
  readonly element: HTMLElement;
  private chosen: ChosenObject;
  private rows: Rows;
  private words = h("p", { class: "facts" });

  constructor(
    private recording: Recording,
    private state: State,
  ) {
    this.chosen = new ChosenObject(recording, state);
    this.rows = new Rows(ROW, "steps of the object's life", (index) =>
      this.row(this.chosen.steps.steps[index], this.chosen.steps.steps[index - 1]),
    );
    this.element = h(
      "section",
      { class: "view life", "aria-label": "One object's life" },
      this.chosen.picker.element,
      this.words,
      this.rows.element,
    );
  }

  draw() {
    const renewed = () => {
      const { object, total, skipped, steps, isSeenFromStart } = this.chosen.steps;
      this.words.replaceChildren(
        `${this.recording.text(this.recording.objects.class[object])}, object ${object}: ${many(total, "event")}; `,
        skipped > 0 || !isSeenFromStart
          ? `${count(steps.length)} from the time shown on. `
          : steps.length < total
            ? `the first ${count(steps.length)}, later ones where a later time is shown. `
            : "all of them. ",
        skipped > 0 || !isSeenFromStart ? link("from its beginning", () => this.state.showAll()) : "",
      );
      this.rows.setCount(steps.length);
    };
    if (!this.chosen.renew(this.words, renewed)) return;
    const chosen = this.chosen.steps.steps.findIndex((step) => step.number === this.state.shown.event);
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
        ruleInWords(step.rule),
        headerOf(
          this.recording,
          this.chosen.steps.object,
          asAlgorithmHasIt(step.picture),
          previous && asAlgorithmHasIt(previous.picture),
        ),
      ),
    );
  }

  private choose(step: Step) {
    this.state.slice = undefined;
    this.state.chain = [];
    this.state.set({ event: step.number, thread: step.thread, time: step.time });
  }

  key(event: KeyboardEvent): boolean {
    const by = { ArrowDown: 1, ArrowUp: -1, ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
    const { steps } = this.chosen.steps;
    if (by === undefined || steps.length === 0 || event.shiftKey) return false;
    const chosen = steps.findIndex((step) => step.number === this.state.shown.event);
    this.choose(steps[Math.min(Math.max((chosen < 0 ? -1 : chosen) + by, 0), steps.length - 1)]);
    return true;
  }
}

const isUnknown = (value: string) => value === "?" || value === "nobody" || value.endsWith("yet");

// Shows the header's fields with their names, and marks the fields that have changed.
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
