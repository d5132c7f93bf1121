import type { Files } from './files.js';

/** What a commit is to survive: the end of the process, or a power loss too. */
export const durabilities = ['os', 'fsync'] as const;

export interface FileStorageOptions {
  readonly durability?: (typeof durabilities)[number];
  /** Told of what an operator should know. */
  readonly warn?: (message: string) => void;
  readonly files?: Files;
  /** The smallest journal that is worth a checkpoint of its own accord, in bytes; 4 MiB unless told otherwise. */
  readonly minJournalBytes?: number;
  /** How long the checkpoint of a stop may take, in milliseconds; when it takes longer the journal is left for the next start. */
  readonly stopMs?: number;
  /** What this machine is called, by which a lock of another one is told from one of this; its host name unless told otherwise. */
  readonly host?: string;
}
