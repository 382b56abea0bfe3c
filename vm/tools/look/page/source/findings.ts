// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The first view: the findings about the recording, as sentences with links to other views.
import type { Finding, Place, Recording, Sentence } from "./data";
import { h, link } from "./dom";
import { many } from "./format";
import type { State, ViewName } from "./state";

export class FindingsView {
  readonly element = h("section", { class: "view findings", "aria-label": "Findings" });

  constructor(
    private recording: Recording,
    private state: State,
  ) {
    const { findings } = recording.head;
    const problems = findings.filter((each) => each.is_problem);
    const notes = findings.filter((each) => !each.is_problem);
    this.element.append(
      h("h2", {}, this.verdict(problems.length)),
      ...problems.map((each) => this.article(each)),
      ...(notes.length > 0 ? [h("h3", {}, "Not a problem by itself")] : []),
      ...notes.map((each) => this.article(each)),
      h(
        "p",
        { class: "faint" },
        "A recording has locks, waits, collections and code, and no accesses to fields: ",
        h("code", {}, "./keyhole --explore"),
        " looks for data races. Links lead to the other views.",
      ),
    );
  }

  draw() {}

  private verdict(problems: number) {
    if (problems === 0) return "Nothing stands out.";
    return `${many(problems, "thing")} ${problems === 1 ? "stands" : "stand"} out:`;
  }

  private article(finding: Finding): HTMLElement {
    return h(
      "article",
      { class: finding.is_problem ? "finding is-problem" : "finding" },
      h("p", { class: "headline" }, ...this.parts(finding.headline)),
      h("ul", {}, ...finding.reasons.map((reason) => h("li", {}, ...this.parts(reason)))),
    );
  }

  private parts(sentence: Sentence): (Node | string)[] {
    return sentence.map(([text, place]) =>
      place === undefined ? text : link(text, () => this.go(place), `show it: ${place.view}`),
    );
  }

  private go(place: Place) {
    const { recording, state } = this;
    const view = place.view as ViewName;
    const event = place.event >= 0 ? recording.event(place.event) : undefined;
    const change = { view, thread: place.thread, object: place.object, event: place.event };
    state.slice = undefined;
    state.chain = [];
    if (view === "threads" && event !== undefined) {
      const slice =
        recording.sliceAt(place.thread, event.time) ?? recording.neighbour(place.thread, event.time - 1, true);
      if (slice !== undefined && slice.begin < place.end && Math.abs(slice.begin - event.time) < 1_000_000) {
        state.select(slice);
        state.goTo(slice.begin, slice.end, { view });
        return;
      }
    }
    if (place.end > place.begin) state.goTo(place.begin, place.end, change);
    else state.set({ ...change, from: recording.begin, until: recording.end, time: event?.time });
  }
}
