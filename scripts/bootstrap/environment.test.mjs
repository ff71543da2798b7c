import { delimiter } from "node:path";
import { expect, test } from "vitest";
import { jobEnvironment, realTestEnvironment, setupEnvironment } from "./environment.mjs";

const inherited = {
  HOME: "/home/somebody",
  PATH: "/usr/bin",
  INIT_CWD: "/elsewhere",
  NODE: "/usr/bin/node",
  npm_config_nodedir: "/usr",
  npm_config_omit: "optional",
  npm_config_registry: "http://mirror.invalid/",
  npm_config_noproxy: "",
  npm_config_cache: "/ci/cache",
  npm_package_name: "claxedo-monorepo",
  npm_lifecycle_event: "test",
  NPM_CONFIG_FUND: "true",
};

test("drops what npm adds for its scripts, but not how to reach a registry", () => {
  const env = jobEnvironment(inherited, []);
  expect(Object.keys(env).filter((name) => /^npm_|^INIT_CWD$|^NODE$/i.test(name))).toEqual([
    "npm_config_registry",
  ]);
  expect(env["HOME"]).toBe("/home/somebody");
});

test("puts the toolchain first on PATH", () => {
  const path = jobEnvironment(inherited, ["/tools/bin", "/tools/node"])["PATH"]?.split(delimiter);
  expect(path?.slice(0, 2)).toEqual(["/tools/bin", "/tools/node"]);
  expect(path?.at(-1)).toBe("/usr/bin");
});

test("lets npm keep its cache, but not settings that change what is installed", () => {
  const env = setupEnvironment(inherited);
  expect(env["npm_config_cache"]).toBe("/ci/cache");
  expect(env["npm_config_omit"]).toBeUndefined();
});

test("hides the caller from real agents", () => {
  const caller = {
    ...inherited,
    LC_ALL: "C.UTF-8",
    CLAXEDO_SEED: "7",
    CLAXEDO_REAL_CLAUDE: "/usr/bin/claude",
    ANTHROPIC_API_KEY: "a key",
    CLAUDE_CONFIG_DIR: "/home/somebody/.claude",
    CLAUDECODE: "1",
    XDG_CONFIG_HOME: "/home/somebody/.config",
    https_proxy: "http://proxy.invalid/",
    NODE_OPTIONS: "--inspect",
  };
  expect(realTestEnvironment(caller, "/scratch")).toEqual({
    PATH: "/usr/bin",
    LC_ALL: "C.UTF-8",
    CLAXEDO_SEED: "7",
    HOME: "/scratch/home",
    TMPDIR: "/scratch",
  });
});
