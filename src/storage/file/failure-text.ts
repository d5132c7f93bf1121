import { LockLost } from './lock-file.js';

/** Returns the operator's message about failed storage. */
export function failureText(error: Error, directory: string): string {
  const isLost = error instanceof LockLost;
  const what = isLost ? `${error.message}.` : `${directory} cannot be written (${error.message}).`;
  const wayOut = isLost ? 'The next start loads the contents of the directory.' : 'Make the directory writable, then restart the sandbox.';
  return `${what} The sandbox is read-only until it is restarted. ${wayOut}`;
}
