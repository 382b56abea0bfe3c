// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// node pictures.js RECONSTRUCTION FILE: replays the executions in FILE (modelcheck --pictures --tell FILE) by the code of
// the page, and compares its picture after each step. RECONSTRUCTION: source/reconstruction.ts as JavaScript.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { Reconstruction, unpack } = await import(pathToFileURL(process.argv[2]));
const executions = readFileSync(process.argv[3], "utf8").trim().split("\n").map((line) => JSON.parse(line));
const seen = { executions: executions.length, steps: 0, queued: 0, waiting: 0, hashed: 0 };

for (const { family, objects, table, steps } of executions) {
  const locks = Array.from({ length: objects }, () => new Reconstruction(family, table));
  steps.forEach(({ object, what, thread, packed, picture }, place) => {
    const lock = locks[object];
    if (what === "change") lock.change(thread, unpack(packed));
    else if (what === "exited") lock.exited(thread, false);
    else if (what === "hashed") lock.hashed();
    else if (what === "died") locks[object] = new Reconstruction(family, table);
    else lock[what](thread);
    const [page, checker] = [locks[object].picture, picture].map((each) =>
      JSON.stringify(Object.entries(each).sort()),
    );
    if (page !== checker) {
      console.error(`step ${place + 1}, ${what} ${packed} by ${thread}: the page has\n${page}, the checker\n${checker}`);
      process.exit(1);
    }
    seen.steps++;
    seen.queued += picture.queue.length > 0;
    seen.waiting += picture.waiters.length > 0;
    seen.hashed += picture.isHashed;
  });
}
console.log(JSON.stringify(seen));
