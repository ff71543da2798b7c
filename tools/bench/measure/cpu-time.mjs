/** CPU time of this process in milliseconds, garbage collection included: neighbours on the machine do not count. */
export function cpuTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
