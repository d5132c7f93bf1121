import { readFileSync } from 'node:fs';

/** Duration of a tick of the kernel's accounting, in microseconds. */
const tickUs = 10_000;

/** Returns the processor time of a process, in microseconds. */
export function usedUs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user) + Number(system)) * tickUs;
}
