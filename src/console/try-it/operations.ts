import type { Sendable } from './fill.js';

/** An operation of the public API. The build generates the list from the contract. */
export type Operation = Omit<Sendable, 'plane'> & { readonly summary: string };

let operations: Promise<readonly Operation[]> | undefined;

async function read(): Promise<readonly Operation[]> {
  try {
    const response = await fetch('/_sandbox/console/assets/console-operations.json');
    return (await response.json()) as Operation[];
  } catch (error) {
    operations = undefined; // The next call tries again.
    throw error;
  }
}

/** Returns the operations. They are loaded once. */
export const operationsOf = (): Promise<readonly Operation[]> => (operations ??= read());
