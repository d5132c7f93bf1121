import type { RecordEntry } from '../../contract/control/mirror/record.js';
import type { BegunCall } from '../../world/witness.js';

/** Something that a call made or changed. */
export interface Caused {
  readonly resource: string;
  readonly id: string;
}

type Facts = Pick<Stored, 'id' | 'kind' | 'isRead' | 'chapter' | 'test' | 'beganOrder'>;

const kinds = ['REQUEST', 'ATTEMPT', 'CONTROL', 'MARK'] as const satisfies readonly RecordEntry['kind'][];

/** Where each fact lies in the memory of an entry, whose id, test and text follow them. */
const at = {
  seq: 0,
  beganOrder: 8,
  endedOrder: 16,
  chapter: 24,
  end: 28,
  testBytes: 32,
  idBytes: 34,
  kind: 35,
  flags: 36,
  id: 37,
} as const;
const flags = { isRead: 1, hasTest: 2, isClientGone: 4 } as const;

/** How much memory an entry takes besides its id, test and text, in bytes. */
export const headBytes = at.id;

/**
 * One entry of the record: what it is found by, and everything else as text. As soon as it has ended it lies in a piece of memory, and
 * this is a way to look at it, made anew for each who looks: nobody has to keep it, and two of one entry are told by their `seq`.
 */
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
  /** Whether somebody may look at it after it has ended who came to it while it was under way. */
  isLent = false;
  /** Where it lies when it has ended. */
  #memory: Buffer | null = null;
  #start = 0;

  constructor(seq: number, facts: Facts) {
    this.seq = seq;
    this.id = facts.id;
    this.kind = facts.kind;
    this.isRead = facts.isRead;
    this.chapter = facts.chapter;
    this.test = facts.test;
    this.beganOrder = facts.beganOrder;
  }

  /** The entry that lies somewhere. */
  static at(memory: Buffer, start: number): Stored {
    const flag = memory[start + at.flags]!;
    const test = start + at.id + memory[start + at.idBytes]!;
    const stored = new Stored(seqAt(memory, start), {
      id: memory.toString('latin1', start + at.id, test),
      kind: kinds[memory[start + at.kind]!]!,
      isRead: (flag & flags.isRead) !== 0,
      chapter: memory.readUInt32LE(start + at.chapter),
      test: flag & flags.hasTest ? memory.toString('utf8', test, test + memory.readUInt16LE(start + at.testBytes)) : null,
      beganOrder: memory.readDoubleLE(start + at.beganOrder),
    });
    stored.endedOrder = memory.readDoubleLE(start + at.endedOrder);
    stored.#memory = memory;
    stored.#start = start;
    return stored;
  }

  /** All of it that stands nowhere else; null while it is under way. */
  get text(): string | null {
    const memory = this.#memory;
    if (!memory) return null;
    const start = this.#start;
    const text = start + at.id + memory[start + at.idBytes]! + memory.readUInt16LE(start + at.testBytes);
    return memory.toString('utf8', text, memory.readUInt32LE(start + at.end));
  }

  /** Whether the client went before all of the answer was sent. */
  get isClientGone(): boolean {
    return this.#memory !== null && (this.#memory[this.#start + at.flags]! & flags.isClientGone) !== 0;
  }

  /** Notes, of a call that has ended, that its client did not wait. */
  clientHasGone(): void {
    if (this.#memory) this.#memory[this.#start + at.flags]! |= flags.isClientGone;
  }

  /** Notes that it has ended. */
  end(order: number): void {
    this.endedOrder = order;
    this.call = null;
    this.caused = null;
  }

  /** How many units of text it has besides what it is given to write. */
  get units(): number {
    return this.id.length + (this.test?.length ?? 0);
  }

  /** Writes it down where there is room for it, with its text. @returns where it ends */
  write(memory: Buffer, start: number, text: string): number {
    const { id, test } = this;
    const end = start + at.id + memory.write(`${id}${test ?? ''}${text}`, start + at.id);
    memory.writeDoubleLE(this.seq, start + at.seq);
    memory.writeDoubleLE(this.beganOrder, start + at.beganOrder);
    memory.writeDoubleLE(this.endedOrder, start + at.endedOrder);
    memory.writeUInt32LE(this.chapter, start + at.chapter);
    memory.writeUInt32LE(end, start + at.end);
    memory.writeUInt16LE(test === null ? 0 : Buffer.byteLength(test), start + at.testBytes);
    memory[start + at.idBytes] = id.length;
    memory[start + at.kind] = kinds.indexOf(this.kind);
    memory[start + at.flags] = (this.isRead ? flags.isRead : 0) | (test === null ? 0 : flags.hasTest);
    this.#memory = memory;
    this.#start = start;
    return end;
  }
}

/** The place in the timeline of the entry that lies somewhere. */
export function seqAt(memory: Buffer, start: number): number {
  return memory.readDoubleLE(start + at.seq);
}

/** Whether the entry that lies somewhere has this id. */
export function hasId(memory: Buffer, start: number, id: string): boolean {
  const from = start + at.id;
  return memory[start + at.idBytes] === id.length && memory.toString('latin1', from, from + id.length) === id;
}
