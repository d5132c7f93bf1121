import { readFileSync } from 'node:fs';

/** Time of the main thread of a process, in milliseconds: on a processor, and waiting for one because the machine is busy. */
export interface ProcessorTime {
  readonly workedMs: number;
  readonly waitedMs: number;
}

/** Returns the time of a process since its start; null if the system does not report it. */
export function processorTimeOf(pid: number): ProcessorTime | null {
  try {
    const [worked, waited] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
    return { workedMs: Number(worked) / 1e6, waitedMs: Number(waited) / 1e6 };
  } catch {
    return null;
  }
}
