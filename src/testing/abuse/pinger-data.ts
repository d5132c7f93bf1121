/** Input of the thread of a {@link Pinger}. */
export interface PingerData {
  readonly url: string;
  readonly token: string;
  /** Id of the sandbox process. */
  readonly pid: number;
  /** Shared memory for the {@link counts}, each an Int32. */
  readonly shared: SharedArrayBuffer;
}

/** Indexes in the shared memory: longest wait since the last reset, responses, and wrong responses. */
export const counts = { longestUs: 0, answers: 1, failures: 2 } as const;
