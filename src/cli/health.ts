import { readFileSync } from 'node:fs';
import type { Settings } from '../server/options.js';

/** How long the sandbox may take to say that it is ready, in milliseconds. */
const timeoutMs = 2500;

/** The flags of a sandbox, out of a command line whose parts end with zero bytes, as `/proc` has it; none of any other program. */
export function flagsIn(commandLine: string): string[] {
  const parts = commandLine.split('\0').slice(0, -1);
  const program = parts.findIndex((part) => /(^|\/)(main\.cjs|crossborder-sandbox)$/.test(part));
  return program < 0 ? [] : parts.slice(program + 1);
}

/** The flags that the sandbox of this container was started with, as its first process; none where that cannot be told. */
export function containerFlags(): string[] {
  try {
    return flagsIn(readFileSync('/proc/1/cmdline', 'utf8'));
  } catch {
    return [];
  }
}

/** Whether a sandbox with these settings is ready on this machine. */
export async function isReady({ HOST, PORT, CONTROL_PORT }: Pick<Settings, 'HOST' | 'PORT' | 'CONTROL_PORT'>): Promise<boolean> {
  const host = HOST === '0.0.0.0' ? '127.0.0.1' : HOST === '::' ? '[::1]' : HOST.includes(':') ? `[${HOST}]` : HOST;
  try {
    const url = `http://${host}:${CONTROL_PORT ?? PORT}/_sandbox/health/ready`;
    return (await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })).ok;
  } catch {
    return false;
  }
}
