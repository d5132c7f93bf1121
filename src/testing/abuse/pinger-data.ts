/** What the thread of a {@link Pinger} is given. */
export interface PingerData {
  readonly url: string;
  readonly token: string;
  /** The process that answers. */
  readonly pid: number;
  /** Where it notes its {@link counts}, each an Int32. */
  readonly shared: SharedArrayBuffer;
}

/** Where what stands in the shared memory: the longest wait since it was last put back, all answers, and those that were not as they should be. */
export const counts = { longestUs: 0, answers: 1, failures: 2 } as const;
