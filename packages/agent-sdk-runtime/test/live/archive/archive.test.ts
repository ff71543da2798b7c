import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate as nextTick } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { AGENT, MAIN, META, modeOf, newScene, nothing, type Scene, SESSION, TREE } from "./transcripts.ts";

const OTHER = "c6d61aeb-1047-4767-bcdb-e7cb108830c1";
const MIB = 1024 * 1024;

describe("an archive", () => {
  it("mirrors the main file, subagents and tool results, once", async () => {
    const scene = newScene();
    scene.write(TREE);
    const archive = scene.archive();
    const bytes = Object.values(TREE).join("").length;
    expect(await archive.mirror([SESSION])).toEqual({ files: 4, bytes, problems: [] });
    expect(scene.copies()).toEqual(scene.sources());
    expect(await archive.mirror([SESSION])).toEqual(nothing);
  });

  it("keeps everything to its user, and the times of the files", async () => {
    const scene = newScene();
    scene.write(TREE);
    utimesSync(scene.source(META), 1_700_000_000.5, 1_700_000_000.5);
    await scene.archive().mirror([SESSION]);
    for (const folder of ["", SESSION, dirname(META)]) expect(modeOf(scene.copy(folder))).toBe(0o700);
    for (const file of Object.keys(TREE)) expect(modeOf(scene.copy(file))).toBe(0o600);
    expect(statSync(scene.copy(META)).mtimeMs).toBe(1_700_000_000_500);
  });

  it("appends rows to the copy it has, and no more than what is new", async () => {
    const scene = newScene();
    scene.write(TREE);
    const archive = scene.archive();
    await archive.mirror([SESSION]);
    const { ino } = statSync(scene.copy(MAIN));
    scene.append(MAIN, '{"type":"user","te');
    scene.append(AGENT, '{"uuid":"5"}\n');
    expect(await archive.mirror([SESSION])).toEqual({ files: 2, bytes: 18 + 13, problems: [] });
    // A row is copied as far as it is written (B116).
    expect(readFileSync(scene.copy(MAIN), "utf8")).toBe(`${TREE[MAIN]}{"type":"user","te`);
    scene.append(MAIN, 'xt":"x"}\n');
    expect(await archive.mirror([SESSION])).toEqual({ files: 1, bytes: 9, problems: [] });
    expect(scene.copies()).toEqual(scene.sources());
    expect(statSync(scene.copy(MAIN)).ino).toBe(ino);
  });

  it("goes on where an earlier archive of the same folder has ended", async () => {
    const scene = newScene();
    scene.write(TREE);
    await scene.archive().mirror([SESSION]);
    scene.append(MAIN, '{"uuid":"5"}\n');
    expect(await scene.archive().mirror([SESSION])).toEqual({ files: 1, bytes: 13, problems: [] });
  });

  it("copies anew what was cut, rewritten or put in another's place (B116)", async () => {
    const scene = newScene();
    scene.write(TREE);
    const archive = scene.archive();
    await archive.mirror([SESSION]);
    truncateSync(scene.source(MAIN), 10);
    scene.write({ [AGENT]: `{"uuid":"6"}\n${TREE[AGENT]}` });
    scene.write({ new: '{"agentType":"general-purpose","spawnDepth":2}' });
    renameSync(scene.source("new"), scene.source(META));
    expect(await archive.mirror([SESSION])).toMatchObject({ files: 3, problems: [] });
    expect(scene.copies()).toEqual(scene.sources());
  });

  it("copies anew what lost a row long before its end, and has grown since", async () => {
    const scene = newScene();
    const rows = Array.from({ length: 5000 }, (_, n) => `{"uuid":"${n}"}\n`);
    scene.write({ [MAIN]: rows.join("") });
    const archive = scene.archive();
    await archive.mirror([SESSION]);
    scene.write({ [MAIN]: [...rows.toSpliced(2500, 1), "{}\n".repeat(10)].join("") });
    await archive.mirror([SESSION]);
    expect(scene.copies()).toEqual(scene.sources());
  });

  it("copies anew what was changed in its middle and kept its size", async () => {
    const scene = newScene();
    const text = "x".repeat(MIB);
    scene.write({ [MAIN]: text });
    utimesSync(scene.source(MAIN), 1, 1);
    const archive = scene.archive();
    await archive.mirror([SESSION]);
    scene.write({ [MAIN]: `${text.slice(0, MIB / 2)}y${text.slice(MIB / 2 + 1)}` });
    await archive.mirror([SESSION]);
    expect(scene.copies()).toEqual(scene.sources());
  });

  it("repairs a copy that somebody has changed", async () => {
    const scene = newScene();
    scene.write(TREE);
    const archive = scene.archive();
    await archive.mirror([SESSION]);
    appendFileSync(scene.copy(MAIN), "mine");
    writeFileSync(scene.copy(META), TREE[META]!.replaceAll("1", "2"));
    expect(await archive.mirror([SESSION])).toMatchObject({ files: 2, problems: [] });
    expect(scene.copies()).toEqual(scene.sources());
  });

  it("keeps what the CLI removes", async () => {
    const scene = newScene();
    scene.write(TREE);
    const archive = scene.archive();
    await archive.mirror([SESSION]);
    const before = scene.copies();
    rmSync(scene.source(SESSION), { recursive: true });
    expect(await archive.mirror([SESSION])).toEqual(nothing);
    rmSync(scene.source(MAIN));
    expect((await archive.mirror([SESSION])).problems).toEqual([
      `No transcript of session ${SESSION} in ${scene.projects}.`,
    ]);
    expect(scene.copies()).toEqual(before);
  });

  it("mirrors all sessions it was told of, and names that it never saw", async () => {
    const scene = newScene();
    scene.write(TREE);
    scene.write({
      [`${OTHER}.jsonl`]: "{}\n",
      [`${OTHER}/later/\u00fc \u2028.bin`]: "\0\r\n",
      "x.jsonl": "no",
    });
    const archive = scene.archive();
    await archive.mirror([OTHER]);
    scene.append(`${OTHER}.jsonl`, "{}\n");
    await archive.mirror([SESSION]);
    const { ["x.jsonl"]: _, ...mirrored } = Object.fromEntries(scene.sources());
    expect(Object.fromEntries(scene.copies())).toEqual(mirrored);
  });

  it("finds the folder of a working directory that is named by a link", async () => {
    const scene = newScene();
    scene.write(TREE);
    const cwd = join(scene.root, "link");
    symlinkSync(scene.cwd, cwd);
    const link = Object.assign(scene, { cwd });
    expect(await link.archive().mirror([SESSION])).toMatchObject({ files: 4, problems: [] });
  });

  it("finds a session that was begun in another directory, by its newest transcript", async () => {
    const scene = newScene();
    scene.write({ ...TREE, [`../-old/${MAIN}`]: "old" });
    utimesSync(scene.source(`../-old/${MAIN}`), 1, 1);
    mkdirSync(join(scene.projects, "-empty"));
    const elsewhere = Object.assign(scene, { cwd: join(scene.root, "elsewhere") });
    expect(await elsewhere.archive().mirror([SESSION])).toMatchObject({ files: 4, problems: [] });
    expect(scene.copies()).toEqual(scene.sources());
  });

  it("follows a session that the CLI moves to the folder of another directory", async () => {
    const scene = newScene();
    scene.write(TREE);
    const archive = scene.archive();
    await archive.mirror([SESSION]);
    renameSync(scene.project, join(scene.projects, "-worktree"));
    appendFileSync(join(scene.projects, "-worktree", MAIN), '{"uuid":"5"}\n');
    expect(await archive.mirror([SESSION])).toEqual({ files: 1, bytes: 13, problems: [] });
  });

  it("leaves out what the CLI has not given its name yet", async () => {
    const scene = newScene();
    scene.write({ ...TREE, [`${META}.tmp.928b17b8`]: "{", [`${META}.tmp.12778.16b0e89be59e`]: "{" });
    expect(await scene.archive().mirror([SESSION])).toMatchObject({ files: 4, problems: [] });
    expect([...scene.copies().keys()]).toEqual(Object.keys(TREE).toSorted());
  });

  it("mirrors a part of a file that is too large, and says so (B117)", async () => {
    const scene = newScene();
    scene.write(TREE);
    const archive = scene.archive({ maxFileBytes: 100 });
    const problem = (path: string) => `Of ${path} only the first 100 bytes are mirrored.`;
    const large = `${SESSION}/tool-results/bdu46b8n7.txt`;
    expect(await archive.mirror([SESSION])).toMatchObject({ files: 4, problems: [problem(large)] });
    for (const path of [MAIN, large]) scene.append(path, "x".repeat(100));
    const { files, bytes, problems } = await archive.mirror([SESSION]);
    expect({ files, bytes }).toEqual({ files: 1, bytes: 100 - TREE[MAIN]!.length });
    expect(problems).toEqual([MAIN, large].map(problem));
    for (const path of [MAIN, large]) {
      expect(readFileSync(scene.copy(path), "utf8")).toBe(
        readFileSync(scene.source(path), "utf8").slice(0, 100),
      );
    }
  });

  it("says when there is no transcript, and mirrors it once there is (B117)", async () => {
    const scene = newScene();
    const archive = scene.archive();
    const missing = { ...nothing, problems: [`No transcript of session ${SESSION} in ${scene.projects}.`] };
    expect(await archive.mirror([SESSION])).toEqual(missing);
    rmSync(scene.configDir, { recursive: true });
    expect(await archive.mirror([SESSION])).toEqual(missing);
    scene.write(TREE);
    expect(await archive.mirror([SESSION])).toMatchObject({ files: 4, problems: [] });
  });

  it("makes no path of what is no session id", async () => {
    const scene = newScene();
    scene.write(TREE);
    const ids = ["", "..", "../../etc/passwd", `${SESSION}/..`, `${SESSION}\n`, "x".repeat(1000)];
    const { problems, files } = await scene.archive().mirror([...ids, SESSION]);
    expect(problems).toEqual(ids.map((id) => `${id.slice(0, 80)} is no session id.`));
    expect(files).toBe(4);
  });

  it("tells of at most fifty problems, and how many more there are", async () => {
    const scene = newScene();
    scene.write(TREE);
    for (let n = 0; n < 60; n += 1) symlinkSync("x", scene.source(`${SESSION}/link${n}`));
    const { files, problems } = await scene.archive().mirror([SESSION]);
    expect({ files, told: problems.length, last: problems.at(-1) }).toEqual({
      files: 4,
      told: 51,
      last: "10 more problems.",
    });
  });
});

describe("a pass", () => {
  it("is shared by calls that come while another one runs, and sees what was written before them", async () => {
    const scene = newScene();
    scene.write(TREE);
    const archive = scene.archive();
    const first = archive.mirror([SESSION]);
    await nextTick();
    scene.write({ [`${OTHER}.jsonl`]: "{}\n" });
    const second = archive.mirror([]);
    const third = archive.mirror([OTHER]);
    expect(third).toBe(second);
    expect((await first).problems).toEqual([]);
    expect(await second).toMatchObject({ problems: [] });
    expect(scene.copies()).toEqual(scene.sources());
  });

  it("may run beside one of another archive on the same folder", async () => {
    const scene = newScene();
    scene.write(TREE);
    const archives = Array.from({ length: 4 }, () => scene.archive());
    for (let round = 0; round < 20; round += 1) {
      const passes = archives.map((archive) => archive.mirror([SESSION]));
      scene.append(MAIN, `{"round":${round}}\n`.repeat(1000));
      scene.write({ [META]: `{"round":${round}}` });
      for (const { problems } of await Promise.all(passes)) expect(problems).toEqual([]);
    }
    await scene.archive().mirror([SESSION]);
    expect(scene.copies()).toEqual(scene.sources());
  });

  it("shows a reader nothing but whole versions, and beginnings of what is appended", async () => {
    const scene = newScene();
    const version = (n: number) => `${n}`.repeat(((n + 1) * MIB) / 2);
    scene.write({ [MAIN]: version(0), [AGENT]: version(0), [META]: version(0) });
    const archive = scene.archive();
    await archive.mirror([SESSION]);
    const versions = [Buffer.from(version(0))];
    let [read, torn] = [0, 0];
    for (let n = 1; n <= 2; n += 1) {
      versions.push(Buffer.from(version(n)));
      scene.append(MAIN, version(n));
      scene.write({ [AGENT]: version(n), [META]: version(n) });
      const appended = readFileSync(scene.source(MAIN));
      let settled = false;
      const pass = archive.mirror([SESSION]).finally(() => (settled = true));
      while (!settled) {
        const beginning = readFileSync(scene.copy(MAIN));
        if (!appended.subarray(0, beginning.length).equals(beginning)) torn += 1;
        for (const path of [AGENT, META]) {
          const bytes = readFileSync(scene.copy(path));
          if (!versions.some((one) => one.equals(bytes))) torn += 1;
        }
        read += 1;
        await nextTick();
      }
      expect((await pass).problems).toEqual([]);
      expect(scene.copies()).toEqual(scene.sources());
    }
    expect(read).toBeGreaterThan(10);
    expect(torn).toBe(0);
  });

  it("notices that what it has copied was changed while it appends", async () => {
    const scene = newScene();
    scene.write({ [MAIN]: "{}\n" });
    const archive = scene.archive();
    await archive.mirror([SESSION]);
    const { ino } = statSync(scene.copy(MAIN));
    truncateSync(scene.source(MAIN), 100 * MIB);
    const pass = archive.mirror([SESSION]);
    await vi.waitUntil(() => statSync(scene.copy(MAIN)).size > 3, { timeout: 20_000, interval: 1 });
    const source = openSync(scene.source(MAIN), "r+");
    writeSync(source, "[", 0);
    closeSync(source);
    expect(await pass).toEqual({ files: 1, bytes: 100 * MIB, problems: [] });
    expect(statSync(scene.copy(MAIN)).ino).not.toBe(ino);
    expect(readFileSync(scene.copy(MAIN)).equals(readFileSync(scene.source(MAIN)))).toBe(true);
  });

  it("stops within a large file when it is told to, leaves nothing of it, and a later one takes it (B117)", async () => {
    const scene = newScene();
    scene.write(TREE);
    truncateSync(scene.source(MAIN), 200 * MIB);
    const stop = new AbortController();
    const archive = scene.archive({}, stop.signal);
    const [running, waiting] = [archive.mirror([SESSION]), nextTick().then(() => archive.mirror([SESSION]))];
    await vi.waitUntil(() => unfinishedBytes(scene) > 0, { timeout: 20_000, interval: 1 });
    stop.abort();
    const stopped = { ...nothing, problems: ["The mirror was stopped before it was complete."] };
    expect([await running, await waiting]).toEqual([stopped, stopped]);
    expect(scene.copies().size).toBe(0);
    const memory = await peakOf(scene.archive().mirror([SESSION]));
    expect(statSync(scene.copy(MAIN)).size).toBe(200 * MIB);
    expect(memory).toBeLessThan(16 * MIB);
  });

  function unfinishedBytes(scene: Scene): number {
    try {
      const folder = scene.copy(".unfinished");
      return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    } catch {
      return 0;
    }
  }

  /** How much more memory buffers took than before, at most, until the work was done. */
  async function peakOf(work: Promise<unknown>): Promise<number> {
    const before = process.memoryUsage().arrayBuffers;
    let peak = 0;
    let done = false;
    void work.finally(() => (done = true));
    while (!done) {
      peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
      await nextTick();
    }
    return peak;
  }
});
