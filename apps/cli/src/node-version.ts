/** The lowest Node that runs the command and every agent in it. */
export const lowestNode: readonly [major: number, minor: number] = [22, 19];

/** Whether this version of Node (`24.1.0`) is recent enough. */
export function isNodeSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > lowestNode[0] || (major === lowestNode[0] && minor >= lowestNode[1]);
}
