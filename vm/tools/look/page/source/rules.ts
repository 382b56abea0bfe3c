// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds rules by number and file, such as "R2 of lightweight.h". vm/tools/recording/rules.h decides which rule allows a
// step, and the page's head contains these decisions. The build extracts a rule's text from the file that defines it.
import type { Recording } from "./data";
import { h } from "./dom";
import { unpack } from "./reconstruction";
import texts from "./rules.json";
import type { OwnPicture, Step } from "./types";

// Returns the text of a rule, or an empty string if there is no such rule.
export function sentenceOfRule(rule: string): string {
  const [number, file] = rule.split(" of ");
  return (texts as Record<string, Record<string, string>>)[file]?.[number] ?? "";
}

export const ruleInWords = (rule: string) =>
  rule === ""
    ? ""
    : h(
        "span",
        { class: "rule", title: `${rule}: ${sentenceOfRule(rule)}` },
        h("b", {}, rule),
        `: ${sentenceOfRule(rule)}`,
      );

// `before` and `after` are the lock's pictures before and after the event.
export function ruleOf(
  recording: Recording,
  kind: number,
  detail: number,
  thread: number,
  time: number,
  before: OwnPicture | undefined,
  after: OwnPicture | undefined,
): string {
  const { kinds, pictures, moves } = recording.head;
  const { name, rule } = kinds[kind];
  if (name === "moved") {
    const phase = phaseAt(recording, time);
    return phase === "" ? "" : (moves[phase] ?? moves[""]);
  }
  if (pictures === undefined || before === undefined || after === undefined) return rule;
  if (name === "lock_change") return pictures.rules[detail] ?? "";
  const tookIt = before.owner !== thread && after.owner === thread;
  const keepsIt = before.owner === thread && after.owner === thread;
  if (name === "lock_enter") return tookIt ? pictures.takes[before.header] : levels(after.levels > 1);
  if (name === "lock_exit")
    return before.owner === thread && after.owner === 0
      ? pictures.lets_go[before.header]
      : levels(keepsIt && after.levels < before.levels);
  return rule;

  function levels(changed: boolean) {
    return changed ? pictures!.level[before!.header] : "";
  }
}

// If the program requests a hash, the rules of identity hashes apply. If the algorithm needs a hash for itself, its own
// rules apply.
export function giveRulesOfHashes({ head }: Recording, steps: Step[]) {
  steps.forEach((step, place) => {
    const { step: change, rule } = unpack(step.detail);
    if (head.kinds[step.kind].name !== "lock_change" || rule !== 0) return;
    if (head.pictures?.steps[change]?.[0] !== "hashed") return;
    const next = steps.slice(place + 1).find((other) => other.thread === step.thread);
    const kind = next && head.kinds[next.kind];
    if (kind?.name === "hash") step.rule = kind.rule;
  });
}

// Returns the collection's phase at this time, or "" if the recording has none.
function phaseAt(recording: Recording, time: number): string {
  const { pauses } = recording.head;
  let low = 0,
    high = pauses.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pauses[middle][0] <= time) low = middle + 1;
    else high = middle;
  }
  const phases = pauses[low - 1]?.[6] ?? [];
  const phase = phases.filter(([, begin]) => begin <= time).at(-1);
  return phase === undefined ? "" : recording.text(phase[0]);
}
