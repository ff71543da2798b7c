/** Where pi keeps what it knows. Everything has pi's own default. */
export interface PiOptions {
  /** Its credentials, models and settings. Default: `PI_CODING_AGENT_DIR`, else `~/.pi/agent`. */
  readonly agentDir?: string;
  /**
   * Where session files go. Default: pi's own for the workspace (`sessionDir` of its settings, else a
   * folder of the workspace below `<agentDir>/sessions`), so that `pi --resume` finds the sessions too.
   */
  readonly sessionDir?: string;
}
