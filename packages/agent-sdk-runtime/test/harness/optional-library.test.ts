import { expect, test } from "vitest";
import {
  libraryHealth,
  type LibraryHost,
  loadLibrary,
  thisProcess,
} from "../../src/harness/optional-library.ts";

function host(version: string | undefined, nodeVersion = "24.1.0"): LibraryHost {
  return { nodeVersion, installedVersion: () => version };
}

function library(load: () => Promise<string> = async () => "loaded") {
  return { name: "some-agent", minimum: "1.6.0", node: "22.19.0", load };
}

const missing = () => Promise.reject(new Error("Cannot find package 'some-agent'"));

test.each(["1.6.0", "1.6.1", "1.10.0", "1.6.1-beta.2"])("takes version %s", async (version) => {
  expect(libraryHealth(library(), host(version))).toEqual({ ok: true, version });
  expect(await loadLibrary(library(), host(version))).toBe("loaded");
});

test.each(["0.74.2", "1.5.9", "2.0.0"])(
  "refuses version %s and names the command that helps",
  async (version) => {
    const message = expect.stringMatching(/\^1\.6\.0 is needed: run npm install some-agent@\^1\.6\.0$/u);
    expect(libraryHealth(library(), host(version))).toEqual({ ok: false, version, message });
    await expect(loadLibrary(library(), host(version))).rejects.toMatchObject({
      code: "harness-unavailable",
      message,
    });
  },
);

test.each(["20.20.2", "22.13.0", "22.18.9"])("refuses Node %s before it loads anything", async (node) => {
  const message = expect.stringMatching(/needs Node 22\.19\.0 or newer, and this is Node/u);
  expect(libraryHealth(library(), host("1.6.0", node))).toMatchObject({ ok: false, message });
  const loads = library(() => Promise.reject(new Error("was loaded")));
  await expect(loadLibrary(loads, host("1.6.0", node))).rejects.toMatchObject({
    code: "harness-unavailable",
    message,
  });
});

test("names the command that installs what is missing", async () => {
  const message = "some-agent ^1.6.0 is not installed: run npm install some-agent@^1.6.0";
  expect(libraryHealth(library(), host(undefined))).toEqual({ ok: false, message });
  await expect(loadLibrary(library(missing), host(undefined))).rejects.toMatchObject({
    code: "harness-unavailable",
    message,
  });
});

test("loads what it could not find on disk", async () => {
  expect(await loadLibrary(library(), host(undefined))).toBe("loaded");
});

test("tells why an installed library does not load", async () => {
  const broken = library(() => Promise.reject(new Error("its own dependency is gone")));
  await expect(loadLibrary(broken, host("1.6.0"))).rejects.toThrow(
    "some-agent 1.6.0 does not load: its own dependency is gone",
  );
});

test("finds an installed version without loading the package", () => {
  expect(thisProcess.installedVersion("@earendil-works/pi-coding-agent")).toMatch(/^1\.\d+\.\d+$/u);
  expect(thisProcess.installedVersion("no-such-package-anywhere")).toBeUndefined();
});
