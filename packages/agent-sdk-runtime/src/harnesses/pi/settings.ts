import type { SettingsManager } from "@earendil-works/pi-coding-agent";
import type { PiLibrary } from "./library.ts";

/** Settings as pi stores them. */
export type PiSettings = ReturnType<SettingsManager["getGlobalSettings"]>;

/** The user's own settings. Those of the workspace are not trusted, so they are not read. */
export function readUserSettings(pi: PiLibrary, directory: string, agentDir: string): PiSettings {
  return pi.SettingsManager.create(directory, agentDir, { projectTrusted: false }).getGlobalSettings();
}

/**
 * A copy for one session that is never written back: no telemetry, no paid requests outside of turns,
 * nothing that installs packages or runs their code in our process.
 */
export function sessionSettings(pi: PiLibrary, user: PiSettings, scripted: boolean): SettingsManager {
  const settings: PiSettings = {
    ...user,
    enableInstallTelemetry: false,
    enableAnalytics: false,
    cacheWarming: "off",
    packages: [],
    extensions: [],
    themes: [],
    // A scripted failure is meant: its words must neither start a retry nor a compaction.
    ...(scripted && { retry: { enabled: false }, compaction: { enabled: false } }),
  };
  return pi.SettingsManager.inMemory(settings, { projectTrusted: false });
}
