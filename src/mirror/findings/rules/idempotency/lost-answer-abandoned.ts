import { movingOperations, objectOf, textOf, type Call } from '../../call.js';
import type { Remembered } from '../../memory.js';
import { defineRule, type Sighted } from '../../rule.js';
import { ask, end, lose, quote, withdraw } from '../../script.js';

/** A request that was done without its client's knowing. */
interface Abandoned extends Remembered {
  readonly key: string;
  readonly fingerprint: string;
  readonly order: number;
  readonly operationId: string;
  /** What shows that it was done. */
  readonly made: string;
  readonly madeId: string | null;
  readonly test: string | null;
  readonly at: string;
  sighted: Sighted | null;
}

/** The text by which later answers and events show that a request was done: an id of what it made, or of what it changed. */
function traceOf(call: Call): string | null {
  const { params } = call.seen;
  return call.madeId ?? textOf(objectOf(call.body['holder'])['referenceId']) ?? params['executionLogId'] ?? null;
}

export const lostAnswerAbandoned = defineRule({
  id: 'idempotency.lost-answer-abandoned',
  label: 'NEAR',
  severity: 'WARNING',
  title: 'After a lost answer, nobody asked what became of the request',
  advice: 'Ask again with the same key until there is an answer, also after a restart: what you gave up on was done.',
  rival: 'The client learnt of it in a way that the sandbox does not see.',
  isProvisional: true,
  records: {
    fires: [quote(), lose('createWithdrawal'), withdraw({ key: 'first', expect: 'lost' }), end()],
    mustNotFire: [
      quote(),
      withdraw({ key: 'known' }),
      quote(),
      lose('createWithdrawal'),
      withdraw({ key: 'first', expect: 'lost' }),
      withdraw({ key: 'first', as: 'again' }),
      ask('getOperation', { params: { operationId: '{{again.id}}' } }),
      end(),
    ],
  },
  watch({ shelf, sight }) {
    const open = shelf<Abandoned>(420);
    const excuse = (lost: Abandoned) => {
      lost.sighted?.withdraw();
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
        order: call.seen.ended.order,
        operationId: call.operationId!,
        made,
        madeId: call.madeId,
        test: call.test,
        at: call.at,
        sighted: null,
      });
    };
    const excuseAll = (isExcuse: (lost: Abandoned) => boolean) => {
      for (const lost of open.values()) if (isExcuse(lost)) excuse(lost);
    };
    return {
      exchange(call) {
        if (open.size > 0) {
          const { seen, key } = call;
          const own = key === null ? undefined : open.get(key);
          if (own && call.isAfter(own.order)) excuse(own);
          // The same under another key is another rule's to speak of.
          if (call.isWrite) excuseAll((lost) => lost.fingerprint === call.fingerprint && call.isAfter(lost.order));
          else if (call.isTold && seen.status < 300) {
            const text = seen.response.body ?? '';
            excuseAll(({ made, order }) => call.isAfter(order) && (text.includes(made) || seen.target.includes(made)));
          }
        }
        remember(call);
      },
      gone: remember,
      accepted({ seen }) {
        excuseAll(({ made }) => seen.resourceId === made || seen.subscriptionId === made || seen.body.includes(made));
      },
      end() {
        for (const lost of open.values()) {
          const { ref, operationId, test, at, madeId } = lost;
          const moves = movingOperations.has(operationId);
          lost.sighted ??= sight({
            about: { operationId },
            test,
            at,
            severity: moves ? 'ERROR' : 'WARNING',
            evidence: [{ ref, what: 'It was done, and its answer never arrived. Neither the key nor what it made was asked for again.' }],
            moved: moves ? [madeId] : [],
          });
        }
      },
    };
  },
});
