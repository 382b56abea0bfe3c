// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the steps of one object, that is, the changes of its header and its lock, from the events that name it.
import type { Events, Recording } from "./data";
import { many } from "./format";
import { Reconstruction, unpack } from "./reconstruction";
import { giveRulesOfHashes, ruleOf } from "./rules";
import { giveSites } from "./sites";
import type { LockPicture, Step, Waiter } from "./types";

export interface Steps {
  object: number;
  total: number; // number of events that name the object
  skipped: number; // number of events that name the object before the first step
  isSeenFromStart: boolean;
  steps: Step[];
}

// To find the lock's state at the first step, at most this number of earlier blocks are read.
const MOST_BLOCKS = 48;

// Returns at most `most` steps of the object's lock, beginning at `time`. If the object has no step from then on,
// returns its last one.
export function stepsOf(recording: Recording, object: number, time: number, most: number): Steps {
  const { objects } = recording;
  const result: Steps = { object, total: objects.events[object], skipped: 0, isSeenFromStart: true, steps: [] };
  const [first, last] = [objects.firstEvent[object], objects.lastEvent[object]];
  const wanted = recording.eventAt(time);
  let place = recording.blockOf(first);
  const nearest = Math.max(recording.blockOf(Math.min(wanted, last)) - MOST_BLOCKS, 0);
  if (nearest > place) {
    place = nearest;
    result.isSeenFromStart = false;
  }
  const lock = new Lock(recording, object);
  for (; place < recording.blockCount && result.steps.length < most; place++) {
    const block = recording.events(place);
    if (block.first > last) break;
    for (let row = 0; row < block.rows && result.steps.length < most; row++) {
      if (block.a[row] !== object || !lock.names(block.kind[row])) continue;
      const step = lock.take(
        block.first + row,
        block.time[row],
        block.thread[row],
        block.kind[row],
        block.detail[row],
        block.b[row],
        () => saysMore(recording, block, row),
      );
      if (block.first + row >= wanted || block.first + row >= last) result.steps.push(step);
      else result.skipped++;
    }
  }
  giveSites(recording, result.steps);
  giveRulesOfHashes(recording, result.steps);
  return result;
}

// Returns whether the exiting thread's later lock_change records the exit's effect on the owner.
function saysMore({ head }: Recording, block: Events, exit: number): boolean {
  for (let row = exit + 1; row < block.rows; row++) {
    if (block.a[row] !== block.a[exit] || block.thread[row] !== block.thread[exit]) continue;
    if (head.kinds[block.kind[row]].fields[0][0] !== "object") continue;
    if (head.kinds[block.kind[row]].name !== "lock_change") return false;
    const owner = head.pictures?.steps[unpack(block.detail[row]).step]?.[1];
    if (owner === "nobody") return true;
    if (owner === "subject") return block.b[row] !== block.thread[exit];
  }
  return false;
}

class Lock {
  private picture: LockPicture = {
    owner: 0,
    levels: 0,
    site: 0,
    blocked: [],
    waiting: [],
    bits: "",
    isInflated: false,
    hash: undefined,
    address: undefined,
  };
  // By thread: the nesting levels that Object.wait has released, and the place where the lock was acquired.
  private given = new Map<number, { levels: number; site: number }>();
  private isAboutObject: boolean[];
  private kindNames: string[];
  private own: Reconstruction | undefined;
  // ReentrantLock and its like: a thread that is parked for it wants it.
  private isConcurrentLock: boolean;

  constructor(
    private recording: Recording,
    object: number,
  ) {
    const name = recording.text(recording.objects.class[object]);
    this.isConcurrentLock = /^java\.util\.concurrent\.locks\.\w*Lock\$\w*Sync$/.test(name);
    this.isAboutObject = recording.head.kinds.map((kind) => kind.fields[0][0] === "object");
    this.kindNames = recording.head.kinds.map((kind) => kind.name);
    const { pictures } = recording.head;
    if (pictures !== undefined && !this.isConcurrentLock) this.own = new Reconstruction(pictures.family, pictures.steps);
  }

  names(kind: number) {
    return this.isAboutObject[kind];
  }

  take(
    number: number,
    time: number,
    thread: number,
    kind: number,
    detail: number,
    b: number,
    saysMore: () => boolean,
  ): Step {
    const { recording, own } = this;
    const words = recording.head.kinds[kind];
    const hasSite = words.fields[1][0] === "site";
    let [before, after] = ["", ""];
    if (words.fields[2][0] === "word") [before, after] = (words.words[detail] ?? "->").split("->");
    const picture: LockPicture = { ...this.picture };
    if (after !== "") picture.bits = after;
    const who = recording.threadName(thread);
    let sentence = `${words.sentence}`;
    const site = hasSite ? b : 0;
    const without = (waiters: Waiter[]) => waiters.filter((each) => each.thread !== thread);
    switch (this.kindNames[kind]) {
      case "lock_change":
        own?.change(b, unpack(detail));
        sentence = this.changeInWords(thread, detail, b);
        break;
      case "lock_contended":
        picture.blocked = [...without(picture.blocked), { thread, since: time, site }];
        sentence = `${who} wants the lock and finds it held`;
        break;
      case "lock_owner":
        if (picture.owner === 0) [picture.owner, picture.levels, picture.site] = [b, 1, 0];
        sentence = `the holder is ${recording.threadName(b)}`;
        break;
      case "lock_held":
        [picture.owner, picture.levels, picture.site] = [thread, detail, site];
        sentence = `${who} holds the lock as the recording begins`;
        break;
      case "lock_enter": {
        own?.entered(thread);
        const waited = picture.blocked.some((each) => each.thread === thread);
        picture.blocked = without(picture.blocked);
        if (picture.owner === thread) picture.levels++;
        else [picture.owner, picture.levels, picture.site] = [thread, 1, site];
        sentence =
          picture.levels > 1
            ? `${who} takes it again: level ${picture.levels}`
            : waited
              ? `${who} gets the lock that it waited for`
              : `${who} takes the lock`;
        break;
      }
      case "lock_exit":
        own?.exited(thread, saysMore());
        if (picture.owner === thread && --picture.levels > 0)
          sentence = `${who} leaves one level; ${picture.levels} to go`;
        else {
          [picture.owner, picture.levels, picture.site] = [0, 0, 0];
          sentence = `${who} releases the lock`;
        }
        break;
      case "synchronizer_acquired": {
        const waited = picture.blocked.some((each) => each.thread === thread);
        picture.blocked = without(picture.blocked);
        [picture.owner, picture.levels, picture.site] = [thread, 1, site];
        sentence = waited ? `${who} gets the lock that it waited for` : `${who} takes the lock`;
        break;
      }
      case "synchronizer_released":
        [picture.owner, picture.levels, picture.site] = [0, 0, 0];
        sentence = `${who} releases the lock`;
        break;
      case "park":
        if (!this.isConcurrentLock) break;
        picture.blocked = [...without(picture.blocked), { thread, since: time, site }];
        sentence = `${who} wants the lock, and is parked`;
        break;
      case "park_owner":
        if (picture.owner === 0) [picture.owner, picture.levels, picture.site] = [b, 1, 0];
        sentence = `the holder is ${recording.threadName(b)}`;
        break;
      case "lock_pairs":
        sentence = `${who} has taken and released it ${many(b, "time")} more`;
        break;
      case "wait_begin":
        own?.waits(thread);
        this.given.set(thread, { levels: picture.owner === thread ? picture.levels : 1, site: picture.site });
        if (picture.owner === thread) [picture.owner, picture.levels, picture.site] = [0, 0, 0];
        picture.waiting = [...without(picture.waiting), { thread, since: time, site }];
        sentence = `${who} releases the lock and waits for a notify`;
        break;
      case "wait_end": {
        own?.waited(thread);
        const given = this.given.get(thread) ?? { levels: 1, site };
        picture.waiting = without(picture.waiting);
        [picture.owner, picture.levels, picture.site] = [thread, given.levels, given.site];
        sentence = `${who} returns from Object.wait and has the lock again`;
        break;
      }
      case "notify":
        sentence =
          picture.waiting.length === 0
            ? `${who} notifies, and no thread is seen to wait`
            : `${who} notifies ${words.words[detail] === "yes" ? "all that wait" : "one that waits"}`;
        break;
      case "inflate":
        picture.isInflated = true;
        sentence = `the object gets a monitor: ${words.words[detail] ?? ""}`;
        break;
      case "deflate":
        picture.isInflated = false;
        sentence = "the deflater takes the monitor away";
        break;
      case "hash_asked":
        sentence = `${who} asks for the identity hash`;
        break;
      case "hash":
        picture.hash = b;
        own?.hashed();
        sentence = `${who} has the identity hash: ${b.toString(16).padStart(8, "0")}`;
        break;
      case "moved":
        picture.address = b * 8;
        sentence = `a collection moves it to 0x${(b * 8).toString(16)}`;
        break;
      case "object":
        sentence = `the recording names it for the first time; its class is ${recording.text(b)}`;
        break;
    }
    picture.own = own?.picture;
    const rule = ruleOf(recording, kind, detail, thread, time, this.picture.own, picture.own);
    this.picture = picture;
    return { number, time, thread, kind, detail, subject: b, site, before, after, rule, sentence, picture };
  }

  private changeInWords(thread: number, detail: number, subject: number): string {
    const row = this.recording.head.pictures?.steps[unpack(detail).step];
    if (row === undefined) return "a step of the algorithm";
    const [, owner, queue, waiters, successor, words] = row;
    const isAboutThread = [owner, queue, waiters].some((effect) => effect !== "same") || successor === "subject";
    const by = subject === thread || !isAboutThread ? "" : ` (done by ${this.recording.threadName(thread)})`;
    return `${isAboutThread ? `${this.recording.threadName(subject)} ` : ""}${words}${by}`;
  }
}
