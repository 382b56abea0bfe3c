// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The first view: the findings about the recording, as sentences with links to other views.
import type { Finding, Place, Recording, Sentence } from "./data";
import { h, inCode } from "./dom";
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
        ...(findings.some((each) => each.topic === "data_race")
          ? []
          : inCode(
              "A recording does not have the program's accesses to fields. `-XX:+DetectDataRaces` looks for data races. ",
            )),
        "Links lead to the other views.",
      ),
    );
  }

  draw() {}

  private verdict(problems: number) {
    if (problems === 0) return "Nothing stands out.";
    return `${many(problems, "thing")} ${problems === 1 ? "stands" : "stand"} out:`;
  }

  private article(finding: Finding): HTMLElement {
    const seen = new Set<number>(); // lines that the article has already quoted
    return h(
      "article",
      { class: finding.is_problem ? "finding is-problem" : "finding" },
      h("p", { class: "headline" }, ...this.parts(finding.headline)),
      h("ul", {}, ...finding.reasons.map((reason) => h("li", {}, ...this.parts(reason), ...this.source(reason, seen)))),
    );
  }

  // The lines of source that a sentence names for the first time, if the page has the source.
  private source(sentence: Sentence, seen: Set<number>): Node[] {
    const lines = new Map<number, string>();
    for (const [text] of sentence) {
      const number = Number(/:(\d+)\)/.exec(text)?.[1]);
      const line = this.recording.sourceLine(text);
      if (line !== "" && !seen.has(number)) lines.set(number, line);
      seen.add(number);
    }
    if (lines.size === 0) return [];
    const longest = Math.max(...lines.keys()).toString().length;
    const shown = [...lines].map(([number, line]) => `${String(number).padStart(longest)}  ${line}`);
    return [h("pre", { class: "source" }, shown.join("\n"))];
  }

  private parts(sentence: Sentence): (Node | string)[] {
    return sentence.map(([text, place]) =>
      place === undefined ? h("span", {}, ...inCode(text)) : this.link(text, place),
    );
  }

  // An <a>, because the lines of a button's text do not flow with the sentence.
  private link(text: string, place: Place): Node {
    const onclick = (event: MouseEvent) => {
      event.preventDefault();
      this.go(place);
    };
    return h("a", { class: "link", href: "#", title: `show it: ${place.view}`, onclick }, text);
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
