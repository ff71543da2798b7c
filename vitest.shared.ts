// What the tests of every package have in common.
import { fileURLToPath } from "node:url";
import type { UserProjectConfigExport } from "vitest/config";

// vitest writes a token for its UI server into the user's data folder, with no option against it. Ours is in the clone.
process.env["XDG_DATA_HOME"] = fileURLToPath(new URL("./.toolchain/share", import.meta.url));

/** Workspace packages resolve to source, so that a unit test never runs a stale build. */
const conditions = ["@claxedo/source"];

export const shared = {
  resolve: { conditions },
  ssr: { resolve: { conditions: [...conditions, "node", "import", "module", "default"] } },
  test: {
    include: ["test/**/*.test.ts", "src/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Sized for a machine with two cores; the processes that tests start need one as well.
    maxWorkers: 2,
  },
} satisfies UserProjectConfigExport;
