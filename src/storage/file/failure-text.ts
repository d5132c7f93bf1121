import { LockLost } from './lock-file.js';

/** What an operator is told when nothing can be kept any more. */
export function failureText(error: Error, directory: string): string {
  const isLost = error instanceof LockLost;
  const what = isLost ? `${error.message}.` : `${directory} cannot be written (${error.message}).`;
  const wayOut = isLost ? 'What the directory holds is there for the next start.' : 'Mend the disk, then restart it.';
  return `${what} The sandbox only answers reads from now on. ${wayOut}`;
}
