// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the place in the program of each step. An algorithm's step has no site. The site comes from the event of the
// operation that the thread executes. The operation's event precedes its steps if the operation releases the lock or
// requests the hash, and follows them if it acquires the lock. vm/tools/recording/lock_steps.h S2 does the same in C++,
// and tests/launcher/look.py compares the two.
import type { Recording } from "./data";
import { unpack } from "./reconstruction";
import type { Step } from "./types";

// `steps` are the steps of one object.
export function giveSites(recording: Recording, steps: Step[]) {
  const { kinds, pictures } = recording.head;
  const name = (step: Step) => kinds[step.kind].name;
  const own = (step: Step) => (isOperation(recording, step) ? step.site : 0);
  const found = steps.map((step, place) => {
    if (name(step) === "object") return nextBy(steps, place, (other) => other.site !== 0)?.site ?? 0;
    if (name(step) === "hash") return askedAt(recording, steps, place);
    if (name(step) !== "lock_change" || pictures === undefined) return step.site;
    const [change, owner] = pictures.steps[unpack(step.detail).step] ?? [];
    // The deflater or a collection does these steps, so they have no place in Java code.
    if (change === undefined || change === "deflated" || change === "unhashed") return 0;
    const asked = askedAt(recording, steps, place);
    if (asked !== 0) return asked;
    let before: Step | undefined;
    for (let other = place - 1; other >= 0 && before === undefined; other--)
      if (steps[other].thread === step.thread && own(steps[other]) !== 0) before = steps[other];
    const letsGo = before !== undefined && ["lock_exit", "wait_begin"].includes(name(before));
    const isOwnGain = step.subject === step.thread && owner !== "nobody";
    if (letsGo && !isOwnGain) return own(before!);
    return nextBy(steps, place, (other) => own(other) !== 0)?.site ?? (before === undefined ? 0 : own(before));
  });
  for (const [place, step] of steps.entries()) step.site = found[place];
}

const isOperation = ({ head }: Recording, { kind }: Step) =>
  head.kinds[kind].fields[1][0] === "site" && head.kinds[kind].name !== "hash_asked";

// Returns the site of the hash request that the thread has begun and not finished, or 0.
function askedAt(recording: Recording, steps: Step[], place: number): number {
  for (let other = place - 1; other >= 0; other--) {
    if (steps[other].thread !== steps[place].thread) continue;
    const { name } = recording.head.kinds[steps[other].kind];
    if (name === "hash_asked") return steps[other].site;
    if (name === "hash" || isOperation(recording, steps[other])) return 0;
  }
  return 0;
}

function nextBy(steps: Step[], place: number, is: (step: Step) => boolean): Step | undefined {
  for (let other = place + 1; other < steps.length; other++)
    if (steps[other].thread === steps[place].thread && is(steps[other])) return steps[other];
  return undefined;
}
