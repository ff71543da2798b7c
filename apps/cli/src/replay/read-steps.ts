import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { UsageError } from "../usage-error.ts";
import { NotARecording, type RecordingReader } from "./recording-reader.ts";
import type { ReplayStep } from "./replay-step.ts";

/** The steps of a recording as its file is read. A UsageError when it is none. */
export async function* readSteps(path: string, reader: RecordingReader): AsyncGenerator<ReplayStep> {
  try {
    for await (const chunk of createReadStream(path)) yield* reader.push(chunk as Uint8Array);
    yield* reader.end();
  } catch (error) {
    if (error instanceof NotARecording)
      throw new UsageError(`${path} is not a recording: ${error.message}.`, "replay");
    throw error;
  }
}

/** Whether there is a folder or a file of that name. A UsageError when there is nothing. */
export async function kindOfPath(path: string): Promise<"folder" | "file"> {
  try {
    return (await stat(path)).isDirectory() ? "folder" : "file";
  } catch (error) {
    const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
    throw missing ? new UsageError(`There is no ${path}.`, "replay") : error;
  }
}
