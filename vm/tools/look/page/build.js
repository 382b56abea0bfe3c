// SPDX-FileCopyrightText: The Keyhole authors
// SPDX-License-Identifier: Apache-2.0
//
// node build.js OUTPUT: the page without data, one file of HTML with its style and its script.
import { build } from "esbuild";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const output = process.argv[2];
if (output === undefined) {
  console.error("usage: node build.js OUTPUT");
  process.exit(2);
}

const { outputFiles } = await build({
  entryPoints: [join(here, "source/main.ts")],
  bundle: true,
  minify: true,
  write: false,
  outdir: "out",
  format: "iife",
  target: ["chrome109", "firefox115", "safari16"],
  charset: "utf8",
  legalComments: "inline",
  logLevel: "warning",
});
const text = (suffix) => outputFiles.find((file) => file.path.endsWith(suffix)).text;
// "</script" in a text of the script would end the page's script element.
const script = text(".js").replaceAll("</script", "<\\/script");

let page = readFileSync(join(here, "source/page.html"), "utf8");
page = page.replace("<!--style-->", () => `<style>${text(".css")}</style>`);
page = page.replace("<!--script-->", () => `<script>${script}</script>`);
mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, page);
