import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The inode of the socket that listens at a port, as a table of `/proc/net` has it: columns in hex, state 0A for listening. */
function listeningInode(table: string, port: number): string | undefined {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const line of table.split('\n').slice(1)) {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
    if (local?.endsWith(wanted) && state === '0A') return inode;
  }
  return undefined;
}

/** Whether a process has a socket open. */
function hasSocket(pid: string, inode: string): boolean {
  return readdirSync(`/proc/${pid}/fd`).some((each) => readlinkSync(`/proc/${pid}/fd/${each}`) === `socket:[${inode}]`);
}

/** Who listens at a port of this machine, as `Process 42 (nginx -g)`; null where the system does not say. */
export function portHolder(port: number): string | null {
  const inode = ['tcp', 'tcp6']
    .map((each) => attempted(() => listeningInode(readFileSync(`/proc/net/${each}`, 'utf8'), port)))
    .find(Boolean);
  if (inode === undefined || inode === null) return null;
  const pids = (attempted(() => readdirSync('/proc')) ?? []).filter((each) => /^[0-9]+$/.test(each));
  const pid = pids.find((each) => attempted(() => hasSocket(each, inode)) === true);
  if (pid === undefined) return null;
  const command = attempted(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()) ?? '';
  return `Process ${pid} (${command.slice(0, 100)})`;
}

/** What a look at the system comes to; null when it does not let one look, or when a process has ended meanwhile. */
function attempted<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}
