// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The stacks of execution samples as a tree, whose root stands for all samples. Below a method are the methods that it
// has called. Stacks in a recording: runtime/recorder/stacks.h.
import type { Recording } from "./data";

export interface Frame {
  name: string; // of the method
  caller: Frame | undefined; // undefined: the root
  depth: number; // of the root: 0
  samples: number; // with this frame in their stacks
  own: number; // with this frame innermost
  sites: Map<number, number>; // the places in the method, with their numbers of samples
  callees: Frame[]; // by name
  event: number; // the first sample
}

export interface Profile {
  root: Frame;
  depth: number; // of the deepest frame
  threads: Map<number, number>; // samples by thread, of all threads
}

// "Bank.pay(Bank.java:12) bci 4" -> "Bank.pay"
export const methodOf = (site: string) => site.split("(", 1)[0];

function frameOf(name: string, caller: Frame | undefined, event: number): Frame {
  const depth = caller === undefined ? 0 : caller.depth + 1;
  return { name, caller, depth, samples: 0, own: 0, sites: new Map(), callees: [], event };
}

// Makes the tree of the samples from `from` to `until`, of one thread, or of all threads if `thread` is 0.
export function profileOf(recording: Recording, from: number, until: number, thread: number): Profile {
  const { samples } = recording;
  const threads = new Map<number, number>();
  const stacks = new Map<number, { count: number; event: number }>();
  for (let row = 0; row < samples.rows; row++) {
    if (samples.time[row] < from || samples.time[row] > until) continue;
    threads.set(samples.thread[row], (threads.get(samples.thread[row]) ?? 0) + 1);
    if (thread !== 0 && samples.thread[row] !== thread) continue;
    const known = stacks.get(samples.stack[row]);
    if (known === undefined) stacks.set(samples.stack[row], { count: 1, event: samples.event[row] });
    else known.count++;
  }
  const profile = { root: frameOf("all", undefined, -1), depth: 0, threads };
  const frames = new Map<Frame, Map<string, Frame>>();
  for (const [stack, { count, event }] of stacks) {
    let frame = profile.root;
    frame.samples += count;
    for (const site of recording.sitesOf(stack)) {
      const callees = frames.get(frame) ?? new Map<string, Frame>();
      frames.set(frame, callees);
      const name = methodOf(recording.text(site));
      const callee = callees.get(name) ?? frameOf(name, frame, event);
      callees.set(name, callee);
      frame = callee;
      frame.samples += count;
      frame.sites.set(site, (frame.sites.get(site) ?? 0) + count);
    }
    frame.own += count;
    profile.depth = Math.max(profile.depth, frame.depth);
  }
  for (const [frame, callees] of frames)
    frame.callees = [...callees.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  return profile;
}

export interface Method {
  name: string;
  samples: number; // with the method in their stacks, each counted once, although the method may call itself
  own: number; // with the method innermost
  event: number;
}

// Sums up the frames of each method, those with the most samples of their own first.
export function methodsOf(root: Frame): Method[] {
  const methods = new Map<string, Method>();
  const visit = (frame: Frame, callers: Set<string>) => {
    let method = methods.get(frame.name);
    if (method === undefined) {
      method = { name: frame.name, samples: 0, own: 0, event: frame.event };
      methods.set(frame.name, method);
    }
    method.own += frame.own;
    const isOutermost = !callers.has(frame.name);
    if (isOutermost) {
      method.samples += frame.samples;
      callers.add(frame.name);
    }
    for (const callee of frame.callees) visit(callee, callers);
    if (isOutermost) callers.delete(frame.name);
  };
  for (const frame of root.callees) visit(frame, new Set());
  return [...methods.values()].sort((one, other) => other.own - one.own || other.samples - one.samples);
}
