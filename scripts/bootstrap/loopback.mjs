// A network namespace with nothing in it but loopback, for what must not reach any network.
import { spawnSync } from "node:child_process";

/** Asks the kernel itself to bring loopback up, for a system without `ip`; perl-base is part of every Debian. */
const withPerl = `perl -MSocket -e 'socket(S, AF_INET, SOCK_DGRAM, 0) or die $!; $r = pack("a16 s x22", "lo", 1); ioctl(S, 0x8914, $r) or die $!'`;

/** Runs the command that follows it in such a namespace, as the same process, so that signals reach it. */
export const loopbackOnly = [
  "unshare",
  "--map-root-user",
  "--net",
  "sh",
  "-c",
  `{ ip link set lo up || ${withPerl}; } 2>/dev/null || exit; exec "$@"`,
  "sh",
];

/**
 * Whether this system lets us have one.
 * @param {import("./environment.mjs").Env} env
 */
export function canBeLoopbackOnly(env) {
  const [command = "", ...args] = loopbackOnly;
  return spawnSync(command, [...args, "true"], { env, stdio: "ignore" }).status === 0;
}
