import type { StreamItem } from '../contract/control/mirror/stream.js';

/** Something that happened: as the stream told it, or as the record has kept it. */
export type Item = Omit<StreamItem, 'kind' | 'seq'> & {
  readonly kind: StreamItem['kind'] | 'MARK';
  /** Of an attempt in the record, what it belongs to; the stream tells that as its cause. */
  readonly deliveryId?: string;
};
