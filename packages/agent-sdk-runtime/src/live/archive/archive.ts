import { join, resolve } from "node:path";
import { Lane } from "../../base/lane.ts";
import { isUuid } from "../input.ts";
import { ArchiveFolder } from "./archive-folder.ts";
import { type ArchiveReport, ReportDraft } from "./archive-report.ts";
import { type Mirror, mirrorFile } from "./mirror-file.ts";
import { findProjectFolder, realPathToBe } from "./project-folder.ts";
import { listTranscript } from "./transcript-tree.ts";

/** By what the CLI's transcripts are found: `<configDir>/projects/<project folder>/<sessionId>.jsonl`. */
export interface TranscriptPlace {
  /** The CLI's `CLAUDE_CONFIG_DIR`, or `~/.claude`. */
  readonly configDir: string;
  /** The directory that the CLI was started in. */
  readonly cwd: string;
}

/** Where and how much is mirrored. */
export interface ArchiveOptions {
  /** The folder of the copies. It is made if need be, readable by its user only. */
  readonly directory: string;
  /** How much of a file is mirrored, from its beginning, in bytes. Default 256 MiB. */
  readonly maxFileBytes?: number;
}

const MAX_FILE_BYTES = 256 * 1024 * 1024;

/**
 * A mirror of transcripts in a folder of the caller's: `<sessionId>.jsonl`, and in a folder `<sessionId>`
 * subagents and large tool results, byte for byte and with the same modification times.
 *
 * - A `.jsonl` file that grew is appended to; while that is done, and while the CLI is writing a row, its
 *   last line may be in the making. Everything else changes at once, by a new file that takes the old
 *   one's name. What the CLI removes stays.
 * - Links are never followed; nothing but ordinary files is read. Files are 0600, folders 0700.
 * - It keeps no account of its own: what is new shows from the files, so a later archive goes on where
 *   this one ended, and several may share a folder, also for the same session.
 */
export class TranscriptArchive {
  readonly #place: TranscriptPlace;
  readonly #options: Required<ArchiveOptions>;
  readonly #signal: AbortSignal | undefined;
  readonly #sessionIds = new Set<string>();
  readonly #passes = new Lane();
  #next: Promise<ArchiveReport> | undefined;

  /** The signal ends all passes, the running one within 256 KiB of copying. */
  constructor(place: TranscriptPlace, options: ArchiveOptions, signal?: AbortSignal) {
    const { directory, maxFileBytes = MAX_FILE_BYTES } = options;
    this.#place = { configDir: resolve(place.configDir), cwd: resolve(place.cwd) };
    this.#options = { directory: resolve(directory), maxFileBytes };
    this.#signal = signal;
  }

  /**
   * Mirrors what is new of these sessions, and of those of earlier calls. One pass at a time; calls during
   * a pass share the next one. Never rejects: what went wrong is told in the report.
   */
  mirror(sessionIds: readonly string[]): Promise<ArchiveReport> {
    for (const sessionId of sessionIds) this.#sessionIds.add(sessionId);
    this.#next ??= this.#passes.run(() => {
      this.#next = undefined;
      return this.#pass();
    });
    return this.#next;
  }

  async #pass(): Promise<ArchiveReport> {
    const report = new ReportDraft();
    try {
      const projects = await realPathToBe(join(this.#place.configDir, "projects"));
      const archive = await ArchiveFolder.open(this.#options.directory, projects);
      for (const sessionId of this.#sessionIds) {
        await this.#mirrorSession(projects, archive, sessionId, report);
      }
    } catch (error) {
      report.problem(
        this.#signal?.aborted === true ? "The mirror was stopped before it was complete." : error,
      );
    }
    return report.finish();
  }

  async #mirrorSession(
    projects: string,
    archive: ArchiveFolder,
    sessionId: string,
    report: ReportDraft,
  ): Promise<void> {
    if (!isUuid(sessionId)) return report.problem(`${sessionId.slice(0, 80)} is no session id.`);
    const project = await findProjectFolder(projects, this.#place.cwd, sessionId);
    if (project === undefined) return report.problem(`No transcript of session ${sessionId} in ${projects}.`);
    const { maxFileBytes } = this.#options;
    const mirror: Mirror = { project, archive, maxFileBytes, ...(this.#signal && { signal: this.#signal }) };
    for await (const entry of listTranscript(project, sessionId)) {
      this.#signal?.throwIfAborted();
      if ("problem" in entry) report.problem(entry.problem);
      else await this.#mirrorFile(mirror, entry.path, report);
    }
  }

  async #mirrorFile(mirror: Mirror, path: string, report: ReportDraft): Promise<void> {
    try {
      const { bytes, cut } = await mirrorFile(mirror, path);
      if (bytes !== undefined) report.copied(bytes);
      if (cut) report.problem(`Of ${path} only the first ${mirror.maxFileBytes} bytes are mirrored.`);
    } catch (error) {
      this.#signal?.throwIfAborted();
      report.problem(error);
    }
  }
}
