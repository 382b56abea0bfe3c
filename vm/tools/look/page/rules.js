// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// node rules.js ROOT OUTPUT FILE...: the numbered rules of protocols, as their files have them: {file: {number: text}}.
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";

const [root, output, ...files] = process.argv.slice(2);
const rules = {};
for (const file of files) {
  let rule;
  for (const line of readFileSync(`${root}/${file}`, "utf8").split("\n")) {
    const [, number, begin] = line.match(/^\/\/ ([A-Z]\d+): (.*)$/) ?? [];
    const [, more] = line.match(/^\/\/ {4,6}(\S.*)$/) ?? [];
    if (number !== undefined) {
      rule = number;
      (rules[basename(file)] ??= {})[rule] = begin;
    } else if (rule !== undefined && more !== undefined) {
      rules[basename(file)][rule] += ` ${more}`;
    } else {
      rule = undefined;
    }
  }
}
writeFileSync(output, JSON.stringify(rules));
