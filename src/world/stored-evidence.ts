/** The evidence about the client of a world, as stored by the previous node of the world. */
export interface StoredEvidence {
  readonly text: string;
  /** True if the previous node stored the evidence when it released the world. False if that node failed: the evidence of the last seconds may be missing. */
  readonly isWhole: boolean;
}
