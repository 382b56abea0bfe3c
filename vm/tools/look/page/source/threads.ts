// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The view of threads, with a lane for each.
import { chainOf } from "./chain";
import { doingNames, meanings, sliceOf, type Recording, type Slice, waitsForLock } from "./data";
import { h, placeOf, sized, soon, zoomOf } from "./dom";
import { duration, many, stepsOf, time } from "./format";
import { Crowd, Lanes, type Group } from "./groups";
import { drawArrow, drawBand, drawSlice, LANE, label, Palette, type Drawn } from "./lanes";
import type { State } from "./state";

const AXIS = 24;
const MOST_EVENTS_FOR_HOLDS = 200_000;

export class ThreadsView {
  readonly element: HTMLElement;
  private canvas = h("canvas", { tabindex: 0, class: "lanes", "aria-describedby": "keys-of-lanes" });
  private scroller: HTMLElement;
  private spacer = h("div", { class: "spacer" });
  private tip = h("div", { class: "tip", role: "tooltip", hidden: true });
  private drawn: Drawn[] = [];
  private hovered: { slice: Slice; x: number } | undefined;
  private names = 150; // the width of their column
  private lanes: Lanes;
  private crowds: Crowd[] = []; // of the folded groups of virtual threads, as they are drawn

  constructor(
    private recording: Recording,
    private state: State,
  ) {
    this.lanes = new Lanes(recording);
    this.scroller = h("div", { class: "scroller" }, this.spacer);
    this.spacer.append(this.canvas);
    const legend = h(
      "ul",
      { class: "legend", "aria-label": "what lanes show" },
      ...doingNames.map((name, place) => h("li", { title: meanings[place] }, h("i", { class: `sample ${name}` }), name)),
      h("li", {}, h("i", { class: "sample hold" }), "holds the selected object"),
      h("li", {}, h("i", { class: "sample pause" }), "all stopped by a garbage collection"),
    );
    this.element = h(
      "section",
      { class: "view threads", "aria-label": "Threads" },
      legend,
      this.scroller,
      this.tip,
      h(
        "p",
        { class: "hint", id: "keys-of-lanes" },
        "↑ ↓ thread · ← → slice · Enter show it · c who waits for whom · + − zoom · shift ← → move · v threads of the VM · g virtual threads · ? all keys",
      ),
    );
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-label", "lanes of threads");
    this.scroller.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.scroller);
    this.listen();
  }

  private listen() {
    const { canvas, state } = this;
    let drag: { x: number; from: number; until: number; moved: boolean } | undefined;
    canvas.addEventListener("pointerdown", (event) => {
      drag = { x: placeOf(event).x, from: state.shown.from, until: state.shown.until, moved: false };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (drag !== undefined && (drag.moved || Math.abs(placeOf(event).x - drag.x) > 4)) {
        drag.moved = true;
        const shift = ((drag.x - placeOf(event).x) / this.width) * (drag.until - drag.from);
        state.set({ from: drag.from + shift, until: drag.until + shift });
      } else this.hover(event);
    });
    canvas.addEventListener("pointerup", (event) => {
      if (drag !== undefined && !drag.moved) this.click(event);
      drag = undefined;
    });
    canvas.addEventListener("pointerleave", () => this.leave());
    canvas.addEventListener("dblclick", (event) => {
      const hit = this.hit(event);
      if (hit !== undefined) state.goTo(hit.begin, hit.end);
    });
    canvas.addEventListener(
      "wheel",
      (event) => {
        if (event.ctrlKey || event.metaKey) state.zoom(Math.exp(event.deltaY / 300), this.timeAt(placeOf(event).x));
        else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
          state.pan((event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX) / 1000);
        else return;
        event.preventDefault();
      },
      { passive: false },
    );
  }

  private fold(group: Group | undefined) {
    if (group !== undefined) this.lanes.fold(group, !group.isUnfolded);
    this.draw();
  }

  // Handles a key. Returns true if the lanes use this key.
  key(event: KeyboardEvent): boolean {
    const { thread, time: cursor, until } = this.state.shown;
    const { threads } = this.recording;
    const place = this.recording.place(thread);
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp": {
        const next = this.lanes.neighbour(place, event.key === "ArrowDown" ? 1 : -1);
        this.state.slice = undefined;
        this.state.chain = [];
        this.state.set({ thread: threads[next].id });
        this.scrollTo(this.lanes.laneOf(next));
        return true;
      }
      case "ArrowRight":
      case "ArrowLeft": {
        if (event.shiftKey) {
          this.state.pan(event.key === "ArrowRight" ? 0.5 : -0.5);
          return true;
        }
        if (place < 0) return true;
        const forward = event.key === "ArrowRight";
        const around = cursor ?? (forward ? this.state.shown.from : until);
        const next = this.recording.neighbour(thread, around, forward);
        if (next !== undefined) {
          this.state.select(next);
          this.show(next);
        }
        return true;
      }
      case "v":
        this.fold(this.lanes.groups.find((each) => each.name === "vm"));
        return true;
      case "g":
        this.fold(this.lanes.groups.find((each) => each.name === "virtual"));
        return true;
      case "Enter":
        if (this.state.slice !== undefined) this.state.goTo(this.state.slice.begin, this.state.slice.end);
        return true;
      default:
        return false;
    }
  }

  private show(slice: Slice) {
    const { from, until } = this.state.shown;
    if (slice.begin >= from && slice.begin <= until) return;
    const length = until - from;
    this.state.set({ from: slice.begin - length / 3, until: slice.begin + (2 * length) / 3 });
  }
  private scrollTo(lane: number) {
    const top = lane * LANE;
    const { scrollTop, clientHeight } = this.scroller;
    if (top < scrollTop) this.scroller.scrollTop = top;
    else if (top + LANE > scrollTop + clientHeight - AXIS) this.scroller.scrollTop = top + LANE - clientHeight + AXIS;
  }

  private get width() {
    return Math.max(this.scroller.clientWidth - this.names, 10);
  }
  private xOf(at: number) {
    const { from, until } = this.state.shown;
    return this.names + ((at - from) / (until - from)) * this.width;
  }
  private timeAt(x: number) {
    const { from, until } = this.state.shown;
    return from + ((x - this.names) / this.width) * (until - from);
  }
  private laneAt(y: number) {
    return Math.floor((y - AXIS + this.scroller.scrollTop) / LANE);
  }

  private hit(event: MouseEvent): Slice | undefined {
    const lane = this.laneAt(placeOf(event).y);
    let best: Drawn | undefined;
    for (const each of this.drawn) {
      if (each.lane !== lane || placeOf(event).x < each.left - 2 || placeOf(event).x > each.right + 2) continue;
      if (best === undefined || each.right - each.left < best.right - best.left) best = each;
    }
    return best === undefined ? undefined : sliceOf(best.block, best.row);
  }

  private hover(event: PointerEvent) {
    const slice = this.hit(event);
    this.hovered = slice === undefined ? undefined : { slice, x: placeOf(event).x };
    const group = this.lanes.groupAt(this.laneAt(placeOf(event).y));
    const crowd = group === undefined ? undefined : this.crowds.find((each) => each.has(group.first));
    const sentences =
      slice !== undefined ? this.sentences(slice) : crowd !== undefined ? [crowd.sentence(placeOf(event).x)] : [];
    this.tip.hidden = sentences.length === 0;
    if (sentences.length > 0) {
      this.tip.replaceChildren(...sentences.map((text) => h("div", {}, text)));
      const box = this.element.getBoundingClientRect();
      const zoom = zoomOf(this.element);
      const [x, y] = [(event.clientX - box.left) / zoom, (event.clientY - box.top) / zoom];
      const left = Math.min(x + 14, box.width / zoom - this.tip.offsetWidth - 8);
      this.tip.style.left = `${Math.max(left, 4)}px`;
      const below = y + 18;
      const above = y - this.tip.offsetHeight - 12;
      this.tip.style.top = `${below + this.tip.offsetHeight > box.height / zoom ? Math.max(above, 0) : below}px`;
    }
    this.draw();
  }
  private leave() {
    this.hovered = undefined;
    this.tip.hidden = true;
    this.draw();
  }

  // Returns the text for the tooltip of a slice.
  sentences(slice: Slice): string[] {
    const { recording } = this;
    const who = recording.threadName(slice.thread);
    if (slice.shares.length !== 0) {
      const parts = slice.shares.map(
        (share, doing) => share > 0 && `${doingNames[doing + 1]} ${Math.round(share / 2.55)} %`,
      );
      return [
        `${who}: ${duration(slice.end - slice.begin)}, including ${parts.filter(Boolean).join(", ")}`,
        "click to see them one by one",
      ];
    }
    const lines = [`${who} ${doingNames[slice.doing]} for ${duration(slice.end - slice.begin)}`];
    if (slice.object !== 0) lines.push(`on ${recording.objectName(slice.object)}`);
    if (slice.site !== 0) lines.push(`at ${recording.text(slice.site)}`);
    if (slice.owner !== 0) lines.push(`held by ${recording.threadName(slice.owner)}`);
    if (slice.ownerSite !== 0) lines.push(`since ${recording.text(slice.ownerSite)}`);
    return lines;
  }

  private click(event: PointerEvent) {
    const slice = this.hit(event);
    if (slice === undefined) {
      const lane = this.laneAt(placeOf(event).y);
      this.state.slice = undefined;
      this.state.chain = [];
      const group = this.lanes.groupAt(lane);
      if (group !== undefined) {
        this.fold(group);
        return;
      }
      const thread = this.recording.threads[this.lanes.placeIn(lane)]?.id ?? 0;
      this.state.set({ thread, time: placeOf(event).x > this.names ? this.timeAt(placeOf(event).x) : undefined });
    } else if (slice.shares.length !== 0) this.state.goTo(slice.begin, slice.end, { thread: slice.thread });
    else this.state.select(slice);
  }

  draw() {
    soon(this, () => this.drawNow());
  }

  private drawNow() {
    const { recording, scroller } = this;
    const [all, height] = [scroller.clientWidth, scroller.clientHeight];
    if (all === 0 || height === 0) return;
    this.names = all < 560 ? 92 : 150;
    const group = this.lanes.groupOf(recording.place(this.state.shown.thread));
    if (group !== undefined && !group.isUnfolded) this.lanes.fold(group, true);
    this.spacer.style.height = `${this.lanes.count * LANE + AXIS}px`;
    const context = sized(this.canvas, all, height);
    const palette = new Palette(context);
    context.font = `12px ${palette.font}`;
    context.clearRect(0, 0, all, height);
    context.save();
    context.beginPath();
    context.rect(this.names, AXIS, this.width, height - AXIS);
    context.clip();
    this.drawLanes(context, palette, height);
    this.drawPauses(context, palette, height);
    this.drawHolds(context, palette);
    this.drawArrows(context, palette);
    this.drawCursor(context, palette, height);
    context.restore();
    this.drawNames(context, palette, height);
    this.drawAxis(context, palette);
  }

  private topOf(lane: number) {
    return AXIS + lane * LANE - this.scroller.scrollTop;
  }

  private drawLanes(context: CanvasRenderingContext2D, palette: Palette, height: number) {
    const { recording } = this;
    const { from, until } = this.state.shown;
    const first = Math.max(this.laneAt(AXIS), 0);
    const last = Math.min(this.laneAt(height), this.lanes.count - 1);
    this.crowds = this.lanes.groups
      .filter((each) => each.name === "virtual" && !each.isUnfolded)
      .map((each) => new Crowd(each, recording, this.names, Math.ceil(this.width), (at) => this.xOf(at)));
    for (let lane = first; lane <= last; lane++) {
      const place = this.lanes.placeIn(lane);
      if (place < 0) continue;
      const { begin, end } = recording.threads[place];
      if (end >= from && begin <= until)
        drawBand(
          context,
          palette,
          this.topOf(lane),
          Math.max(this.xOf(begin), this.names),
          Math.min(this.xOf(end), this.names + this.width),
        );
    }
    this.drawn = [];
    const chosen = this.state.slice;
    recording.forEachSlice(from, until, (2 * (until - from)) / this.width, (block, row) => {
      const place = recording.place(block.thread[row]);
      const lane = this.lanes.laneOf(place);
      if (lane < first || lane > last) return;
      const left = Math.max(this.xOf(block.begin[row]), this.names - 4);
      const right = Math.min(this.xOf(block.begin[row] + block.length[row]), this.names + this.width + 4);
      if (this.lanes.isFolded(place)) {
        this.crowds.find((each) => each.has(place))?.take(block, row, left, right);
        return;
      }
      const isChosen =
        chosen !== undefined && chosen.thread === block.thread[row] && chosen.event === block.event[row];
      drawSlice(context, palette, recording, block, row, this.topOf(lane), left, right, isChosen);
      this.drawn.push({ lane, left, right, block, row });
    });
    for (const group of this.lanes.groups)
      this.crowds.find((each) => each.has(group.first))?.draw(context, palette, this.topOf(this.lanes.laneOf(group.first)));
  }

  private drawPauses(context: CanvasRenderingContext2D, palette: Palette, height: number) {
    const { from, until } = this.state.shown;
    for (const [begin, end] of this.recording.head.pauses) {
      if (end < from || begin > until) continue;
      const [left, right] = [this.xOf(begin), this.xOf(end)];
      context.fillStyle = palette.pause;
      context.fillRect(left, AXIS, Math.max(right - left, 1.5), height);
      if (right - left > 60) label(context, palette, "collection", left + 4, AXIS + 10);
    }
  }

  // Draws the times at which threads held the selected object's lock, computed from the exact events.
  private drawHolds(context: CanvasRenderingContext2D, palette: Palette) {
    const { recording } = this;
    const { from, until, object } = this.state.shown;
    if (object === 0 || !recording.isWhole) return;
    const [first, last] = [recording.eventAt(from), recording.eventAt(until)];
    if (last - first > MOST_EVENTS_FOR_HOLDS) return;
    const [enter, exit, pairs, waitBegin, waitEnd] = [
      "lock_enter",
      "lock_exit",
      "lock_pairs",
      "wait_begin",
      "wait_end",
    ].map((name) => recording.kind(name));
    // by thread: the time of its last release; a coalesced pair (`lock_pairs`) begins at that time
    const released = new Map<number, number>();
    const holds = new Map<number, { since: number; levels: number }>();
    const seen = new Set<number>();
    const draw = (thread: number, begin: number, end: number) => {
      context.fillStyle = palette.hold;
      if (this.lanes.isFolded(recording.place(thread))) return;
      const y = this.topOf(this.lanes.laneOf(recording.place(thread))) + LANE - 5;
      context.fillRect(this.xOf(begin), y, Math.max(this.xOf(end) - this.xOf(begin), 1.5), 4);
    };
    for (let number = first; number < last;) {
      const block = recording.events(recording.blockOf(number));
      for (let row = number - block.first; row < block.rows && block.first + row < last; row++) {
        if (block.a[row] !== object) continue;
        const [kind, thread, now] = [block.kind[row], block.thread[row], block.time[row]];
        const hold = holds.get(thread);
        if (kind === enter || kind === waitEnd) {
          if (hold === undefined) holds.set(thread, { since: now, levels: 1 });
          else hold.levels++;
        } else if (kind === pairs) {
          draw(thread, released.get(thread) ?? from, now);
          released.set(thread, now);
        } else if (kind === exit || kind === waitBegin) {
          released.set(thread, now);
          if (hold !== undefined && (--hold.levels === 0 || kind === waitBegin)) {
            draw(thread, hold.since, now);
            holds.delete(thread);
          } else if (hold === undefined && !seen.has(thread)) draw(thread, from, now);
        } else continue;
        seen.add(thread);
      }
      number = block.first + block.rows;
    }
    for (const [thread, hold] of holds) draw(thread, hold.since, until);
  }

  private drawArrows(context: CanvasRenderingContext2D, palette: Palette) {
    const arrow = (slice: Slice, at: number, words: boolean) => {
      if (!waitsForLock(slice) || slice.owner === 0) return;
      const [from, to] = [this.recording.place(slice.thread), this.recording.place(slice.owner)];
      if (to < 0) return;
      const x = Math.min(Math.max(at, this.names + 8), this.names + this.width - 8);
      drawArrow(
        context,
        palette,
        x,
        this.topOf(this.lanes.laneOf(from)) + LANE / 2,
        this.topOf(this.lanes.laneOf(to)) + LANE / 2,
        words ? `held by ${this.recording.threadName(slice.owner)}` : "",
      );
    };
    if (this.hovered !== undefined && this.hovered.slice.shares.length === 0)
      arrow(this.hovered.slice, this.hovered.x, true);
    const { slice, chain } = this.state;
    if (chain.length > 0) {
      const at = this.xOf(this.state.shown.time ?? chain[0].begin);
      for (const [place, link] of chain.entries()) arrow(link, at + 160 * place, true);
    } else if (slice !== undefined && this.hovered === undefined)
      arrow(slice, Math.max(this.xOf(slice.begin), this.names) + 6, true);
  }

  private drawCursor(context: CanvasRenderingContext2D, palette: Palette, height: number) {
    const { time: at } = this.state.shown;
    if (at === undefined) return;
    context.strokeStyle = palette.accent;
    context.lineWidth = 1;
    context.setLineDash([4, 3]);
    context.beginPath();
    context.moveTo(Math.round(this.xOf(at)) + 0.5, AXIS);
    context.lineTo(Math.round(this.xOf(at)) + 0.5, height);
    context.stroke();
    context.setLineDash([]);
  }

  private drawNames(context: CanvasRenderingContext2D, palette: Palette, height: number) {
    context.fillStyle = palette.ground;
    context.fillRect(0, 0, this.names, height);
    context.textBaseline = "middle";
    const { threads } = this.recording;
    for (let lane = Math.max(this.laneAt(AXIS), 0); lane < this.lanes.count && this.topOf(lane) < height; lane++) {
      const y = this.topOf(lane);
      const place = this.lanes.placeIn(lane);
      const group = this.lanes.groupAt(lane);
      if (group !== undefined) {
        const words = `${group.isUnfolded ? "▾" : "▸"} ${group.words}`;
        context.fillStyle = palette.faint;
        context.font = `12px ${palette.font}`;
        context.fillText(words, 10, y + LANE / 2 + 1);
        continue;
      }
      const isChosen = threads[place].id === this.state.shown.thread;
      if (isChosen) {
        context.fillStyle = palette.accent;
        context.fillRect(0, y + 3, 4, LANE - 6);
      }
      context.fillStyle = palette.ink;
      context.font = `${isChosen ? "600 " : ""}12px ${palette.font}`;
      context.fillText(shortened(context, threads[place].name, this.names - 18), 10, y + LANE / 2 + 1);
    }
    context.fillStyle = palette.ground;
    context.fillRect(0, 0, this.names, AXIS);
    context.fillStyle = palette.faint;
    context.font = `12px ${palette.font}`;
    context.fillText(many(threads.length, "thread"), 10, AXIS / 2);
  }

  private drawAxis(context: CanvasRenderingContext2D, palette: Palette) {
    const { from, until } = this.state.shown;
    context.fillStyle = palette.ground;
    context.fillRect(this.names, 0, this.width, AXIS);
    context.strokeStyle = palette.line;
    context.lineWidth = 1;
    context.textBaseline = "middle";
    const steps = stepsOf(from, until, this.width / 110);
    for (const step of steps) {
      const x = Math.round(this.xOf(step)) + 0.5;
      context.beginPath();
      context.moveTo(x, AXIS - 6);
      context.lineTo(x, AXIS);
      context.stroke();
      context.fillStyle = palette.faint;
      const text = time(step, steps.length > 1 ? steps[1] - steps[0] : until - from);
      if (x + 4 + context.measureText(text).width < this.names + this.width) context.fillText(text, x + 4, AXIS / 2);
    }
    context.beginPath();
    context.moveTo(0, AXIS - 0.5);
    context.lineTo(this.names + this.width, AXIS - 0.5);
    context.stroke();
  }

  // Draws the chain of waiting threads from the selected slice. The panel describes the chain.
  showChain() {
    const { slice } = this.state;
    if (slice === undefined || !waitsForLock(slice)) return;
    const chain = chainOf(this.recording, slice);
    this.state.chain = chain.links;
    const begin = Math.min(...chain.links.map((link) => link.begin));
    const { from, until } = this.state.shown;
    if (chain.time < from || chain.time > until) this.state.goTo(begin, slice.end, { time: chain.time });
    else this.state.set({ time: chain.time });
  }
}

function shortened(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  let end = text.length;
  while (end > 1 && context.measureText(`${text.slice(0, end)}…`).width > width) end--;
  return `${text.slice(0, end)}…`;
}
