import type { Files } from './files.js';

/** Failures that a commit survives: the end of the process (`os`), or a power loss too (`fsync`). */
export const durabilities = ['os', 'fsync'] as const;

export interface FileStorageOptions {
  readonly durability?: (typeof durabilities)[number];
  /** Called with warnings for the operator. */
  readonly warn?: (message: string) => void;
  readonly files?: Files;
  /** Smallest journal, in bytes, that starts a checkpoint. Default: 4 MiB. */
  readonly minJournalBytes?: number;
  /** Time limit in milliseconds for the checkpoint at a stop. If it is exceeded, the next start reads the journal. */
  readonly stopMs?: number;
  /** Name of this machine, to recognise locks of other machines. Default: the host name. */
  readonly host?: string;
}
