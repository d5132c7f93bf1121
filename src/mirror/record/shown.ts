import type { RecordEntry } from '../../contract/control/mirror/record.js';
import type { Stored } from './stored.js';

/** An entry that is made readable when it is looked at. */
export class Shown {
  readonly stored: Stored;
  readonly #make: () => RecordEntry;
  #entry: RecordEntry | undefined;

  constructor(stored: Stored, make: () => RecordEntry) {
    this.stored = stored;
    this.#make = make;
  }

  get entry(): RecordEntry {
    return (this.#entry ??= this.#make());
  }
}
