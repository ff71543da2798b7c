// A scripted Claude Code that also says which version it is.
if (process.argv.includes("--version")) process.stdout.write("2.1.332 (Claude Code)\n");
else await import("../../../claude/fake/programs/agent.mjs");
