import { movingOperations, writingOperations, type Call, type Sent } from '../call.js';
import type { Remembered } from '../lru-map.js';
import type { Retractable, Detection, RuleContext } from '../rule.js';

/** A request whose outcome the client does not know. */
interface Unknown extends Remembered {
  readonly key: string;
  readonly sent: Sent;
  readonly realMs: number;
  readonly madeId: string | null;
  /** Order of the response that showed the outcome; null without one. */
  answered: number | null;
  /** The detections that are retracted when the client learns the outcome. */
  reported: Retractable[];
}

/** Requests without a known outcome that differ only in their idempotency keys. */
interface Same extends Remembered {
  readonly all: Unknown[];
}

/** Maximum number of remembered equal requests, and of detections that can be retracted for each. */
const most = 8;

/** The condition for an unknown outcome, and the evidence of a detection. */
export interface Course {
  readonly isUnknown: (call: Call) => boolean;
  /** Time span of the comparison, in milliseconds of real time. */
  readonly spanMs: number;
  readonly detection: (first: { ref: string }, again: Call) => Pick<Detection, 'evidence'>;
}

/**
 * True if a request repeats an earlier one with another key within the span, and the earlier key had no response when the request began.
 */
function isOther(unknown: Unknown, call: Call, spanMs: number): boolean {
  return (
    unknown.key !== call.key &&
    call.isAfter(unknown.sent.order) &&
    call.record.began.realMs - unknown.realMs <= spanMs &&
    (unknown.answered === null || unknown.answered > call.record.began.order)
  );
}

/**
 * Reports a request that repeats an earlier one with another key while the outcome of the earlier one is unknown. With a quote this is
 * certain, because a quote pays only once. Without a quote, the client may intend both requests, or two workers may send one each. So the
 * detection is retracted if the client uses the first key again, or learns the outcome of the first request.
 */
export function watchOtherKeys({ lruMap, report }: RuleContext, { isUnknown, spanMs, detection }: Course) {
  const requests = lruMap<Same>(440);
  /** Reported requests by the id of the resource that they created. */
  const suspects = lruMap<Remembered & { readonly unknown: Unknown }>(30);
  const excuse = (madeId: string | undefined) => {
    const { unknown } = (madeId !== undefined && suspects.size > 0 && suspects.get(madeId)) || { unknown: null };
    for (const each of unknown?.reported.splice(0) ?? []) each.retract();
  };
  const remember = (call: Call) => {
    if (call.operationId === 'createQuote' || !isUnknown(call)) return;
    const unknown: Unknown = {
      ref: call.id,
      key: call.key!,
      sent: call.sent,
      realMs: call.record.ended.realMs,
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
    if (!isCertain) {
      // Another rule reports a payment that was made again.
      const isPayment = movingOperations.has(call.operationId ?? '') && other.madeId !== null;
      if (isPayment || other.answered !== null || other.reported.length === most) return;
    }
    const about = { operationId: call.operationId };
    const confidence = isCertain ? 'CERTAIN' : 'LIKELY';
    const place = { about, test: call.test, at: call.at };
    const reported = report({ ...place, confidence, ...detection(other, call), concerns: [other.key] });
    if (isCertain) return;
    other.reported.push(reported);
    if (other.madeId !== null) suspects.set(other.madeId, { ref: '', unknown: other });
  };
  return {
    operations: new Set([...writingOperations, 'getOperation', 'getBeneficiary']),
    /** Forgets a request whose unknown outcome another rule reports. */
    drop(call: Call) {
      const same = call.isWrite ? requests.get(call.fingerprint!) : undefined;
      if (!same) return;
      const rest = same.all.filter(({ key }) => key !== call.key);
      if (rest.length === 0) requests.delete(call.fingerprint!);
      else if (rest.length < same.all.length) requests.set(call.fingerprint!, { ...same, all: rest });
    },
    exchange(call: Call) {
      const { operationId, record } = call;
      if (operationId === 'getOperation' || operationId === 'getBeneficiary') {
        if (call.isDelivered && record.status < 300) excuse(record.params['operationId'] ?? record.params['beneficiaryId']);
        return;
      }
      judge(call);
      remember(call);
    },
    gone: remember,
  };
}
