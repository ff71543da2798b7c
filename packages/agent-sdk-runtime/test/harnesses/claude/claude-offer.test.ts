import { expect, test } from "vitest";
import { modelNames, offerOf } from "../../../src/harnesses/claude/offer.ts";

/** As 2.1.332 answers to `initialize`, shortened. */
const initialized = {
  commands: [
    {
      name: "debug",
      description: "Enable debug logging",
      argumentHint: "[issue description]",
      builtin: true,
    },
    { name: "clear", description: "", argumentHint: "" },
  ],
  models: [
    { value: "default", resolvedModel: "claude-opus-5-5", displayName: "Default", description: "Opus 5.5" },
    { value: "haiku", resolvedModel: "claude-haiku-5-5", displayName: "Haiku" },
  ],
  current_permission_mode: "plan",
};

test("tells models, modes and commands as the CLI names them", () => {
  const offer = offerOf(initialized);
  expect(offer.models).toEqual([
    { id: "default", title: "Default", description: "Opus 5.5" },
    { id: "haiku", title: "Haiku" },
  ]);
  expect(offer.commands).toEqual([
    { id: "debug", description: "Enable debug logging", argumentHint: "[issue description]" },
    { id: "clear" },
  ]);
  expect(offer.modes.map(({ id }) => id)).toEqual([
    "default",
    "acceptEdits",
    "plan",
    "auto",
    "dontAsk",
    "bypassPermissions",
  ]);
});

test("offers the mode that it is in, also when nobody knows it", () => {
  const { modes } = offerOf({ current_permission_mode: "from-the-future" });
  expect(modes.at(-1)).toEqual({ id: "from-the-future" });
});

test("knows a model by what is passed and by what that stands for, but not for being what it was started with", () => {
  const models = [...initialized.models, { value: "mine", resolvedModel: "mine", displayName: "mine" }];
  expect([...modelNames({ models })]).toEqual(["default", "claude-opus-5-5", "haiku", "claude-haiku-5-5"]);
});

test.each([
  ["nothing", undefined],
  ["no object", "initialized"],
  ["lists that are none", { commands: {}, models: 7, current_permission_mode: [] }],
  [
    "entries that are none",
    { commands: [null, 1, {}, { name: "" }, { name: 3 }], models: ["opus", { value: "" }] },
  ],
])("offers no more than the modes from %s", (_, answer) => {
  const { models, commands, modes } = offerOf(answer);
  expect([models, commands, modes.length]).toEqual([[], [], 6]);
});
