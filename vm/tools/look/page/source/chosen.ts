// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Keeps the steps of the selected object for the views of objects and locks. Recomputes them when another object or
// time is selected.
import type { Recording } from "./data";
import { ObjectPicker } from "./picker";
import type { State } from "./state";
import { stepsOf, type Steps } from "./steps";

const MOST_STEPS = 5000;

export class ChosenObject {
  readonly picker: ObjectPicker;
  steps: Steps = { object: 0, total: 0, skipped: 0, isSeenFromStart: true, steps: [] };
  private asked = "";

  constructor(
    private recording: Recording,
    private state: State,
  ) {
    this.picker = new ObjectPicker(recording, state);
  }

  // Reads the steps of the selected object. Calls renewed() if the steps have changed since the last call. Returns
  // false if the view must draw nothing now: the recording names no object, or this call has selected one. Selecting an
  // object makes the view call renew() again.
  renew(words: HTMLElement, renewed: () => void): boolean {
    const object = this.picker.chooseOne();
    if (object === 0) {
      words.textContent = "This recording names no object.";
      return false;
    }
    if (this.state.shown.object !== object) {
      this.state.set({ object });
      return false;
    }
    const asked = [object, this.state.shown.from].join();
    if (asked !== this.asked) {
      this.asked = asked;
      this.steps = stepsOf(this.recording, object, this.state.shown.from, MOST_STEPS);
      renewed();
    }
    return true;
  }
}
