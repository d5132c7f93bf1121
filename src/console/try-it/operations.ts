/** An operation of the public API, as the build takes it from the contract. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** A body that works as it stands, except for ids of other worlds; null for an operation without one. */
  readonly example: unknown;
  readonly isKeyed: boolean;
}

let operations: Promise<readonly Operation[]> | undefined;

async function read(): Promise<readonly Operation[]> {
  try {
    const response = await fetch('/_sandbox/console/assets/console-operations.json');
    return (await response.json()) as Operation[];
  } catch (error) {
    operations = undefined; // The next call asks again.
    throw error;
  }
}

/** Returns the operations, which are loaded once. */
export const operationsOf = (): Promise<readonly Operation[]> => (operations ??= read());
