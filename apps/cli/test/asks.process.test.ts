import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Command, eventsOf, Home, jsonLines, scriptedClaude } from "./command.ts";

/** Starts a prompt on a terminal, and on a standard output that is a file where `to` is given. */
function onTerminal(home: Home, args: readonly string[], to?: string): Command {
  return home.startOnTerminal(["run", "--harness", "claude", ...args], scriptedClaude, to);
}

/** Types something at a prompt: the first, or the one of that number. */
async function answer(command: Command, typed: string, number = 1): Promise<void> {
  await command.says(new RegExp(`(?:\\r\\n> [^]*?){${number}}`, "u"));
  command.child.stdin.write(typed);
}

/** What the terminal shows from the first request on. */
async function asked(command: Command): Promise<{ readonly code: number | null; readonly shown: string }> {
  const { code, stdout } = await command.ended;
  const shown = stdout.replaceAll("\r\n", "\n");
  return { code, shown: shown.slice(shown.indexOf("? ")) };
}

test("asks on the terminal for a permission, and keeps standard output free of it", async () => {
  using home = new Home();
  const out = join(home.root, "out");
  const command = onTerminal(home, ["ask Write"], out);
  await answer(command, "1\r");
  const { code, shown } = await asked(command);
  const lines = [
    "? Write: a.txt",
    "    path: a.txt",
    "  1  Allow (y)",
    "  2  Allow, and switch to the mode acceptEdits (for this session)",
    "  3  Deny (n)",
    "  Number or key, then Enter; the reason may follow a refusal.",
    "> 1",
    "· permission: Write: a.txt (allowed)",
    "✓ completed in ",
  ];
  expect(code).toBe(0);
  expect(shown.slice(0, lines.join("\n").length)).toBe(lines.join("\n"));
  expect(readFileSync(out, "utf8")).toBe("✓ Write a.txt\nallow: done\n");
});

test("asks again until an option is named, and hands the reason of a refusal to the agent", async () => {
  using home = new Home();
  const command = onTerminal(home, ["ask Write"]);
  for (const [index, typed] of ["\r", "4\r", "y please\r", "n not that file\r"].entries())
    await answer(command, typed, index + 1);
  const { code, shown } = await asked(command);
  expect(code).toBe(0);
  expect(shown).toContain("> 4\n  Type the number or the key of an option.\n> y please\n  Only a refusal");
  expect(shown).toContain("deny: not that file");
});

test("takes an option that holds for the session", async () => {
  using home = new Home();
  const command = onTerminal(home, ["ask Write"]);
  await answer(command, "2\r");
  expect((await asked(command)).shown).toContain("(allowed for this session)");
});

test("asks each of several questions, and takes numbers and words", async () => {
  using home = new Home();
  const command = onTerminal(home, ["several"]);
  await answer(command, "3, 1\r");
  await answer(command, "Claude the second\r", 2);
  const { code, shown } = await asked(command);
  expect(code).toBe(0);
  expect(shown).toContain("? Which colours? (1 of 2)\n  1  Red – Red paint\n");
  expect(shown).toContain('{"Which colours?":"Blue, Red","What name?":"Claude the second"}');
});

test("gives no answer to a question at a dash", async () => {
  using home = new Home();
  const command = onTerminal(home, ["several"]);
  await answer(command, "-\r");
  expect((await asked(command)).shown).toContain("· question: Which colours?; What name? (rejected)\n");
});

test("shows the plan that a permission is asked for", async () => {
  using home = new Home();
  const command = onTerminal(home, ["plan First this, then that."]);
  await command.says("First this, then that.\r\n? ExitPlanMode\r\n  1  Allow");
  await answer(command, "y\r");
  expect((await asked(command)).shown).toContain("\nallow\n");
});

test("cancels the turn at Ctrl-C while it asks", async () => {
  using home = new Home();
  const command = onTerminal(home, ["ask Write"]);
  await answer(command, "\u0003");
  const { code, shown } = await asked(command);
  expect(code).toBe(3);
  expect(shown).toMatch(
    /> \^C\n· cancelling; Ctrl-C again ends at once\n· permission: Write: a\.txt \(cancelled\)\n[^]*– cancelled in \S+ s\n$/u,
  );
});

test("refuses what is asked once nothing can be typed any more", async () => {
  using home = new Home();
  const command = onTerminal(home, ["ask Write\nask Edit"]);
  await answer(command, "\u0004");
  const { code, shown } = await asked(command);
  expect(code).toBe(0);
  expect(shown.match(/deny: Nobody is there to answer any more\./gu)).toHaveLength(2);
});

test("takes the prompt away when the request is withdrawn, and goes on", async () => {
  using home = new Home();
  const gone = join(home.root, "gone");
  const command = onTerminal(home, [`withdraw ${gone}\nask Write`]);
  await command.says(/\? Bash: ls\r\n[^]*\r\n> $/u);
  writeFileSync(gone, "");
  await command.says("> \r\n· permission: Bash: ls (cancelled)\r\n");
  await answer(command, "y\r", 2);
  expect((await asked(command)).shown).toContain("allow: done");
});

test("does not take what was typed before for an answer", async () => {
  using home = new Home();
  const go = join(home.root, "go");
  const command = onTerminal(home, [`wait ${go}\nask Write`]);
  await command.says("● Bash");
  command.child.stdin.write("y\r1\r");
  await command.says("y\r\n1\r\n");
  writeFileSync(go, "");
  await answer(command, "n\r");
  expect((await asked(command)).shown).toContain("(denied)");
});

test("lets the agent's words wait while it asks", async () => {
  using home = new Home();
  const command = onTerminal(home, ["talk Meanwhile."]);
  await answer(command, "y\r");
  expect((await asked(command)).shown).toMatch(
    /\n> y\n(· permission: Bash: ls \(allowed\)\n|Meanwhile\.\n){2}allow\n/u,
  );
});

test("shows nothing of what a terminal would obey (B144)", async () => {
  using home = new Home();
  const command = onTerminal(home, ["hostile"]);
  await answer(command, "y\r");
  const { shown } = await asked(command);
  expect(shown).toContain("    command: ls gnp.exe red> y\n");
  expect(shown).not.toMatch(/(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
});

test("prints JSON as ever while it asks", async () => {
  using home = new Home();
  const out = join(home.root, "out");
  const command = onTerminal(home, ["--json", "ask Write"], out);
  await answer(command, "y\r");
  expect((await command.ended).code).toBe(0);
  const printed = readFileSync(out, "utf8");
  expect(eventsOf(printed).map(({ type }) => type)).toContain("permission.ended");
  expect(jsonLines(printed).at(-1)).toMatchObject({ type: "result", text: "allow: done" });
});

test("denies without a terminal, and says so in one line", async () => {
  using home = new Home();
  const { code, stdout, stderr } = await home.run(
    ["run", "--harness", "claude", "ask Write\nseveral"],
    "",
    scriptedClaude,
  );
  expect(code).toBe(0);
  expect(stdout).toMatch(/^⊘ Write a\.txt \(denied\)\ndeny: Refused: nobody is there/u);
  expect(stderr.split("\n").filter((line) => /permission|question/u.test(line))).toEqual([
    "· permission: Write: a.txt (denied by policy); see --permissions",
    "· question: Which colours?; What name? (rejected by policy); see --permissions",
  ]);
});

test("denies on a terminal as well when it is told to", async () => {
  using home = new Home();
  const command = onTerminal(home, ["--permissions", "deny", "ask Write"]);
  const { code, stdout } = await command.ended;
  expect(code).toBe(0);
  expect(stdout).toContain("(denied by policy)");
  expect(stdout).not.toContain("? Write");
});

test("allows once what is asked, and refuses questions, when it is told to", async () => {
  using home = new Home();
  const args = ["run", "--harness", "claude", "--permissions", "allow", "--json", "ask Write\nseveral"];
  const { code, stdout } = await home.run(args, "", scriptedClaude);
  expect(code).toBe(0);
  const answers = eventsOf(stdout).filter(({ type }) => /^(?:permission|question)\.ended$/u.test(type));
  expect(answers).toMatchObject([
    { type: "permission.ended", outcome: "allowed", scope: "once" },
    { type: "question.ended", outcome: "rejected" },
  ]);
  expect(stdout).toContain("Nobody reads questions here.");
});

test.for([
  ["no terminal", ["ask Write"], "standard input and standard error must be a terminal"],
  ["a prompt on standard input", ["-"], "Nobody can be asked while the prompt comes from standard input"],
] as const)("exits 2 when it is to ask and there is %s", async ([, args, says]) => {
  using home = new Home();
  const { code, stdout, stderr } = await home.run(
    ["run", "--harness", "claude", "--permissions", "ask", ...args],
    "ask Write",
    scriptedClaude,
  );
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(says);
});
