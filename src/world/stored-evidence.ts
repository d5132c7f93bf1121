/** The evidence about the client of a world that its former node stored. */
export interface StoredEvidence {
  readonly text: string;
  /** True if the former node stored it when it released the world. False after a failure: the last seconds may be missing. */
  readonly isWhole: boolean;
}
