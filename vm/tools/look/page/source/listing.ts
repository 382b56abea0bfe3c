// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Splits the listings of a compiled method into lines, each with the index of its bytecode. The VM prints:
//
//   bytecode   with a profile (vm/interpreter/print_method_data.cpp), or without (vm/bytecode_disassembler.h)
//   assembly   comments name the bytecode (jit/graph/lower/annotations.cpp, jit/baseline): for inlined code,
//              that of the call
//   graph      @bci in nodes with a FrameState

export interface Listing {
  event: number; // `compiled`
  level: number;
  source: string; // name of the source file of the method's class
  bytecode: string;
  assembly: string;
  graph: string;
}

export interface Line {
  text: string;
  bci: number; // -1: none
  kind: "code" | "comment" | "exit" | "label" | "source" | "note";
}

const NOTE = "              ";

// `sourceLine(number)` returns the line of the source, or "" if the page does not have it.
export function bytecodeLines(listing: Listing, sourceLine: (line: number) => string): Line[] {
  const lines: Line[] = [];
  const lineOf = linesOfBytecodes(listing.assembly);
  let waiting: string[] = []; // lines that belong to the next bytecode, because the VM prints them above it
  let [bci, last] = [-1, -1];
  for (const text of listing.bytecode.split("\n")) {
    const [, line, number, words] = /^(.{6}) ([ \d]{4}\d): (.*)$/.exec(text) ?? /^()( *\d+): (.*)$/.exec(text) ?? [];
    if (number !== undefined) {
      bci = Number(number);
      const now = line.trim() === "" ? (lineOf.get(bci) ?? last) : Number(line);
      if (now !== last && now > 0) lines.push({ text: `${now}  ${sourceLine(now)}`, bci, kind: "source" });
      last = now;
      lines.push(...waiting.map((note): Line => ({ text: note, bci, kind: "note" })));
      waiting = [];
      lines.push({ text: `${String(bci).padStart(5)}: ${words}`, bci, kind: "code" });
    } else if (text.startsWith(NOTE)) {
      if (text.trimStart().startsWith("loop:")) waiting.push(text.trim());
      else lines.push({ text: text.trim(), bci, kind: "note" });
    } else if (/^ {2}(calls|\d+\.\.)/.test(text)) lines.push({ text: text.trim(), bci: -1, kind: "note" });
  }
  return lines;
}

const places = /\bbci (\d+)(?: line (\d+))?/g;

function linesOfBytecodes(assembly: string): Map<number, number> {
  const found = new Map<number, number>();
  for (const [, bci, line] of assembly.matchAll(/^; bci (\d+) line (\d+) /gm)) found.set(Number(bci), Number(line));
  return found;
}

export function assemblyLines(listing: Listing): Line[] {
  let bci = -1;
  return trimmed(listing.assembly).map((raw): Line => {
    const text = raw.replaceAll("\t", " ").trimEnd();
    if (!text.startsWith(";")) return { text, bci, kind: /^\w+:$/.test(text) ? "label" : "code" };
    const all = [...text.matchAll(places)];
    const outermost = text.includes(", in ") ? all.at(-1) : all[0];
    bci = outermost === undefined ? -1 : Number(outermost[1]);
    return { text, bci, kind: /^; deoptimizes/.test(text) ? "exit" : "comment" };
  });
}

export const graphLines = (listing: Listing): Line[] =>
  trimmed(listing.graph).map((text): Line => {
    const bci = Number(/ @(\d+)\b/.exec(text)?.[1] ?? -1);
    return { text, bci, kind: /^b\d+/.test(text) ? "label" : / guard /.test(text) ? "exit" : "code" };
  });

// Returns for each bytecode the reasons for which the code may be deoptimized there.
export function exitsOf(listing: Listing): Map<number, string[]> {
  const exits = new Map<number, string[]>();
  for (const { text, bci, kind } of assemblyLines(listing)) {
    const reason = kind === "exit" ? /^; deoptimizes: (.*?), at /.exec(text)?.[1] : undefined;
    if (reason === undefined) continue;
    const known = exits.get(bci) ?? [];
    if (!known.includes(reason)) exits.set(bci, [...known, reason]);
  }
  return exits;
}

const trimmed = (text: string) =>
  text
    .replace(/\s+$/, "")
    .split("\n")
    .filter((line, place) => place > 0 || line !== "");
