import { readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** The holder of a lock, as stored in the lock file. */
export interface Holder {
  readonly pid: number;
  /** Start time, which differs for a later process with the same id; null if the system has no start times. */
  readonly born: string | null;
  readonly host: string;
  /**
   * The PID namespace on its host, because containers have their own process ids and may share a host name; null if the system has no
   * namespaces.
   */
  readonly space: string | null;
  /** Unique for each holder. */
  readonly token: string;
}

/** Returns the holder in the text of a lock; null if the text was never a complete lock. */
export function parseHolder(text: string): Holder | null {
  try {
    const holder = JSON.parse(text) as Partial<Holder> | null;
    return typeof holder?.pid === 'number' && typeof holder.host === 'string' ? (holder as Holder) : null;
  } catch {
    return null;
  }
}

/** Returns the PID namespace of this process. */
export function ownSpace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return null;
  }
}

/** Number of checks of a process, and their interval in milliseconds: a killed process takes a while to end. */
const looks = { most: 10, everyMs: 50 } as const;

/** Whether a holder on this machine is alive and could still write; null if its id exists but the system has no start times. */
export async function livesHere({ pid, born }: Holder): Promise<boolean | null> {
  for (let look = 1; isListed(pid); look += 1) {
    const seen = processOf(pid);
    if (seen === null || born === null) return null;
    if (seen.hasEnded || seen.born !== born) return false;
    if (pid === process.pid || look === looks.most) return true;
    await wait(looks.everyMs);
  }
  return false;
}

function isListed(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Returns start time (boot id and kernel ticks) and whether the process is a zombie; null if the system has no such data. */
export function processOf(pid: number): { born: string; hasEnded: boolean } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // The first thread may have ended while another thread still writes.
    return { born: `${boot}/${fields[19]}`, hasEnded: /^[ZX]$/.test(fields[0]!) && Number(fields[17]) <= 1 };
  } catch {
    return null;
  }
}
