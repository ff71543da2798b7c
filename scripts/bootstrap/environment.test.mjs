import { delimiter } from "node:path";
import { expect, test } from "vitest";
import { jobEnvironment, setupEnvironment } from "./environment.mjs";

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
