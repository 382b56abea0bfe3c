// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the chain of threads that wait for each other at a given time.
import { type Recording, type Slice, waitsForLock } from "./data";

export interface Chain {
  time: number;
  links: Slice[]; // each slice waits for a lock whose owner is the thread of the next slice
  end: string; // text about the last owner: it runs, sleeps, or closes a deadlock
  isCycle: boolean;
}

export function chainOf(recording: Recording, slice: Slice, time = (slice.begin + slice.end) / 2): Chain {
  const links = [slice];
  const seen = new Set([slice.thread]);
  for (;;) {
    const { owner } = links[links.length - 1];
    const name = recording.threadName(owner);
    if (owner === 0) return { time, links, end: "nobody was seen holding that lock", isCycle: false };
    const next = recording.sliceAt(owner, time);
    if (seen.has(owner)) return { time, links, end: `${name} waits as well: a deadlock`, isCycle: true };
    if (next === undefined) return { time, links, end: `${name} runs`, isCycle: false };
    if (!waitsForLock(next)) {
      const words = ["runs", "is blocked", "waits in Object.wait", "is parked", "sleeps"][next.doing];
      return { time, links, end: `${name} ${words}`, isCycle: false };
    }
    seen.add(owner);
    links.push(next);
  }
}
