import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** Waits `ms` milliseconds, or until the client disconnects. */
export async function waitWith(outgoing: ServerResponse | undefined, ms: number): Promise<void> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  outgoing?.once('close', leave);
  await wait(ms, undefined, { ref: false, signal: gone.signal }).catch(() => undefined);
  outgoing?.off('close', leave);
}
