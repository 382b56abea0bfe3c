// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// Formats numbers and times for people.

const grouped = new Intl.NumberFormat("en");
export const count = (value: number) => grouped.format(value);
export const many = (value: number, one: string, more = `${one}s`) => `${count(value)} ${value === 1 ? one : more}`;

// Formats a duration with three digits: "1.24 ms".
export function duration(nanoseconds: number): string {
  const units: [number, string][] = [
    [1e9, "s"],
    [1e6, "ms"],
    [1e3, "µs"],
    [1, "ns"],
  ];
  const size = Math.abs(nanoseconds);
  const [unit, name] = units.find(([each]) => size >= each * 0.9995) ?? units[3];
  const value = nanoseconds / unit;
  const digits = unit === 1 ? 0 : Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${name}`;
}

// Formats a point in time with enough digits to tell steps of `step` nanoseconds apart: "76.0281 ms".
export function time(nanoseconds: number, step = 100): string {
  const milliseconds = nanoseconds / 1e6;
  const digits = Math.min(6, Math.max(0, Math.ceil(6 - Math.log10(Math.max(step, 1)) - 1e-9)));
  return `${milliseconds.toFixed(digits)} ms`;
}

// Chooses round values for the ticks of an axis, at most `most` of them.
export function stepsOf(from: number, until: number, most: number): number[] {
  const least = (until - from) / Math.max(most, 1);
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= least) ?? 10 * power;
  const steps: number[] = [];
  for (let at = Math.ceil(from / step) * step; at <= until; at += step) steps.push(at);
  return steps;
}

export const percent = (share: number) => `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`;
export function bytes(value: number): string {
  return value < 10_000 ? `${count(value)} bytes` : `${(value / 1024).toFixed(value < 102_400 ? 1 : 0)} KiB`;
}
