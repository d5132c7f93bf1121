import { readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** Who holds a lock, as the lock says. */
export interface Holder {
  readonly pid: number;
  /** What tells a process from a later one of the same id; null where the system does not say. */
  readonly born: string | null;
  readonly host: string;
  /** Where on its host its id means that process: each container has ids of its own, and may have the name of its host; null where the system does not say. */
  readonly space: string | null;
  /** What no other holder ever has. */
  readonly token: string;
}

/** The holder that the text of a lock names; null when it names none, and so never was a lock. */
export function parseHolder(text: string): Holder | null {
  try {
    const holder = JSON.parse(text) as Partial<Holder> | null;
    return typeof holder?.pid === 'number' && typeof holder.host === 'string' ? (holder as Holder) : null;
  } catch {
    return null;
  }
}

/** Where the id of this process means it. */
export function ownSpace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return null;
  }
}

/** How often, and after how many milliseconds, a process is looked at again that may be about to end: one that was killed takes a while. */
const looks = { most: 10, everyMs: 50 } as const;

/** Whether a holder on this machine lives, and so could still write. */
export async function livesHere(holder: Holder): Promise<boolean> {
  // A container's first process always has the same id; without its time of birth it is taken for an earlier one.
  if (holder.pid === process.pid) return holder.born !== null && holder.born === processOf(process.pid)?.born;
  for (let look = 1; ; look += 1) {
    if (!isListed(holder.pid)) return false;
    const seen = processOf(holder.pid);
    if (seen && holder.born !== null && (seen.hasEnded || seen.born !== holder.born)) return false;
    if (look === looks.most) return true;
    await wait(looks.everyMs);
  }
}

function isListed(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** When a process began, in the kernel's ticks with the boot that they count from, and whether only its entry in the list is left; null where the system does not say. */
export function processOf(pid: number): { born: string; hasEnded: boolean } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // The first thread of a process may have ended while another one still writes.
    return { born: `${boot}/${fields[19]}`, hasEnded: /^[ZX]$/.test(fields[0]!) && Number(fields[17]) <= 1 };
  } catch {
    return null;
  }
}
