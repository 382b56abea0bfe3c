// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The visible time interval and the selection, shared by all views. The page's address stores them
// (#view=heap&from=...).
import type { Recording, Slice } from "./data";

export const viewNames = ["findings", "threads", "object", "lock", "heap", "code", "numbers", "events", "profile"] as const;
export type ViewName = (typeof viewNames)[number];

export interface Shown {
  view: ViewName;
  from: number; // nanoseconds since the recording began
  until: number;
  time: number | undefined; // the cursor
  thread: number; // its id, 0 = none
  object: number; // 0 = none
  event: number; // -1 = none
}

// Where the page stores what it shows: parameters of a URL.
export interface Address {
  read(): string;
  write(words: string): void;
}
const ownAddress: Address = {
  read: () => location.hash.slice(1),
  write: (words) => history.replaceState(null, "", `#${words}`),
};

type Listener = (shown: Shown, change: Partial<Shown>) => void;

export class State {
  shown: Shown;
  slice: Slice | undefined; // selected, in `thread`
  chain: Slice[] = [];
  private listeners: Listener[] = [];

  constructor(
    private recording: Recording,
    private address: Address = ownAddress,
  ) {
    this.shown = {
      view: "findings",
      from: recording.begin,
      until: recording.end,
      time: undefined,
      thread: 0,
      object: 0,
      event: -1,
    };
    this.readAddress();
  }

  onChange(listener: Listener) {
    this.listeners.push(listener);
  }

  set(change: Partial<Shown>) {
    const next = { ...this.shown, ...change };
    const { begin, end } = this.recording;
    const shortest = Math.min(100, end - begin);
    const length = Math.min(Math.max(next.until - next.from, shortest), end - begin);
    next.from = Math.min(Math.max(next.from, begin), end - length);
    next.until = next.from + length;
    this.shown = next;
    for (const listener of this.listeners) listener(this.shown, change);
    this.writeAddress();
  }

  select(slice: Slice | undefined, chain: Slice[] = []) {
    this.slice = slice;
    this.chain = chain;
    if (slice === undefined) this.set({ thread: 0, time: undefined, event: -1 });
    else
      this.set({
        thread: slice.thread,
        time: slice.begin,
        event: slice.event,
        ...(slice.object !== 0 ? { object: slice.object } : {}),
      });
  }

  // Makes a time visible, with some time before and after it.
  goTo(begin: number, end: number, change: Partial<Shown> = {}) {
    const length = Math.max((end - begin) * 2, 2000);
    const middle = (begin + end) / 2;
    this.set({ from: middle - length / 2, until: middle + length / 2, time: begin, ...change });
  }

  zoom(factor: number, around?: number) {
    const { from, until, time } = this.shown;
    const seen = time !== undefined && time >= from && time <= until;
    const fixed = around ?? (seen ? time! : (from + until) / 2);
    this.set({ from: fixed - (fixed - from) * factor, until: fixed + (until - fixed) * factor });
  }
  pan(share: number) {
    const step = (this.shown.until - this.shown.from) * share;
    this.set({ from: this.shown.from + step, until: this.shown.until + step });
  }
  showAll() {
    this.set({ from: this.recording.begin, until: this.recording.end });
  }

  private writeAddress() {
    const { view, from, until, thread, object, event } = this.shown;
    const words = new URLSearchParams({ view });
    if (from !== this.recording.begin || until !== this.recording.end) {
      words.set("from", String(Math.round(from)));
      words.set("until", String(Math.round(until)));
    }
    if (thread !== 0) words.set("thread", String(thread));
    if (object !== 0) words.set("object", String(object));
    if (event >= 0) words.set("event", String(event));
    this.address.write(words.toString());
  }

  readAddress() {
    const words = new URLSearchParams(this.address.read());
    const number = (name: string, otherwise: number) => {
      const value = Number(words.get(name) ?? NaN);
      return Number.isFinite(value) ? value : otherwise;
    };
    const view = words.get("view") as ViewName;
    if (viewNames.includes(view)) this.shown.view = view;
    const from = number("from", this.recording.begin);
    const until = number("until", this.recording.end);
    if (from < until) Object.assign(this.shown, { from, until });
    this.shown.thread = number("thread", 0);
    this.shown.object = number("object", 0);
    this.shown.event = number("event", -1);
  }
}
