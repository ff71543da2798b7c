import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openRegular } from "../../../src/live/archive/regular-file.ts";
import { AGENT, MAIN, modeOf, newScene, type Scene, SESSION, TREE } from "./transcripts.ts";

const OTHER = "c6d61aeb-1047-4767-bcdb-e7cb108830c1";

describe("a file that is not to be read (B117)", () => {
  /** What a link must not lead to. */
  function secretOf(scene: Scene): string {
    const folder = join(scene.root, "secret");
    mkdirSync(folder);
    for (const name of ["key", MAIN, "agent-x.jsonl"]) writeFileSync(join(folder, name), "secret\n");
    return folder;
  }

  const links: readonly (readonly [what: string, plant: (scene: Scene, secret: string) => string])[] = [
    ["the main file", (scene, secret) => plant(scene.source(MAIN), join(secret, "key"))],
    ["the folder of the session", (scene, secret) => plant(scene.source(SESSION), secret)],
    ["the folder of the subagents", (scene, secret) => plant(scene.source(`${SESSION}/subagents`), secret)],
    [
      "a tool result",
      (scene, secret) => plant(scene.source(`${SESSION}/tool-results/a.txt`), join(secret, "key")),
    ],
    ["a file that is not there", (scene) => plant(scene.source(`${SESSION}/b`), "/nowhere")],
  ];

  function plant(path: string, target: string): string {
    rmSync(path, { recursive: true, force: true });
    symlinkSync(target, path);
    return path;
  }

  it.each(links)("is one behind a link in the place of %s", async (_, plantLink) => {
    const scene = newScene();
    scene.write(TREE);
    const link = plantLink(scene, secretOf(scene));
    const { problems } = await scene.archive().mirror([SESSION]);
    expect(problems).toEqual([`${link} is a link: it is not followed.`]);
    expect([...scene.copies().values()].join("")).not.toContain("secret");
    expect(scene.copies().size).toBeGreaterThan(0);
  });

  it("is one behind a link in the place of the project folder", async () => {
    const scene = newScene();
    plant(scene.project, secretOf(scene));
    const { files, problems } = await scene.archive().mirror([SESSION]);
    expect({ files, problems }).toEqual({
      files: 0,
      problems: [`No transcript of session ${SESSION} in ${scene.projects}.`],
    });
  });

  it("is one that a link leads to by the time it is opened", async () => {
    const scene = newScene();
    const secret = secretOf(scene);
    symlinkSync(secret, join(scene.root, "link"));
    const path = join(scene.root, "link", "key");
    await expect(openRegular(path, "read")).rejects.toThrow(`${path} was moved, or a link leads to it.`);
    await using direct = await openRegular(join(secret, "key"), "read");
    expect(await direct?.readFile("utf8")).toBe("secret\n");
  });

  it("is a socket", async () => {
    const scene = newScene();
    scene.write(TREE);
    const server = createServer().listen(join(scene.root, "s"));
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const socket = scene.source(`${SESSION}/socket`);
    renameSync(join(scene.root, "s"), socket);
    const { files, problems } = await scene.archive().mirror([SESSION]);
    expect({ files, problems }).toEqual({ files: 4, problems: [`${socket} is no ordinary file.`] });
  });

  it("is one that may not be read: the others are mirrored", async () => {
    const scene = newScene();
    scene.write(TREE);
    chmodSync(scene.source(AGENT), 0o000);
    mkdirSync(scene.directory);
    const { files, problems } = await withoutPrivileges(scene, () => scene.archive().mirror([SESSION]));
    expect({ files, problems }).toEqual({
      files: 3,
      problems: [`EACCES: permission denied, open '${scene.source(AGENT)}'`],
    });
  });

  it("is not looked for in folders that may not be entered", async () => {
    const scene = newScene();
    scene.write({ [`../-others/${MAIN}`]: "secret", [`../-begun/${MAIN}`]: "{}\n" });
    chmodSync(join(scene.projects, "-others"), 0o000);
    mkdirSync(scene.directory);
    const { files, problems } = await withoutPrivileges(scene, () => scene.archive().mirror([SESSION]));
    expect({ files, problems }).toEqual({ files: 1, problems: [] });
    expect(readFileSync(scene.copy(MAIN), "utf8")).toBe("{}\n");
  });

  /** Runs a job as a user whom permissions bind, if the superuser runs the tests. */
  async function withoutPrivileges<Result>(scene: Scene, job: () => Promise<Result>): Promise<Result> {
    if (process.geteuid?.() !== 0) return job();
    chmodSync(scene.root, 0o755);
    chmodSync(scene.directory, 0o777);
    process.seteuid?.(65_534);
    try {
      return await job();
    } finally {
      process.seteuid?.(0);
    }
  }
});

describe("the folder of an archive", () => {
  it("is made with what leads to it, and may be shared by sessions", async () => {
    const scene = newScene();
    scene.write({ ...TREE, [`${OTHER}.jsonl`]: "{}\n" });
    const directory = join(scene.directory, "deep", "er");
    const reports = await Promise.all(
      [SESSION, OTHER].map((session) => scene.archive({ directory }).mirror([session])),
    );
    expect(reports.map(({ files }) => files)).toEqual([4, 1]);
    expect(modeOf(directory)).toBe(0o700);
    expect(readdirSync(directory).toSorted()).toEqual([".unfinished", SESSION, MAIN, `${OTHER}.jsonl`]);
  });

  it("is left as it is when it exists, also behind a link", async () => {
    const scene = newScene();
    scene.write(TREE);
    mkdirSync(join(scene.root, "kept"), { mode: 0o755 });
    symlinkSync(join(scene.root, "kept"), scene.directory);
    expect(await scene.archive().mirror([SESSION])).toMatchObject({ files: 4, problems: [] });
    expect(modeOf(join(scene.root, "kept"))).toBe(0o755);
  });

  const wrong: readonly (readonly [what: string, problem: string, make: (scene: Scene) => string])[] = [
    ["a file", "cannot be made. (EEXIST", (scene) => file(scene.directory)],
    ["behind a file", "cannot be made. (ENOTDIR", (scene) => join(file(scene.directory), "archive")],
    ["a link to nowhere", "cannot be made. (", (scene) => link(scene.directory, "nowhere")],
    ["the folder of the projects", "where the CLI keeps its transcripts.", (scene) => scene.projects],
    [
      "in the transcript",
      "where the CLI keeps its transcripts.",
      (scene) => join(scene.project, SESSION, "x"),
    ],
    [
      "in the transcript, behind a link",
      "where the CLI keeps its transcripts.",
      (scene) => join(link(scene.directory, scene.project), "x"),
    ],
  ];

  function file(path: string): string {
    writeFileSync(path, "mine");
    return path;
  }

  function link(path: string, target: string): string {
    symlinkSync(target, path);
    return path;
  }

  it.each(wrong)("cannot be %s: the report says so, and nothing is touched", async (_, problem, make) => {
    const scene = newScene();
    scene.write(TREE);
    const directory = make(scene);
    const before = [readdirSync(scene.root), scene.sources()];
    const archive = scene.archive({ directory });
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const report = await archive.mirror([SESSION]);
      expect(report).toMatchObject({ files: 0, problems: [expect.stringContaining(problem)] });
      expect(report.problems[0]).toContain(directory);
    }
    expect([readdirSync(scene.root), scene.sources()]).toEqual(before);
  });

  it("may hold what is in the way of one file: the others are mirrored", async () => {
    const scene = newScene();
    scene.write(TREE);
    mkdirSync(scene.copy(MAIN), { recursive: true });
    mkdirSync(join(scene.root, "elsewhere"));
    symlinkSync(join(scene.root, "elsewhere"), scene.copy(SESSION));
    const { files, problems } = await scene.archive().mirror([SESSION]);
    expect({ files, problems: problems.length }).toEqual({ files: 0, problems: 4 });
    expect(problems[0]).toContain("EISDIR");
    expect(problems[1]).toContain(`The folder ${scene.copy(SESSION)} cannot be made. (EEXIST`);
    expect(readdirSync(join(scene.root, "elsewhere"))).toEqual([]);
    expect(readdirSync(scene.copy(".unfinished"))).toEqual([]);
  });

  it("loses a link that lies in the place of a copy, not what that leads to", async () => {
    const scene = newScene();
    scene.write(TREE);
    mkdirSync(scene.directory);
    symlinkSync(file(join(scene.root, "mine")), scene.copy(MAIN));
    expect(await scene.archive().mirror([SESSION])).toMatchObject({ files: 4, problems: [] });
    expect(readFileSync(join(scene.root, "mine"), "utf8")).toBe("mine");
    expect(scene.copies()).toEqual(scene.sources());
  });

  it("is cleaned of copies that a killed process left unfinished long ago, and of nothing else", async () => {
    const scene = newScene();
    const names = [`1700000000000-${OTHER}`, `${Date.now()}-${OTHER}`, "1700000000000-notes", "notes"];
    mkdirSync(scene.copy(".unfinished"), { recursive: true });
    for (const name of names) writeFileSync(scene.copy(`.unfinished/${name}`), "");
    await scene.archive().mirror([]);
    expect(readdirSync(scene.copy(".unfinished")).toSorted()).toEqual(names.slice(1).toSorted());
  });
});
