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

/** Whether a holder on this machine lives, and so could still write; null where its id does and the system does not say since when. */
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
