import { movingOperations, objectOf, textOf, type Call } from '../../call.js';
import type { Remembered } from '../../lru-map.js';
import { shownAt } from '../../payments.js';
import { defineRule, type Retractable } from '../../rule.js';
import { ask, end, loseResponse, quote, withdraw } from '../../script.js';

/** A completed request whose response the client did not receive. */
interface Abandoned extends Remembered {
  readonly key: string;
  readonly fingerprint: string;
  readonly order: number;
  readonly operationId: string;
  /** Id of the created or changed resource: responses and events with this id show that the request was completed. */
  readonly made: string;
  readonly madeId: string | null;
  readonly test: string | null;
  readonly at: string;
  reported: Retractable | null;
}

/** Returns the id of the created or changed resource; later responses and events with it show that the request was completed. */
function traceOf(call: Call): string | null {
  const { params } = call.record;
  return call.madeId ?? textOf(objectOf(call.body['holder'])['referenceId']) ?? params['executionLogId'] ?? null;
}

export const lostResponseAbandoned = defineRule({
  id: 'idempotency.lost-response-abandoned',
  confidence: 'LIKELY',
  severity: 'WARNING',
  title: 'After a lost response, the client never checked the result of the request',
  advice: 'Retry with the same key until there is a response, also after a restart. The abandoned request was completed.',
  alternativeExplanation: 'The client learnt the result in a way that the sandbox does not see.',
  isProvisional: true,
  examples: {
    invalid: [quote(), loseResponse('createWithdrawal'), withdraw({ key: 'first', expect: 'lost' }), end()],
    valid: [
      quote(),
      withdraw({ key: 'known' }),
      quote(),
      loseResponse('createWithdrawal'),
      withdraw({ key: 'first', expect: 'lost' }),
      withdraw({ key: 'first', as: 'again' }),
      ask('getOperation', { params: { operationId: '{{again.id}}' } }),
      end(),
    ],
  },
  create({ lruMap, report, payments, pairs }) {
    const open = lruMap<Abandoned>(420);
    const excuse = (lost: Abandoned) => {
      lost.reported?.retract();
      open.delete(lost.key);
    };
    const remember = (call: Call) => {
      if (!call.isLost || call.operationId === 'createQuote' || call.done!.status >= 300) return;
      const made = traceOf(call);
      if (made === null) return;
      open.set(call.key!, {
        ref: call.id,
        key: call.key!,
        fingerprint: call.fingerprint!,
        order: call.record.ended.order,
        operationId: call.operationId!,
        made,
        madeId: call.madeId,
        test: call.test,
        at: call.at,
        reported: null,
      });
    };
    payments.onChange((payment) => {
      const lost = open.size === 0 ? undefined : open.get(payment.key);
      if (lost && shownAt(payment) !== null) excuse(lost);
    });
    // Another rule reports a payment that was made again.
    pairs.onChange(({ first, level }) => {
      const lost = level === 'CERTAIN' || level === 'LIKELY' ? open.get(first.key) : undefined;
      lost?.reported?.retract();
      if (lost) lost.reported = null;
    });
    /** Excuses a client that uses what it created, or reads it. A payment is shown only by its own id or key. */
    const excuseUsed = (call: Call) => {
      const { record, key } = call;
      const isRead = call.isDelivered && record.status < 300;
      const text = `${record.target} ${record.body?.text ?? ''} ${isRead ? (record.response.body ?? '') : ''}`;
      for (const lost of open.values()) {
        // A retry excuses only if it has a response.
        if (movingOperations.has(lost.operationId) || !call.isAfter(lost.order) || lost.key === key) continue;
        // Another rule reports an equal request with another key.
        const isAgain = call.isWrite && lost.fingerprint === call.fingerprint;
        if (isAgain || text.includes(lost.made)) excuse(lost);
      }
    };
    return {
      exchange(call) {
        if (open.size > 0) {
          const own = call.key === null ? undefined : open.get(call.key);
          if (own && call.isAnswered && call.isAfter(own.order)) excuse(own);
          excuseUsed(call);
        }
        remember(call);
      },
      gone: remember,
      end() {
        for (const lost of open.values()) {
          const { ref, operationId, test, at, madeId } = lost;
          // Another rule reports a payment that was made again.
          if (pairs.isReported(madeId ?? '')) continue;
          const moves = movingOperations.has(operationId);
          lost.reported ??= report({
            about: { operationId },
            test,
            at,
            severity: moves ? 'ERROR' : 'WARNING',
            evidence: [
              {
                ref,
                what: 'The request was completed, and its response never arrived. The client used neither the key nor the created resource again.',
              },
            ],
            moved: moves ? [madeId] : [],
          });
        }
      },
    };
  },
});
