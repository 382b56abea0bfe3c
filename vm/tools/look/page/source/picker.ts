// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Lets the user select an object by number or class, or from the list of the most contended objects.
import type { Recording } from "./data";
import { h } from "./dom";
import { count, duration, many } from "./format";
import type { State } from "./state";

const MOST = 60;
const LIBRARY = /^(java|javax|jdk|sun|com\.sun)\./;

export class ObjectPicker {
  readonly element: HTMLElement;
  private input: HTMLInputElement;
  private select = h("select", { "aria-label": "objects" });

  constructor(
    private recording: Recording,
    private state: State,
  ) {
    this.input = h("input", {
      type: "search",
      placeholder: "number or class",
      "aria-label": "find an object",
      oninput: () => this.fill(),
    });
    this.select.addEventListener("change", () => state.set({ object: Number(this.select.value) }));
    this.element = h("div", { class: "bar" }, h("label", {}, "object", this.select), this.input);
    this.fill();
    state.onChange((_, change) => "object" in change && this.fill());
  }

  // Lists the objects that match the search text: the most contended ones first, then those of the program's classes.
  private fill() {
    const { objects } = this.recording;
    const words = this.input.value.trim().toLowerCase();
    const fits = (object: number) =>
      words === "" ||
      String(object) === words ||
      this.recording.text(objects.class[object]).toLowerCase().includes(words);
    const found: number[] = [];
    for (let object = 1; object < objects.count; object++)
      if (objects.events[object] > 0 && fits(object)) found.push(object);
    const isOfLibrary = (object: number) => Number(LIBRARY.test(this.recording.text(objects.class[object])));
    const busier = (l: number, r: number) =>
      objects.waited[r] - objects.waited[l] ||
      isOfLibrary(l) - isOfLibrary(r) ||
      objects.enters[r] - objects.enters[l] ||
      objects.events[r] - objects.events[l] ||
      l - r;
    found.sort(busier);
    const chosen = this.state.shown.object;
    const listed = found.slice(0, MOST);
    if (chosen !== 0 && !listed.includes(chosen)) listed.unshift(chosen);
    this.select.replaceChildren(
      h(
        "option",
        { value: 0, disabled: true, selected: chosen === 0 },
        `${many(found.length, "object")}, the busiest first`,
      ),
      ...listed.map((object) => h("option", { value: object, selected: object === chosen }, this.describe(object))),
    );
    if (words !== "" && found.length === 1 && found[0] !== chosen) this.state.set({ object: found[0] });
  }

  private describe(object: number): string {
    const { objects } = this.recording;
    const facts = [
      objects.waited[object] > 0 && `waited for ${duration(objects.waited[object])}`,
      objects.enters[object] > 0 && `taken ${count(objects.enters[object])}×`,
      many(objects.events[object], "event"),
    ].filter(Boolean);
    return `${this.recording.objectName(object)}: ${facts.join(", ")}`;
  }

  // Selects the most contended object if no object is selected yet.
  chooseOne(): number {
    const { object } = this.state.shown;
    if (object > 0 && object < this.recording.objects.count) return object;
    return Number((this.select.options[1] as HTMLOptionElement | undefined)?.value ?? 0);
  }
}
