// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Events in words.
import { shortClass, type Event, type Field, type Recording } from "./data";

export interface Word {
  name: string;
  text: string;
  object?: number; // where it names one
  thread?: number;
  site?: number; // the text that names a place in the program
}

// The methods of a stack, innermost first.
const stackWords = (recording: Recording, stack: number) =>
  recording
    .sitesOf(stack)
    .reverse()
    .map((site) => shortSite(recording.text(site)))
    .join(" ← ");

function wordOf(recording: Recording, [type, name]: Field, value: number): Word | undefined {
  switch (type) {
    case "nothing":
      return undefined;
    case "object":
      return value === 0 ? undefined : { name, text: recording.objectName(value), object: value };
    case "thread":
      return { name, text: recording.threadName(value), thread: value };
    case "site":
      return value === 0 ? undefined : { name, text: recording.text(value), site: value };
    case "text":
      return value === 0 ? undefined : { name, text: recording.text(value) };
    case "stack":
      return { name, text: stackWords(recording, value) };
    case "address":
      return { name, text: `0x${(value * 8).toString(16)}` };
    case "bytes":
      return { name, text: `${value} bytes` };
    default:
      return { name, text: String(value) };
  }
}

export function wordsOf(recording: Recording, event: Event): Word[] {
  const kind = recording.head.kinds[event.kind];
  const [a, b, detail] = kind.fields;
  const known = kind.words[event.detail];
  return [
    wordOf(recording, a, event.a),
    wordOf(recording, b, event.b),
    known !== undefined ? { name: detail[1], text: known } : wordOf(recording, detail, event.detail),
  ].filter((word) => word !== undefined);
}

// Shortens a site: "bank.Account.pay(Account.java:12) bci 4" -> "Account.pay:12".
export function shortSite(site: string): string {
  const match = /^(.*?)\(([^)]*)\)/.exec(site);
  if (match === null) return site;
  const dot = match[1].lastIndexOf(".");
  const line = /:(\d+)$/.exec(match[2])?.[1];
  return `${shortClass(match[1].slice(0, dot))}${match[1].slice(dot)}${line === undefined ? "" : `:${line}`}`;
}

// Shortens a method's name: "boolean bank.Account.pay(java.lang.Object, int)" -> "Account.pay(Object, int)".
export function shortMethod(method: string): string {
  const [head, parameters] = method.split("(", 2);
  const name = head.slice(head.lastIndexOf(" ") + 1);
  const dot = name.lastIndexOf(".");
  const short = (parameters ?? "").replace(/\)$/, "").split(", ").map(shortClass).join(", ");
  return `${shortClass(name.slice(0, dot))}${name.slice(dot)}(${short})`;
}
