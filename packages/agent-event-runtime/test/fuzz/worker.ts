// Runs rounds in a thread of its own, so that the main one can keep time and hear signals.
import { parentPort, workerData } from "node:worker_threads";
import { type RoundsToRun, rounds } from "./rounds.ts";

for (const news of rounds(workerData as RoundsToRun)) parentPort?.postMessage(news);
