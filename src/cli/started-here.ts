import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A running sandbox, as it noted itself. */
interface Note {
  readonly url: string;
  readonly pid: number;
}

/** Start of the names of notes. The rest is the id of the process. */
const prefix = 'address-';

/** Returns the cache of the clone that this program was started from; null for an installed package, which has no dependencies. */
function cacheOfClone(): string | null {
  const modules = attempted(() => join(dirname(realpathSync(process.argv[1]!)), '../node_modules'));
  return modules !== null && existsSync(modules) ? join(modules, '.cache/crossborder-sandbox') : null;
}

/**
 * Writes the address of a sandbox to its data directory and to the clone that it was started from, so that commands notice if they use
 * another sandbox. Directories that cannot be written are skipped.
 * @param data the setting SANDBOX_DATA
 * @returns a function that removes the notes
 */
export function noteStart(url: string, data: string): () => void {
  const isDirectory = data !== 'memory' && !/^postgres(ql)?:/.test(data);
  const directories = [...(isDirectory ? [data] : []), cacheOfClone()].filter((each) => each !== null);
  const files = directories.map((directory) => join(directory, `${prefix}${process.pid}.json`));
  for (const directory of directories) removeEnded(directory);
  for (const file of files)
    attempted(() => {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${JSON.stringify({ url, pid: process.pid } satisfies Note)}\n`, { mode: 0o600 });
    });
  return () => files.forEach((file) => attempted(() => rmSync(file, { force: true })));
}

/** Returns the URLs of the running sandboxes that were started from this clone, or with the data directory `./data`. */
export function startedHere(): string[] {
  const notes = ['data', cacheOfClone()].flatMap((directory) => (directory === null ? [] : notesIn(directory)));
  return [...new Set(notes.filter(({ pid }) => isRunning(pid)).map(({ url }) => url))];
}

const filesIn = (directory: string) =>
  (attempted(() => readdirSync(directory)) ?? []).filter((name) => name.startsWith(prefix)).map((name) => join(directory, name));

/** Removes the notes of sandboxes that were killed. */
function removeEnded(directory: string): void {
  for (const file of filesIn(directory))
    if (!isRunning(Number(basename(file, '.json').slice(prefix.length)))) attempted(() => rmSync(file, { force: true }));
}

function notesIn(directory: string): Note[] {
  return filesIn(directory).flatMap((file) => {
    const note = attempted(() => JSON.parse(readFileSync(file, 'utf8')) as Note);
    return typeof note?.url === 'string' && URL.canParse(note.url) && Number.isSafeInteger(note.pid) ? [note] : [];
  });
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // It runs for another user.
  }
}

/** Returns the command that sets an environment variable in the usual shell of this system. */
export const setVariable = (name: string, value: string) =>
  process.platform === 'win32' ? `$env:${name} = '${value}'` : `export ${name}=${value}`;

/** Returns a warning if sandboxes were started from here, but none at the address of a command; null otherwise. */
export function otherSandbox(url: string, started: readonly string[]): string | null {
  const portOf = (text: string) => new URL(text).port;
  if (started.length === 0 || started.some((each) => portOf(each) === portOf(url))) return null;
  return `This command uses ${url}, but the sandbox that was started from here is at ${started[0]}: ${setVariable('SANDBOX_URL', started[0]!)}`;
}

/** Returns the result of a function; null if it throws. */
function attempted<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}
