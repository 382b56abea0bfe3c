// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the data that vm/tools/look/page_data.cpp has written. Each block is unpacked at its first use.
import { decompress } from "fzstd";
import type { Listing } from "./listing";
import type { Comparison, Family, LockRules, StepRow } from "./types";

export type Instance = [amount: number, event: number];
export type Field = [type: string, name: string];

export interface Kind {
  name: string;
  family: string;
  sentence: string;
  rule: string; // the rule that allows events of this kind; "": they need none, or each has its own
  fields: [Field, Field, Field]; // a, b, detail
  words: Record<string, string>; // of detail
}

export interface HotObject {
  object: number;
  class: number;
  enters: number;
  contended: number;
  waited: number;
  longest: Instance;
  jain: number | null;
  takers: [thread: number, enters: number, whileCompeting: number][];
}

export interface Numbers {
  enters: number;
  contended: number;
  futile: number;
  most_futile: Instance;
  unfinished: [count: number, longest: Instance]; // contended enters that still wait when the recording ends
  waits: Record<"p50" | "p90" | "p99" | "p999" | "longest", Instance>;
  histogram: [from: number, count: number, longest: Instance][];
  hot: HotObject[];
}

// The target of a link in a sentence: a view, and what to select in it (vm/tools/recording/findings.h).
export interface Place {
  view: string;
  thread: number;
  object: number;
  event: number; // -1 = none
  begin: number; // both 0: the whole recording
  end: number;
}
export type Sentence = [text: string, place?: Place][];
export interface Finding {
  topic: string;
  is_problem: boolean;
  headline: Sentence;
  reasons: Sentence[];
}

type EventBlock = [block: number, from: number, until: number, rows: number];
export type Head = {
  program: string;
  mode: string;
  source: [name: string, text: string]; // the source, if the program is a single file
  complete: boolean;
  problem: string;
  begin: number;
  end: number;
  count: number;
  texts: number;
  findings: Finding[];
  // the program's platform threads, its virtual threads, the others
  threads: [id: number, name: string, begin: number, end: number, events: number, isOwn: number, isVirtual: number][];
  levels: { width: number; blocks: [block: number, from: number, until: number, rows: number][] }[];
  pauses: [
    begin: number,
    end: number,
    kind: number,
    collection: number,
    thread: number,
    event: number,
    phases: [name: number, begin: number][],
    works: [thread: number, worker: number, begin: number, end: number][],
  ][];
  tierChanges: number;
  regions: [block: number, count: number, bytes: number];
  safepoints: [number, number, number, number, number, number][];
  numbers: Numbers;
  code: number;
  samples: number;
  listings?: { full: boolean; methods: [method: number, block: number][] }; // listings that --code has selected
  objects: [block: number, rows: number][];
  events: EventBlock[];
  kinds: Kind[];
  // for each phase of a collection: the rule by which this phase moves objects; the key "" stands for all other phases
  moves: Record<string, string>;
  pictures?: { family: Family; steps: StepRow[] } & LockRules; // present if each step of a lock was recorded
};

// A page with several recordings shows each in a frame. The frames read the blocks of the page around them.
export const side = document.body.dataset.side;
const home = side === undefined ? document : parent.document;
const prefixOf = (side: string | undefined) => (side === undefined ? "" : `side-${side}-`);

// Returns the content of a block's element, if the browser has read it yet.
function bytesOf(block: number, prefix: string): Uint8Array {
  const element = home.getElementById(`${prefix}block-${block}`);
  if (element === null) throw new Error(`block ${block} is not there yet`);
  const text = element.textContent!;
  const decode = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array }).fromBase64;
  if (decode !== undefined) return decode.call(Uint8Array, text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

// Block 0: the head of a recording or of a comparison.
export const readHead = () => headOf<Head | { comparison: Comparison }>(side);
const headOf = <Kind>(side: string | undefined) => JSON.parse(textOf(decompress(bytesOf(0, prefixOf(side))))) as Kind;
// The heads of the recordings that this page shows side by side; none if it shows only one, or is one of the frames.
export function readSides(): Head[] {
  const count = side === undefined ? document.querySelectorAll('[id^="side-"][id$="-block-0"]').length : 0;
  return Array.from({ length: count }, (_, place) => headOf<Head>(String(place)));
}

const unpack = (block: number) => decompress(bytesOf(block, prefixOf(side)));
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

type Column = Float64Array | Uint32Array | Uint16Array | Uint8Array;

// columns.h
function columnsOf(block: number): { rows: number; columns: Column[] } {
  const bytes = unpack(block);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const rows = view.getUint32(0, true);
  const count = view.getUint32(4, true);
  let at = 8 + 2 * count;
  const columns: Column[] = [];
  for (let i = 0; i < count; i++) {
    const width = bytes[8 + 2 * i];
    const differences = bytes[9 + 2 * i] !== 0;
    columns.push(columnOf(bytes, at, rows, width, differences));
    at += rows * width;
  }
  return { rows, columns };
}

function columnOf(bytes: Uint8Array, at: number, rows: number, width: number, differences: boolean): Column {
  if (width === 1) return bytes.subarray(at, at + rows);
  if (width === 2) {
    const values = new Uint16Array(rows);
    for (let i = 0; i < rows; i++) values[i] = bytes[at + i] | (bytes[at + rows + i] << 8);
    return values;
  }
  const low = new Uint32Array(rows);
  const [b1, b2, b3] = [at + rows, at + 2 * rows, at + 3 * rows];
  for (let i = 0; i < rows; i++)
    low[i] = bytes[at + i] | (bytes[b1 + i] << 8) | (bytes[b2 + i] << 16) | (bytes[b3 + i] << 24);
  if (width === 4) {
    if (differences) for (let i = 1; i < rows; i++) low[i] += low[i - 1];
    return low;
  }
  const values = new Float64Array(rows);
  const [b4, b5] = [at + 4 * rows, at + 5 * rows];
  for (let i = 0, before = 0; i < rows; i++) {
    const value = low[i] + (bytes[b4 + i] + bytes[b5 + i] * 256) * 2 ** 32;
    before = differences ? before + value : value;
    values[i] = before;
  }
  return values;
}

export interface Slices {
  rows: number;
  begin: Float64Array;
  length: Float64Array;
  thread: Uint32Array;
  doing: Uint8Array;
  object: Uint32Array;
  owner: Uint32Array;
  site: Uint32Array;
  ownerSite: Uint32Array;
  event: Uint32Array;
  shares: Uint8Array[];
}

export interface Slice {
  begin: number;
  end: number;
  thread: number;
  doing: number;
  object: number;
  owner: number;
  site: number;
  ownerSite: number;
  event: number;
  // in a merged slice: the shares of time blocked, waiting, parked, sleeping, in 255ths; otherwise empty
  shares: number[];
}

export interface Events {
  first: number; // number of the first event of the block
  rows: number;
  time: Float64Array;
  thread: Uint32Array;
  kind: Uint8Array;
  detail: Uint16Array;
  a: Uint32Array;
  b: Uint32Array;
}

export interface Event {
  number: number;
  time: number;
  thread: number;
  kind: number;
  detail: number;
  a: number;
  b: number;
}

export interface Objects {
  count: number;
  class: Uint32Array;
  events: Uint32Array;
  firstEvent: Uint32Array;
  lastEvent: Uint32Array;
  enters: Uint32Array;
  contended: Uint32Array;
  waits: Uint32Array;
  inflations: Uint32Array;
  waited: Float64Array;
}

export interface Code {
  rows: number;
  time: Float64Array;
  retired: Uint8Array;
  method: Uint32Array;
  b: Uint32Array; // bytes, or the reason
  level: Uint8Array;
  thread: Uint32Array;
  event: Uint32Array;
}

// The table of frames that were deoptimized, or that entered compiled code at a loop (OSR).
export interface TierChanges {
  rows: number;
  time: Float64Array;
  left: Uint8Array;
  method: Uint32Array;
  site: Uint32Array;
  detail: Uint16Array; // the deopt reason, or the level of the code that was entered
  thread: Uint32Array;
  event: Uint32Array;
}

export interface Regions {
  rows: number;
  time: Float64Array;
  region: Uint32Array;
  used: Uint32Array; // bytes
  change: Uint16Array; // its words: kinds
  state: Uint8Array; // the region's state after the change: gc::RegionState
  generation: Uint8Array; // gc::Generation
  event: Uint32Array;
}

// The table of execution samples.
export interface Samples {
  rows: number;
  time: Float64Array;
  thread: Uint32Array;
  stack: Uint32Array;
  event: Uint32Array;
}

export interface Thread {
  id: number;
  name: string;
  begin: number;
  end: number;
  events: number;
  isOwn: boolean; // false for threads of the VM and the class library
  isVirtual: boolean;
}

// Returns whether the thread waits for the owner of a lock: a monitor, or a lock of java.util.concurrent.
export const waitsForLock = (slice: Slice) =>
  slice.doing === Doing.blocked || (slice.doing === Doing.parked && slice.owner !== 0);

export const doingNames = ["running", "blocked", "waiting", "parked", "sleeping"];
export const meanings = [
  "it runs, or is ready to run",
  "it waits for a monitor, to enter a synchronized block or method",
  "it is in Object.wait, and waits for a notify",
  "it is in LockSupport.park, for instance in a lock, a queue or a pool of java.util.concurrent",
  "it is in Thread.sleep",
];
export const enum Doing {
  running,
  blocked,
  waiting,
  parked,
  sleeping,
}

// A cache that keeps the most recently used entries.
class Cache<Value> {
  private values = new Map<number, Value>();
  constructor(
    private most: number,
    private make: (key: number) => Value,
  ) {}
  get(key: number): Value {
    let value = this.values.get(key);
    if (value === undefined) value = this.make(key);
    else this.values.delete(key);
    this.values.set(key, value);
    if (this.values.size > this.most) this.values.delete(this.values.keys().next().value!);
    return value;
  }
}

export class Recording {
  readonly head: Head;
  readonly threads: Thread[];
  readonly kindNumbers = new Map<string, number>();
  private texts: string[];
  private threadPlaces = new Map<number, number>();
  private firsts: number[] = []; // for each block of events: the number of its first event
  private eventBlocks = new Cache<Events>(64, (place) => this.readEvents(place));
  private sliceBlocks = new Cache<Slices>(64, (block) => readSlices(block));
  private objectTable: Objects | undefined;
  private lines: string[] | undefined; // the lines of the source
  private codeTable: Code | undefined;
  private sampleTable: Samples | undefined;

  constructor(head: Head) {
    this.head = head;
    this.texts = textOf(unpack(this.head.texts)).split("\0");
    this.threads = this.head.threads.map(([id, name, begin, end, events, isOwn, isVirtual]) => ({
      id,
      name,
      begin,
      end,
      events,
      isOwn: isOwn !== 0,
      isVirtual: isVirtual !== 0,
    }));
    for (const [place, thread] of this.threads.entries()) this.threadPlaces.set(thread.id, place);
    for (const [number, kind] of this.head.kinds.entries()) this.kindNumbers.set(kind.name, number);
    let first = 0;
    for (const block of this.head.events) {
      this.firsts.push(first);
      first += block[3];
    }
  }

  // Returns whether the browser has read all blocks, including those after the ones that are drawn immediately.
  get isWhole() {
    return home.readyState !== "loading";
  }
  // Returns the line of the program's source that a site names, without its indentation.
  sourceLine(site: string): string {
    const [name, text] = this.head.source;
    const match = /\(([^():]+):(\d+)\)/.exec(site);
    if (match === null || match[1] !== name) return "";
    this.lines ??= text.split("\n");
    return (this.lines[Number(match[2]) - 1] ?? "").trim();
  }

  get begin() {
    return this.head.begin;
  }
  get end() {
    return Math.max(this.head.end, this.head.begin + 1);
  }

  text(number: number): string {
    return number === 0 ? "" : (this.texts[number] ?? "?");
  }
  place(thread: number): number {
    return this.threadPlaces.get(thread) ?? -1;
  }
  threadName(id: number): string {
    const place = this.place(id);
    return place >= 0 ? this.threads[place].name : id === 0 ? "nobody" : `thread ${id}`;
  }
  kind(name: string): number {
    return this.kindNumbers.get(name) ?? -1;
  }

  // Calls body() for each slice that overlaps the time from `from` to `until`, once for each block that has the slice.
  // Takes the slices of the coarsest level whose width is at most `nanoseconds`; until isWhole, of the coarsest of all.
  forEachSlice(from: number, until: number, nanoseconds: number, body: (block: Slices, row: number) => void) {
    const { levels } = this.head;
    const level = this.isWhole
      ? (levels.find((each) => each.width <= nanoseconds) ?? levels[levels.length - 1])
      : levels[0];
    for (const [block, begin, end] of level.blocks) {
      if (begin > until || end < from) continue;
      const slices = this.sliceBlocks.get(block);
      for (let row = 0; row < slices.rows; row++) {
        const start = slices.begin[row];
        if (start > until) break;
        if (start + slices.length[row] >= from) body(slices, row);
      }
    }
  }

  // Returns the exact slice of a thread at a time.
  sliceAt(thread: number, time: number): Slice | undefined {
    let found: Slice | undefined;
    this.forEachSlice(time, time, 0, (block, row) => {
      if (block.thread[row] === thread && block.begin[row] <= time && time < block.begin[row] + block.length[row])
        found = sliceOf(block, row);
    });
    return found;
  }

  // Returns the thread's nearest exact slice after a time (`forward`) or before it. Only the slice's begin counts.
  neighbour(thread: number, time: number, forward: boolean): Slice | undefined {
    const blocks = this.head.levels[this.head.levels.length - 1].blocks;
    const order = forward ? blocks : [...blocks].reverse();
    for (const [block, from, until] of order) {
      if (forward ? until < time : from > time) continue;
      const slices = this.sliceBlocks.get(block);
      let best = -1;
      for (let row = 0; row < slices.rows; row++) {
        if (slices.thread[row] !== thread) continue;
        const begin = slices.begin[row];
        if (forward && begin > time) return sliceOf(slices, row);
        if (!forward && begin < time) best = row;
      }
      if (best >= 0) return sliceOf(slices, best);
    }
    return undefined;
  }

  blockOf(event: number): number {
    let low = 0,
      high = this.firsts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.firsts[middle] <= event) low = middle;
      else high = middle - 1;
    }
    return low;
  }
  get blockCount() {
    return this.firsts.length;
  }
  events(place: number): Events {
    return this.eventBlocks.get(place);
  }
  event(number: number): Event {
    const block = this.events(this.blockOf(number));
    return eventOf(block, number - block.first);
  }
  // Returns the number of the first event at or after a time. If there is none, returns the total number of events.
  eventAt(time: number): number {
    const blocks = this.head.events;
    let place = 0;
    while (place < blocks.length && blocks[place][2] < time) place++;
    if (place === blocks.length) return this.head.count;
    const block = this.events(place);
    let low = 0,
      high = block.rows;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (block.time[middle] < time) low = middle + 1;
      else high = middle;
    }
    return block.first + low;
  }
  private readEvents(place: number): Events {
    const { rows, columns } = columnsOf(this.head.events[place][0]);
    const [time, thread, kind, detail, a, b] = columns as [
      Float64Array,
      Uint32Array,
      Uint8Array,
      Uint16Array,
      Uint32Array,
      Uint32Array,
    ];
    return { first: this.firsts[place], rows, time, thread, kind, detail, a, b };
  }

  get objects(): Objects {
    this.objectTable ??= readObjects(this.head.objects.map(([block]) => columnsOf(block)));
    return this.objectTable;
  }
  objectName(object: number): string {
    if (!this.isWhole) return `object ${object}`;
    const name = this.text(this.objects.class[object] ?? 0);
    return name === "" ? `object ${object}` : `${shortClass(shownClass(name))} ${object}`;
  }
  // Returns whether the recording has listings of a method. `method` is the number of the text that is its name.
  // Without recorded listings, listings() returns an empty list.
  hasListings(method: number) {
    return this.head.listings?.methods.some(([text]) => text === method) ?? false;
  }
  listings(method: number): Listing[] {
    const found = this.head.listings?.methods.find(([text]) => text === method);
    return found === undefined ? [] : (JSON.parse(textOf(unpack(found[1]))) as Listing[]);
  }

  get code(): Code {
    if (this.codeTable === undefined) {
      const { rows, columns } = columnsOf(this.head.code);
      const [time, retired, method, b, level, thread, event] = columns as [
        Float64Array,
        Uint8Array,
        Uint32Array,
        Uint32Array,
        Uint8Array,
        Uint32Array,
        Uint32Array,
      ];
      this.codeTable = { rows, time, retired, method, b, level, thread, event };
    }
    return this.codeTable;
  }

  get samples(): Samples {
    if (this.sampleTable === undefined) {
      const { rows, columns } = columnsOf(this.head.samples);
      const [time, thread, stack, event] = columns as [Float64Array, Uint32Array, Uint32Array, Uint32Array];
      this.sampleTable = { rows, time, thread, stack, event };
    }
    return this.sampleTable;
  }
  // Returns the sites of a stack, outermost first (runtime/recorder/stacks.h). A caller's stack has a smaller number.
  sitesOf(stack: number): number[] {
    const sites: number[] = [];
    while (stack !== 0) {
      const [caller, site] = this.text(stack).split(" ").map(Number);
      if (!(caller < stack)) break;
      sites.push(site);
      stack = caller;
    }
    return sites.reverse();
  }

  get tierChanges(): TierChanges {
    const { rows, columns } = columnsOf(this.head.tierChanges);
    const [time, left, method, site, detail, thread, event] = columns as [
      Float64Array,
      Uint8Array,
      Uint32Array,
      Uint32Array,
      Uint16Array,
      Uint32Array,
      Uint32Array,
    ];
    return { rows, time, left, method, site, detail, thread, event };
  }

  get regions(): Regions {
    const { rows, columns } = columnsOf(this.head.regions[0]);
    const [time, region, used, change, state, generation, event] = columns as [
      Float64Array,
      Uint32Array,
      Uint32Array,
      Uint16Array,
      Uint8Array,
      Uint8Array,
      Uint32Array,
    ];
    return { rows, time, region, used, change, state, generation, event };
  }

  json<Value>(block: number): Value {
    return JSON.parse(textOf(unpack(block))) as Value;
  }
}

// A class's name as a user of it knows it: "java.util.concurrent.locks.ReentrantLock$FairSync" is a ReentrantLock.
const shownClass = (name: string) => (name.startsWith("java.util.concurrent.") ? name.split("$")[0] : name);
export const shortClass = (name: string) => name.slice(name.lastIndexOf(".") + 1);

export function sliceOf(block: Slices, row: number): Slice {
  const shares = block.shares.map((share) => share[row]);
  return {
    begin: block.begin[row],
    end: block.begin[row] + block.length[row],
    thread: block.thread[row],
    doing: block.doing[row],
    object: block.object[row],
    owner: block.owner[row],
    site: block.site[row],
    ownerSite: block.ownerSite[row],
    event: block.event[row],
    shares: shares.some((share) => share !== 0) ? shares : [],
  };
}

export function eventOf(block: Events, row: number): Event {
  return {
    number: block.first + row,
    time: block.time[row],
    thread: block.thread[row],
    kind: block.kind[row],
    detail: block.detail[row],
    a: block.a[row],
    b: block.b[row],
  };
}

function readSlices(block: number): Slices {
  const { rows, columns } = columnsOf(block);
  const [begin, length, thread, doing, object, owner, site, ownerSite, event, ...shares] = columns as [
    Float64Array,
    Float64Array,
    Uint32Array,
    Uint8Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
    ...Uint8Array[],
  ];
  return { rows, begin, length, thread, doing, object, owner, site, ownerSite, event, shares };
}

function readObjects(blocks: { rows: number; columns: Column[] }[]): Objects {
  const count = blocks.reduce((sum, block) => sum + block.rows, 0);
  const whole = (column: number): Uint32Array => {
    const values = new Uint32Array(count);
    let at = 0;
    for (const block of blocks) {
      values.set(block.columns[column], at);
      at += block.rows;
    }
    return values;
  };
  const waited = new Float64Array(count);
  let at = 0;
  for (const block of blocks) {
    waited.set(block.columns[8], at);
    at += block.rows;
  }
  return {
    count,
    waited,
    class: whole(0),
    events: whole(1),
    firstEvent: whole(2),
    lastEvent: whole(3),
    enters: whole(4),
    contended: whole(5),
    waits: whole(6),
    inflations: whole(7),
  };
}
