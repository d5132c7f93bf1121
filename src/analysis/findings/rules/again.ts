import { writingOperations, type Call } from '../call.js';
import type { Remembered } from '../lru-map.js';
import type { Retractable, Detection, RuleContext } from '../rule.js';

/** A request whose outcome its client does not know. */
interface Unknown extends Remembered {
  readonly key: string;
  /** Order of the event that would have shown the outcome to the client. */
  readonly order: number;
  readonly realMs: number;
  readonly madeId: string | null;
  /** Order of the response that showed the outcome; null without one. */
  answered: number | null;
  /** The detections that hold only if the client does not use the key again. */
  reported: Retractable[];
}

/** Requests that differ only in their keys. */
interface Same extends Remembered {
  readonly all: Unknown[];
}

/** Maximum number of remembered equal requests, and of detections that can be retracted for each. */
const most = 8;

/** The condition for an unknown outcome, and the text of its detection. */
export interface Course {
  readonly isUnknown: (call: Call) => boolean;
  /** Time span of the comparison, in milliseconds of real time. */
  readonly spanMs: number;
  readonly detection: (first: { ref: string; madeId: string | null }, again: Call) => Pick<Detection, 'evidence' | 'moved'>;
}

/** True if the same request is known under another key, and that key had no response before this one began. */
function isOther(unknown: Unknown, call: Call, spanMs: number): boolean {
  return (
    unknown.key !== call.key &&
    call.isAfter(unknown.order) &&
    call.record.began.realMs - unknown.realMs <= spanMs &&
    (unknown.answered === null || unknown.answered > call.record.began.order)
  );
}

/**
 * Finds the same request under another key while the outcome of the first is unknown. A request with a quote cannot be a second payment.
 * Without a quote it can be one; another use of the first key then shows that it is.
 */
export function watchOtherKeys({ lruMap, report }: RuleContext, { isUnknown, spanMs, detection }: Course) {
  const requests = lruMap<Same>(400);
  const remember = (call: Call) => {
    if (call.operationId === 'createQuote' || !isUnknown(call)) return;
    const { ended } = call.record;
    const unknown: Unknown = {
      ref: call.id,
      key: call.key!,
      order: ended.order,
      realMs: ended.realMs,
      madeId: call.madeId,
      answered: null,
      reported: [],
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
      if (call.quoteId === undefined) for (const each of own.reported.splice(0)) each.retract();
      if (call.isAnswered) own.answered ??= call.record.ended.order;
      return;
    }
    const other = same.all.findLast((each) => isOther(each, call, spanMs));
    if (!other) return;
    const isCertain = call.quoteId !== undefined;
    if (!isCertain && (other.answered !== null || other.reported.length === most)) return;
    const about = { operationId: call.operationId };
    const confidence = isCertain ? 'CERTAIN' : 'LIKELY';
    const reported = report({ about, test: call.test, at: call.at, confidence, ...detection(other, call) });
    if (!isCertain) other.reported.push(reported);
  };
  return {
    operations: writingOperations,
    /** Drops a request whose outcome is unknown for another reason. */
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
