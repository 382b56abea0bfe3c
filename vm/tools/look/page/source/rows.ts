// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// A list of rows of equal height that has DOM elements for visible rows only.
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core";
import { h, soon } from "./dom";

export class Rows {
  readonly element = h("div", { class: "rows", tabindex: 0, role: "listbox" });
  private inner = h("div", { class: "inner" });
  private virtualizer: Virtualizer<HTMLElement, Element>;
  private count = 0;
  private wanted = -1; // the row to be scrolled into view by the next drawing
  private height: number;

  constructor(
    height: number,
    label: string,
    private row: (index: number) => HTMLElement,
  ) {
    this.height = height;
    this.element.setAttribute("aria-label", label);
    this.element.append(this.inner);
    this.virtualizer = new Virtualizer(this.options());
    this.virtualizer._didMount();
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  private options() {
    return {
      count: this.count,
      getScrollElement: () => this.element as HTMLElement,
      estimateSize: () => this.height,
      overscan: 6,
      scrollToFn: elementScroll,
      observeElementRect,
      observeElementOffset,
      onChange: () => this.draw(),
    };
  }

  setCount(count: number) {
    this.count = count;
    this.virtualizer.setOptions(this.options());
    this.virtualizer.measure();
    this.draw();
  }
  show(index: number) {
    if (index >= 0 && index < this.count) this.wanted = index;
    this.draw();
  }

  draw() {
    soon(this, () => this.drawNow());
  }
  private drawNow() {
    if (this.element.clientHeight === 0) return;
    this.virtualizer._willUpdate();
    this.inner.style.height = `${this.virtualizer.getTotalSize()}px`;
    // Only now is the list on the screen, with its full height.
    if (this.wanted >= 0) this.virtualizer.scrollToIndex(this.wanted, { align: "center" });
    this.wanted = -1;
    this.inner.replaceChildren(
      ...this.virtualizer.getVirtualItems().map((item) => {
        const element = this.row(item.index);
        element.style.transform = `translateY(${item.start}px)`;
        element.style.height = `${this.height}px`;
        element.setAttribute("role", "option");
        return element;
      }),
    );
  }
}
