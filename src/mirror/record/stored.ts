import type { RecordEntry } from '../../contract/control/mirror/record.js';
import type { BegunCall } from '../../world/witness.js';

/** Something that a call made or changed. */
export interface Caused {
  readonly resource: string;
  readonly id: string;
}

/** One entry of the record: what it is found by and, when it has ended, everything else as a piece of memory. */
export class Stored {
  readonly seq: number;
  readonly id: string;
  readonly kind: RecordEntry['kind'];
  /** Whether it changed nothing, and so is in nobody's way when it goes. */
  readonly isRead: boolean;
  readonly chapter: number;
  readonly test: string | null;
  readonly beganOrder: number;
  /** Infinity while it is under way. */
  endedOrder = Infinity;
  /** The call while it is under way, and what it has made or changed so far. */
  call: BegunCall | null = null;
  caused: Caused[] | null = null;
  /** Where its text is, in memory of its queue. */
  #memory: Buffer | null = null;
  #start = 0;
  #end = 0;
  /** Whether the client went before all of the answer was sent. */
  isClientGone = false;

  constructor(seq: number, facts: Pick<Stored, 'id' | 'kind' | 'isRead' | 'chapter' | 'test' | 'beganOrder'>) {
    this.seq = seq;
    this.id = facts.id;
    this.kind = facts.kind;
    this.isRead = facts.isRead;
    this.chapter = facts.chapter;
    this.test = facts.test;
    this.beganOrder = facts.beganOrder;
  }

  /** All of it that stands nowhere else; null while it is under way. */
  get text(): string | null {
    return this.#memory && this.#memory.toString('utf8', this.#start, this.#end);
  }

  /** Notes where its text is. */
  keep(memory: Buffer, start: number, end: number): void {
    this.#memory = memory;
    this.#start = start;
    this.#end = end;
  }

  /** Notes that it has ended. */
  end(order: number): void {
    this.endedOrder = order;
    this.call = null;
    this.caused = null;
  }
}
