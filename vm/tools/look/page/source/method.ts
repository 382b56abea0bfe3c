// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The view of an opened method. It shows the bytecode with source and profile, and beside it the machine code of each
// tier and the graph of the optimised code. Lines of the same bytecode are highlighted together.
import type { Recording } from "./data";
import { h, link } from "./dom";
import { time } from "./format";
import { assemblyLines, bytecodeLines, exitsOf, graphLines, type Line, type Listing } from "./listing";

export class MethodView {
  readonly element = h("div", { class: "method-view", hidden: true });
  private listings: Listing[] = [];
  private columns = h("div", { class: "columns" });
  private lines = new Map<number, HTMLElement[]>(); // by bytecode
  private order: number[] = []; // of bytecodes
  private bci = -1;

  constructor(
    private recording: Recording,
    private describe: (event: number) => string,
    private close: () => void,
  ) {}

  get isOpen() {
    return !this.element.hidden;
  }

  // `event` identifies the code to show. The latest code of the other tier is shown beside it.
  open(name: string, listings: Listing[], event: number) {
    this.listings = listings;
    const wanted = listings.find((listing) => listing.event === event);
    const last = (isOptimised: boolean) =>
      wanted !== undefined && wanted.level > 3 === isOptimised
        ? wanted
        : listings.filter((listing) => listing.level > 3 === isOptimised).at(-1);
    this.element.replaceChildren(
      h("p", { class: "bar" }, link("◀ all methods", this.close, "all methods (key Escape)"), h("b", {}, name)),
      this.columns,
      h(
        "p",
        { class: "hint" },
        "Point at a line: those of the same bytecode light up. ↑ ↓: from bytecode to bytecode. ⤴: where optimised code may be left.",
      ),
    );
    this.element.hidden = false;
    this.bci = -1;
    this.draw(last(false), last(true));
  }

  hide() {
    this.element.hidden = true;
  }

  key(event: KeyboardEvent): boolean {
    if (event.key === "Escape") this.close();
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const place = this.order.indexOf(this.bci) + (event.key === "ArrowDown" ? 1 : -1);
      this.light(this.order[Math.min(Math.max(place, 0), this.order.length - 1)], undefined);
    } else return false;
    return true;
  }

  private draw(baseline: Listing | undefined, optimised: Listing | undefined) {
    this.lines.clear();
    const shown = optimised ?? baseline!;
    const [file, text] = this.recording.head.source;
    const sources = file !== "" && file === shown.source ? text.split("\n") : [];
    const bytecodes = bytecodeLines(shown, (line) => (sources[line - 1] ?? "").trim());
    this.order = bytecodes.filter((line) => line.kind === "code").map((line) => line.bci);
    const exits = optimised === undefined ? new Map<number, string[]>() : exitsOf(optimised);
    const choice = (isOptimised: boolean, now: Listing) => {
      const select = h(
        "select",
        { "aria-label": isOptimised ? "optimised code" : "baseline code" },
        ...this.listings
          .filter((listing) => listing.level > 3 === isOptimised)
          .map((listing) =>
            h("option", { value: listing.event, selected: listing === now }, this.describe(listing.event)),
          ),
      );
      select.addEventListener("change", () => {
        const chosen = this.listings.find((listing) => listing.event === Number(select.value))!;
        if (isOptimised) this.draw(baseline, chosen);
        else this.draw(chosen, optimised);
      });
      return select;
    };
    const when = `as of ${time(this.recording.event(shown.event).time, 1000)}`;
    this.columns.replaceChildren(
      this.column(
        "bytecode",
        h("span", {}, "bytecode, profile ", h("span", { class: "faint" }, when)),
        bytecodes,
        exits,
      ),
      ...(baseline === undefined ? [] : [this.column("baseline", choice(false, baseline), assemblyLines(baseline))]),
      ...(optimised === undefined || optimised.graph === ""
        ? []
        : [this.column("graph", h("span", {}, "graph, optimised"), graphLines(optimised))]),
      ...(optimised === undefined ? [] : [this.column("optimised", choice(true, optimised), assemblyLines(optimised))]),
    );
    this.light(this.bci, undefined);
  }

  private column(name: string, head: HTMLElement, lines: Line[], exits?: Map<number, string[]>): HTMLElement {
    const list = h("div", { class: "lines", tabindex: 0, role: "group", "aria-label": name });
    list.append(
      ...lines.map((line) => {
        const reasons = line.kind === "code" ? (exits?.get(line.bci) ?? []) : [];
        const element = h(
          "div",
          { class: `line ${line.kind}`, "data-bci": line.bci },
          line.text || " ",
          reasons.length > 0 &&
            h("i", { class: "deoptimizes", title: "optimised code deoptimizes here" }, ` ⤴ ${reasons.join(", ")}`),
        );
        if (line.bci >= 0) this.lines.set(line.bci, [...(this.lines.get(line.bci) ?? []), element]);
        return element;
      }),
    );
    const bciOf = (event: Event) =>
      Number((event.target as HTMLElement).closest<HTMLElement>(".line")?.dataset.bci ?? -1);
    list.addEventListener("mouseover", (event) => this.light(bciOf(event), list, false));
    list.addEventListener("click", (event) => this.light(bciOf(event), list));
    return h("section", { class: `column ${name}` }, h("header", {}, head), list);
  }

  // Highlights the lines of a bytecode in all lists, and scrolls the lists to these lines. `from`, the list under the
  // pointer, is highlighted but not scrolled.
  private light(bci: number, from: HTMLElement | undefined, scrolls = true) {
    for (const element of this.lines.get(this.bci) ?? []) element.classList.remove("lit");
    this.bci = bci;
    const scrolled = new Set<Element | null>();
    for (const element of this.lines.get(bci) ?? []) {
      element.classList.add("lit");
      const list = element.parentElement!;
      if (!scrolls || list === from || scrolled.has(list)) continue;
      scrolled.add(list);
      const [above, height] = [element.offsetTop - list.offsetTop, list.clientHeight];
      if (above < list.scrollTop || above > list.scrollTop + height - 40) list.scrollTop = above - height / 3;
    }
  }
}
