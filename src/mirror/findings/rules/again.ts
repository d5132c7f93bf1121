import { writingOperations, type Call } from '../call.js';
import type { Remembered } from '../memory.js';
import type { Sighted, Sighting, Watch } from '../rule.js';

/** A request whose outcome its client does not know. */
interface Unknown extends Remembered {
  readonly key: string;
  /** When its client could have learnt that. */
  readonly order: number;
  readonly realMs: number;
  readonly madeId: string | null;
  /** When its client learnt the outcome after all; null as long as it has not. */
  answered: number | null;
  /** What rests on the client's never asking again. */
  sighted: Sighted[];
}

/** Those that are the same but for their keys. */
interface Same extends Remembered {
  readonly all: Unknown[];
}

/** How many of the same are remembered, and how many sightings of each can be taken back. */
const most = 8;

/** What makes a request one whose outcome is unknown, and what is said of it. */
export interface Course {
  readonly isUnknown: (call: Call) => boolean;
  /** How long it counts, in milliseconds of real time. */
  readonly spanMs: number;
  readonly sighting: (first: { ref: string; madeId: string | null }, again: Call) => Pick<Sighting, 'evidence' | 'moved'>;
}

/** Whether the same request without an answer is known under another key, and that key was not answered before this one began. */
function isOther(unknown: Unknown, call: Call, spanMs: number): boolean {
  return (
    unknown.key !== call.key &&
    call.isAfter(unknown.order) &&
    call.seen.began.realMs - unknown.realMs <= spanMs &&
    (unknown.answered === null || unknown.answered > call.seen.began.order)
  );
}

/**
 * Finds the same request under another key while the outcome of the first is unknown. With a quote in it, it cannot be meant as another
 * payment; without one, it may be, and the first key's coming again says that it is.
 */
export function watchOtherKeys({ shelf, sight }: Watch, { isUnknown, spanMs, sighting }: Course) {
  const requests = shelf<Same>(400);
  const remember = (call: Call) => {
    if (call.operationId === 'createQuote' || !isUnknown(call)) return;
    const { ended } = call.seen;
    const unknown: Unknown = {
      ref: call.id,
      key: call.key!,
      order: ended.order,
      realMs: ended.realMs,
      madeId: call.madeId,
      answered: null,
      sighted: [],
    };
    const same = requests.get(call.fingerprint!);
    if (!same) requests.set(call.fingerprint!, { ref: call.id, all: [unknown] });
    else if (same.all.length < most && !same.all.some(({ key }) => key === call.key)) same.all.push(unknown);
  };
  const judge = (call: Call) => {
    const same = call.isWrite ? requests.get(call.fingerprint!) : undefined;
    if (!same) return;
    const own = same.all.find(({ key }) => key === call.key);
    if (own) {
      if (call.quoteId === undefined) for (const each of own.sighted.splice(0)) each.withdraw();
      if (call.isAnswered) own.answered ??= call.seen.ended.order;
      return;
    }
    const other = same.all.findLast((each) => isOther(each, call, spanMs));
    if (!other) return;
    const isCertain = call.quoteId !== undefined;
    if (!isCertain && (other.answered !== null || other.sighted.length === most)) return;
    const about = { operationId: call.operationId };
    const label = isCertain ? 'CERTAIN' : 'NEAR';
    const sighted = sight({ about, test: call.test, at: call.at, label, ...sighting(other, call) });
    if (!isCertain) other.sighted.push(sighted);
  };
  return {
    operations: writingOperations,
    /** Drops a request whose outcome is unknown in another way by now. */
    drop(call: Call) {
      const same = call.isWrite ? requests.get(call.fingerprint!) : undefined;
      if (!same) return;
      const rest = same.all.filter(({ key }) => key !== call.key);
      if (rest.length === 0) requests.delete(call.fingerprint!);
      else if (rest.length < same.all.length) requests.set(call.fingerprint!, { ...same, all: rest });
    },
    exchange(call: Call) {
      judge(call);
      remember(call);
    },
    gone: remember,
  };
}
