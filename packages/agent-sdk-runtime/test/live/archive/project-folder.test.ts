import { expect, it } from "vitest";
import { encodeProjectFolder } from "../../../src/live/archive/project-folder.ts";

/** Directories, and the folders that Claude Code 2.1.332 made for them (linux-x64). */
const recorded: readonly (readonly [what: string, path: string, folder: string])[] = [
  ["punctuation and blanks", "/home/user/ws/a_b.c d-E9", "-home-user-ws-a-b-c-d-E9"],
  ["a composed letter", "/home/user/ws/\u00e9", "-home-user-ws--"],
  ["a decomposed letter", "/home/user/ws/e\u0301", "-home-user-ws-e-"],
  ["a character of two UTF-16 units", "/home/user/ws/x\u{1F600}y", "-home-user-ws-x--y"],
  [
    "200 characters",
    `/home/user/ws${`/${"d".repeat(50)}`.repeat(3)}/${"e".repeat(33)}`,
    `-home-user-ws${`-${"d".repeat(50)}`.repeat(3)}-${"e".repeat(33)}`,
  ],
  [
    "201 characters",
    `/home/user/ws${`/${"d".repeat(50)}`.repeat(3)}/${"e".repeat(34)}`,
    `-home-user-ws${`-${"d".repeat(50)}`.repeat(3)}-${"e".repeat(33)}-5nmnep`,
  ],
  ["a long path", `/home/user/ws/${"long/".repeat(45)}end`, `-home-user-ws-${"long-".repeat(37)}l-ksqvw8`],
  [
    "a long path with the same beginning",
    `/home/user/ws/${"long/".repeat(45)}enx`,
    `-home-user-ws-${"long-".repeat(37)}l-ksqvws`,
  ],
  [
    "a long path with letters beyond ASCII",
    `/home/user/ws/${"l\u00f6ng_/".repeat(40)}x\u{1F600}`,
    `-home-user-ws-${"l-ng--".repeat(31)}-vz5rm5`,
  ],
  [
    "a long decomposed path",
    `/home/user/ws/${"lo\u0308ng_/".repeat(40)}x`,
    `-home-user-ws-${"lo-ng--".repeat(26)}lo-n-wvu6bc`,
  ],
];

it.each(recorded)("names the folder of %s as the CLI does", (_, path, folder) => {
  expect(encodeProjectFolder(path)).toBe(folder);
});
