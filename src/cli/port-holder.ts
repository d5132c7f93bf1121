import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { startOf } from '../contract/shared/messages/cut.js';

/** Returns the inode of the socket that listens on a port, from a `/proc/net` table. Ports are hexadecimal; state 0A means LISTEN. */
function listeningInode(table: string, port: number): string | undefined {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const line of table.split('\n').slice(1)) {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
    if (local?.endsWith(wanted) && state === '0A') return inode;
  }
  return undefined;
}

function hasSocket(pid: string, inode: string): boolean {
  return readdirSync(`/proc/${pid}/fd`).some((each) => readlinkSync(`/proc/${pid}/fd/${each}`) === `socket:[${inode}]`);
}

/** Returns the process that listens on a local port, for example `Process 42 (nginx -g)`; null if unknown. */
export function portHolder(port: number): string | null {
  const inode = ['tcp', 'tcp6']
    .map((each) => attempted(() => listeningInode(readFileSync(`/proc/net/${each}`, 'utf8'), port)))
    .find(Boolean);
  if (inode === undefined || inode === null) return null;
  const pids = (attempted(() => readdirSync('/proc')) ?? []).filter((each) => /^[0-9]+$/.test(each));
  const pid = pids.find((each) => attempted(() => hasSocket(each, inode)) === true);
  if (pid === undefined) return null;
  const command = attempted(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()) ?? '';
  return `Process ${pid} (${startOf(command, 100)})`;
}

/** Returns a port next to one that is in use. */
export const otherPort = (port: number): number => (port < 65_535 ? port + 1 : port - 1);

/** Returns the result of `look`; null if access is denied or the process has ended. */
function attempted<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}
