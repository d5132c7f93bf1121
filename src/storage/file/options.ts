import type { Files } from './files.js';
import type { LockOptions } from './lock-file.js';

/** Failures that a commit survives: the end of the process (`os`), or a power loss too (`fsync`). */
export const durabilities = ['os', 'fsync'] as const;

export interface FileStorageOptions extends LockOptions {
  readonly durability?: (typeof durabilities)[number];
  /** Called with warnings for the operator. */
  readonly warn?: (message: string) => void;
  readonly files?: Files;
  /** Smallest journal, in bytes, that starts a checkpoint. Default: 4 MiB. */
  readonly minJournalBytes?: number;
  /** Time limit in milliseconds for the checkpoint at a stop. If it is exceeded, the next start reads the journal. */
  readonly stopMs?: number;
}
