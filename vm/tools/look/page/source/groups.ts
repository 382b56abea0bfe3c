// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The lanes of the view of threads, in their order: a lane for each thread, and above a group of threads (the program's
// virtual threads, the threads of the VM) a lane that folds and unfolds the group. A folded group has no other lane.
import { Doing, doingNames, type Recording, type Slices } from "./data";
import { LANE, type Palette } from "./lanes";

// Up to this number of virtual threads, each has a lane of its own.
const MOST_UNFOLDED = 8;

export interface Group {
  name: "virtual" | "vm";
  words: string;
  first: number; // its threads' places in Recording.threads: from `first` up to, but without, `end`
  end: number;
  isUnfolded: boolean;
}

export class Lanes {
  readonly groups: Group[] = [];
  private lanes: (Group | number)[] = []; // a group's own lane, or a thread's place
  private laneOfPlace: number[] = [];

  constructor(recording: Recording) {
    const { threads } = recording;
    const virtual = threads.findIndex((each) => each.isVirtual);
    const vm = threads.findIndex((each) => !each.isOwn);
    const endOfOwn = vm < 0 ? threads.length : vm;
    if (virtual >= 0 && endOfOwn - virtual > MOST_UNFOLDED) {
      const words = `${endOfOwn - virtual} virtual threads`;
      this.groups.push({ name: "virtual", words, first: virtual, end: endOfOwn, isUnfolded: false });
    }
    if (vm > 0) {
      const words = `${threads.length - vm} of the VM`;
      this.groups.push({ name: "vm", words, first: vm, end: threads.length, isUnfolded: false });
    }
    this.arrange(threads.length);
  }

  private arrange(threads: number) {
    this.lanes = [];
    this.laneOfPlace = [];
    for (let place = 0; place < threads; place++) {
      const group = this.groupOf(place);
      if (group?.first === place) this.lanes.push(group);
      this.laneOfPlace.push(group === undefined || group.isUnfolded ? this.lanes.push(place) - 1 : this.lanes.length - 1);
    }
  }

  get count() {
    return this.lanes.length;
  }
  groupOf(place: number) {
    return this.groups.find((each) => each.first <= place && place < each.end);
  }
  // The group that a lane folds and unfolds, if it is such a lane.
  groupAt(lane: number): Group | undefined {
    const content = this.lanes[lane];
    return typeof content === "object" ? content : undefined;
  }
  // The place of the lane's thread; -1 if it has none.
  placeIn(lane: number): number {
    const content = this.lanes[lane];
    return typeof content === "number" ? content : -1;
  }
  // The lane of a thread; for a thread in a folded group, the group's.
  laneOf(place: number): number {
    return this.laneOfPlace[place] ?? -1;
  }
  isFolded(place: number): boolean {
    return this.groupOf(place)?.isUnfolded === false;
  }
  // The thread in the next lane that has one (step 1), or in the one before (step -1).
  neighbour(place: number, step: number): number {
    let lane = place < 0 ? -1 : this.laneOf(place);
    do lane += step;
    while (lane >= 0 && lane < this.count && this.placeIn(lane) < 0);
    return lane >= 0 && lane < this.count ? this.placeIn(lane) : Math.max(place, 0);
  }

  fold(group: Group, isUnfolded: boolean) {
    group.isUnfolded = isUnfolded;
    this.arrange(this.laneOfPlace.length);
  }
}

// What the threads of a folded group do: for each pixel, how many of them are in which state.
export class Crowd {
  private counts: Float64Array[]; // by Doing

  constructor(
    private group: Group,
    recording: Recording,
    private left: number,
    private width: number,
    xOf: (time: number) => number,
  ) {
    this.counts = doingNames.map(() => new Float64Array(width));
    for (let place = group.first; place < group.end; place++) {
      const { begin, end } = recording.threads[place];
      this.add(Doing.running, xOf(begin), xOf(end), 1);
    }
  }

  has(place: number) {
    return this.group.first <= place && place < this.group.end;
  }
  // Takes a slice, in which a thread does not run.
  take(block: Slices, row: number, left: number, right: number) {
    const shares = block.shares.map((share) => share[row] / 255);
    const isMerged = shares.some((share) => share !== 0);
    doingNames.forEach((_, doing) => {
      const share = isMerged ? (shares[doing - 1] ?? 0) : block.doing[row] === doing ? 1 : 0;
      if (doing === Doing.running || share === 0) return;
      this.add(doing, left, right, share);
      this.add(Doing.running, left, right, -share);
    });
  }
  private add(doing: number, left: number, right: number, share: number) {
    const [from, until] = [Math.max(left - this.left, 0), Math.min(right - this.left, this.width)];
    for (let x = Math.floor(from); x < until; x++)
      this.counts[doing][x] += share * (Math.min(until, x + 1) - Math.max(from, x));
  }

  // Draws the states as bars above each other. The height of the lane stands for all threads of the group.
  draw(context: CanvasRenderingContext2D, palette: Palette, top: number) {
    const scale = (LANE - 6) / (this.group.end - this.group.first);
    for (let x = 0; x < this.width; x++) {
      let bottom = top + LANE - 3;
      this.counts.forEach((count, doing) => {
        const height = count[x] * scale;
        if (height < 0.05) return;
        bottom -= height;
        context.fillStyle = doing === Doing.sleeping ? palette.soft[doing] : palette.doing[doing];
        context.fillRect(this.left + x, bottom, 1, height);
      });
    }
  }

  // "100 virtual threads: 3 running, 97 parked"
  sentence(x: number): string {
    const at = Math.min(Math.max(Math.floor(x - this.left), 0), this.width - 1);
    const parts = this.counts
      .map((count, doing) => [Math.round(count[at]), doingNames[doing]] as const)
      .filter(([count]) => count > 0)
      .map(([count, name]) => `${count} ${name}`);
    return `${this.group.words}: ${parts.length === 0 ? "none lives here" : parts.join(", ")}`;
  }
}
