// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The page of several recordings, side by side: figures of all of them, and below a frame for each. A frame is the
// page of one recording (main.ts), which reads its blocks from this page. If the frames are linked, they show the same
// view and the same time.
import type { Head, Instance } from "./data";
import { h, table } from "./dom";
import { count, duration, percent } from "./format";
import type { Address, State } from "./state";

// What a frame gets from the page around it.
export interface Sides {
  begin: number; // nanoseconds: the time that all frames show, from the first event of all to the last
  end: number;
  address(side: number): Address;
  join(side: number, state: State): void;
}

// A row of the table of figures: its name, the figure of a recording, and how the figure is shown.
type Row = [name: string, of: (head: Head) => number, shown: (value: number, head: Head) => string];

const lengthOf = ([begin, end]: readonly number[]) => end - begin;
const pausesOf = (head: Head) => head.pauses.map((each) => each[1] - each[0]);
const amountOf = ([amount]: Instance) => amount;
const time = (value: number) => (value === 0 ? "none" : duration(value));
const rows: Row[] = [
  ["time", (head) => head.end - head.begin, duration],
  ["events", (head) => head.count, count],
  ["locks taken", (head) => head.numbers.enters, count],
  [
    "of these contended",
    (head) => head.numbers.contended,
    (value, head) => `${count(value)} (${percent(value / Math.max(head.numbers.enters, 1))})`,
  ],
  ["half of them waited at most", (head) => amountOf(head.numbers.waits.p50), time],
  ["longest wait for a lock", (head) => amountOf(head.numbers.waits.longest), time],
  ["waiting for a lock at the end", (head) => head.numbers.unfinished[0], count],
  ["futile wake-ups", (head) => head.numbers.futile, count],
  ["collections", (head) => head.pauses.length, count],
  ["all their pauses", (head) => pausesOf(head).reduce((sum, each) => sum + each, 0), time],
  ["longest pause", (head) => Math.max(0, ...pausesOf(head)), time],
  ["slowest stop at a safepoint", (head) => Math.max(0, ...head.safepoints.map(lengthOf)), time],
];

export class SidesPage implements Sides {
  readonly begin: number;
  readonly end: number;
  private states: (State | undefined)[];
  private words: string[]; // for each frame: its part of the address
  private isLinked: boolean;
  private isFollowing = false; // while the frames take over what one of them shows
  private link = h(
    "button",
    { type: "button", title: "all sides show the same view and the same time", onclick: () => this.setLinked(!this.isLinked) },
    "linked",
  );

  // `script`: the script of this page, which is also that of the frames.
  constructor(
    private heads: Head[],
    script: string,
  ) {
    this.begin = Math.min(...heads.map((head) => head.begin));
    this.end = Math.max(...heads.map((head) => head.end));
    this.states = heads.map(() => undefined);
    const address = new URLSearchParams(location.hash.slice(1));
    this.words = heads.map((_, place) => address.get(`side-${place}`) ?? "");
    this.isLinked = address.get("linked") !== "no";
    Object.assign(globalThis, { sides: this });
    document.title = `${heads.map((head) => head.program).join(", ")} – Keyhole`;
    const frames = heads.map((head) => h("iframe", { title: this.nameOf(head) }));
    document
      .getElementById("page")!
      .replaceChildren(
        h("header", {}, h("h1", {}, "Keyhole"), h("span", { class: "facts" }, "side by side"), h("div", { class: "tools" }, this.link)),
        h("details", { class: "figures", open: "" }, h("summary", {}, "Figures"), this.figures()),
        h("div", { class: "sides" }, ...frames),
      );
    this.setLinked(this.isLinked);
    const style = document.querySelector("style")!.textContent!;
    frames.forEach((frame, place) => {
      const inner = frame.contentDocument!;
      inner.open();
      inner.write(
        '<!doctype html><html lang="en"><head><meta name="color-scheme" content="light dark">',
        `<style>${style}</style></head><body data-side="${place}"><div id="page"></div>`,
        `<script>${script}</script></body></html>`,
      );
      inner.close();
    });
    frames[0].focus({ preventScroll: true });
    document.body.dataset.ready = "whole";
  }

  address(side: number): Address {
    return {
      read: () => this.words[side],
      write: (words) => {
        this.words[side] = words;
        this.writeAddress();
        if (this.isLinked && !this.isFollowing) this.follow(side);
      },
    };
  }
  join(side: number, state: State) {
    this.states[side] = state;
    if (this.isLinked && this.states.every((each) => each !== undefined)) this.follow(0);
  }

  private nameOf(head: Head) {
    return head.mode === "" ? head.program : `${head.program}, locks: ${head.mode}`;
  }

  private setLinked(isLinked: boolean) {
    this.isLinked = isLinked;
    this.link.setAttribute("aria-pressed", String(isLinked));
    if (isLinked) this.follow(0);
    this.writeAddress();
  }

  // Makes the other frames show the view and the time of this one.
  private follow(side: number) {
    const leader = this.states[side];
    if (leader === undefined) return;
    const { view, from, until } = leader.shown;
    this.isFollowing = true;
    for (const state of this.states) {
      if (state === undefined || state === leader) continue;
      const { shown } = state;
      if (shown.view !== view || shown.from !== from || shown.until !== until) state.set({ view, from, until });
    }
    this.isFollowing = false;
  }

  private writeAddress() {
    const words = new URLSearchParams(this.isLinked ? {} : { linked: "no" });
    for (const [place, each] of this.words.entries()) words.set(`side-${place}`, each);
    history.replaceState(null, "", `#${words}`);
  }

  // A row for each side, and below it the ratios to the first side.
  private figures(): Node {
    const { heads } = this;
    const [first] = heads;
    const name = (head: Head) => (heads.every((each) => each.program === first.program) ? head.mode : head.program);
    const ratio = (value: number, of: number) => (of === 0 ? "–" : (value / of).toFixed(2));
    const lines = heads.map((head) => [
      name(head),
      this.problems(head),
      ...rows.map(([, of, shown]) => shown(of(head), head)),
    ]);
    const ratios = heads.slice(1).map((head) => [
      `${name(head)} / ${name(first)}`,
      "",
      ...rows.map(([, of]) => ratio(of(head), of(first))),
    ]);
    return table(["", "what stands out", ...rows.map(([title]) => title)], [...lines, ...ratios], rows.map((_, place) => place + 2));
  }
  private problems(head: Head): string {
    const topics = head.findings.filter((each) => each.is_problem).map((each) => each.topic);
    return topics.length === 0 ? "nothing" : [...new Set(topics)].join(", ").replaceAll("_", " ");
  }
}
