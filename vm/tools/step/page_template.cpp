// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// The HTML, style and script of the page. For one step it shows a column per thread, the source, variables, locks and
// output.
#include "vm/tools/step/page.h"

namespace keyhole::step {

const char* const page_head = R"HTML(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Keyhole: step by step</title>
<style>
:root { color-scheme: light dark; --line: #8886; --run: #2a7; --wait: #c73; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 1rem auto; max-width: 78rem; padding: 0 1rem; }
h1 { font-size: 1.2rem; }
code, pre { font-family: ui-monospace, monospace; font-size: 13px; }
nav { display: flex; gap: .5rem; align-items: center; position: sticky; top: 0; background: Canvas; padding: .5rem 0; }
nav input { flex: 1; }
button { font: inherit; padding: .2rem .8rem; }
#threads { display: flex; gap: .75rem; flex-wrap: wrap; }
.thread { flex: 1 1 14rem; border: 1px solid var(--line); border-radius: 6px; padding: .5rem .75rem; min-height: 6rem; }
.thread.runs { border-color: var(--run); box-shadow: inset 0 3px var(--run); }
.thread.waits { border-color: var(--wait); }
.thread .doing { font-style: italic; }
#panes { display: grid; grid-template-columns: 3fr 2fr; gap: 1rem; margin-top: 1rem; }
@media (max-width: 50rem) { #panes { grid-template-columns: 1fr; } }
#source { border: 1px solid var(--line); border-radius: 6px; overflow: auto; max-height: 32rem; margin: 0; padding: .5rem 0; }
#source div { padding: 0 .75rem; white-space: pre; }
#source .here { background: #2a73; }
#source .other { background: #8883; }
#source b { display: inline-block; width: 3rem; opacity: .6; font-weight: normal; }
table { border-collapse: collapse; }
td { padding: 0 .75rem 0 0; vertical-align: top; }
tr.changed td { color: var(--wait); font-weight: bold; }
h2 { font-size: 1rem; margin: .75rem 0 .25rem; }
</style>
</head>
<body>
<h1 id="title"></h1>
<nav>
<button id="first" title="Home">&#8676;</button>
<button id="back" title="left arrow">&#8592; back</button>
<button id="next" title="right arrow">step &#8594;</button>
<input id="slider" type="range" min="0" value="0" aria-label="step">
<span id="number"></span>
</nav>
<div id="threads"></div>
<div id="panes">
<pre id="source"></pre>
<div>
<h2>Variables</h2><table id="variables"></table>
<h2>Locks</h2><div id="locks"></div>
<h2>Output</h2><pre id="output"></pre>
</div>
</div>
<p>Arrow keys step forwards and backwards. [ and ] go to the step before and after at which the running thread changes.</p>
<script id="data" type="application/json">
)HTML";

const char* const page_tail = R"HTML(
</script>
<script>
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const text = data.texts, steps = data.steps, at = name => document.getElementById(name);
// A state every 500 steps; those between are made from the one before.
const kept = new Map();
const apply = (state, step) => {
  const [runs, threads, variables, locks, output] = step;
  state.runs = runs;
  state.changed = new Set();
  for (const thread of threads) state.threads.set(thread[0], thread);
  for (const [name, value] of variables) {
    if (value === undefined) state.variables.delete(name);
    else { state.variables.set(name, value); state.changed.add(name); }
  }
  if (Array.isArray(locks)) state.locks = locks;
  if (output) state.output += output;
};
const copy = state => ({ runs: state.runs, threads: new Map(state.threads), variables: new Map(state.variables),
                         changed: new Set(state.changed), locks: state.locks, output: state.output });
const stateAt = number => {
  let from = number - number % 500;
  while (from > 0 && !kept.has(from)) from -= 500;
  const state = kept.has(from) ? copy(kept.get(from))
    : { runs: 0, threads: new Map(), variables: new Map(), changed: new Set(), locks: [], output: "" };
  for (let i = kept.has(from) ? from + 1 : 0; i <= number; i++) {
    apply(state, steps[i]);
    if (i % 500 === 0) kept.set(i, copy(state));
  }
  return state;
};
const element = (name, content, style) => {
  const made = document.createElement(name);
  if (content !== undefined) made.textContent = content;
  if (style) made.className = style;
  return made;
};
const lineOf = place => {
  const [file, line] = place.split(":");
  return (data.files[file] ?? "").split("\n")[Number(line) - 1]?.trim() ?? "";
};
let current = 0, shownFile = "";
const showSource = state => {
  const here = state.threads.get(state.runs), place = here ? text[here[3]] : "";
  const file = place ? place.split(":")[0] : shownFile || Object.keys(data.files)[0] || "";
  const box = at("source");
  if (file !== shownFile || box.childElementCount === 0) {
    box.replaceChildren(...(data.files[file] ?? "").split("\n").map((line, index) => {
      const row = element("div");
      row.append(element("b", index + 1), line);
      return row;
    }));
    shownFile = file;
  }
  for (const row of box.children) row.className = "";
  for (const [strand, thread] of state.threads) {
    const [of, line] = text[thread[3]].split(":");
    const row = of === file ? box.children[Number(line) - 1] : undefined;
    if (row && row.className !== "here") row.className = strand === state.runs ? "here" : "other";
  }
  const row = box.querySelector(".here");
  if (row) box.scrollTop = row.offsetTop - box.offsetTop - box.clientHeight / 2;
};
const show = number => {
  current = Math.max(0, Math.min(steps.length - 1, number));
  const state = stateAt(current);
  at("threads").replaceChildren(...[...state.threads.values()].map(([strand, name, status, place, doing]) => {
    const runs = strand === state.runs, waits = ["waits", "blocked"].includes(text[status]);
    const box = element("div", undefined, "thread" + (runs ? " runs" : waits ? " waits" : ""));
    box.append(element("b", text[name]), " " + (runs ? "runs" : text[status]), element("div", text[place]));
    const line = element("div");
    line.append(element("code", lineOf(text[place])));
    box.append(line, element("div", text[doing], "doing"));
    return box;
  }));
  showSource(state);
  at("variables").replaceChildren(...[...state.variables].map(([name, value]) => {
    const row = element("tr", undefined, state.changed.has(name) ? "changed" : "");
    row.append(element("td", text[name]), element("td", text[value]));
    return row;
  }));
  at("locks").replaceChildren(...state.locks.map(([name, owner, entering, waiting]) =>
    element("div", text[name] + ": " + (text[owner] ? "held by " + text[owner] : "free") +
      (text[entering] ? "; wants it: " + text[entering] : "") + (text[waiting] ? "; in wait: " + text[waiting] : ""))));
  at("output").textContent = state.output + (current === steps.length - 1 ? "\n" + data.end : "");
  at("slider").value = current;
  at("number").textContent = (current + 1) + " of " + steps.length;
};
const otherThread = direction => {
  let number = current;
  do number += direction;
  while (number > 0 && number < steps.length - 1 && steps[number][0] === steps[current][0]);
  return number;
};
at("title").textContent = data.program + ", step by step";
at("slider").max = steps.length - 1;
at("slider").oninput = event => show(Number(event.target.value));
at("first").onclick = () => show(0);
at("back").onclick = () => show(current - 1);
at("next").onclick = () => show(current + 1);
document.onkeydown = event => {
  const moves = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: steps.length - 1,
                  "[": otherThread(-1), "]": otherThread(1) };
  if (event.target.id === "slider" || !(event.key in moves)) return;
  event.preventDefault();
  show(moves[event.key]);
};
show((Number(location.hash.slice(1)) || 1) - 1);  // page.html#12 is step 12
</script>
</body>
</html>
)HTML";

}  // namespace keyhole::step
