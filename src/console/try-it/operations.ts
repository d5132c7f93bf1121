/** An operation of the public API. The build generates the list from the contract. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** A body that can be sent unchanged, except for ids that differ in each world; null for an operation without a body. */
  readonly example: unknown;
  readonly isKeyed: boolean;
}

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
