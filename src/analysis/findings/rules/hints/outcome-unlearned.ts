import { movingOperations, textOf } from '../../call.js';
import type { Remembered } from '../../memory.js';
import { defineRule, type Sighted } from '../../rule.js';
import { advance, ask, end, transfer } from '../../script.js';

/** An operation whose final status its client has not seen. */
interface Open extends Remembered {
  readonly id: string;
  readonly operationId: string | null;
  readonly test: string | null;
  readonly atMs: number;
  sighted: Sighted | null;
}

/** The operations that create or return operations. */
const operations: ReadonlySet<string> = new Set([...movingOperations, 'getOperation']);

export const outcomeUnlearned = defineRule({
  id: 'hint.outcome-unlearned',
  confidence: 'LIKELY',
  severity: 'WARNING',
  isHint: true,
  title: 'The client never checked the result of an operation',
  advice: 'Subscribe to OPERATION_COMPLETED and OPERATION_FAILED, or read the operation until its status is final.',
  alternativeExplanation: 'The test ends before the operation does.',
  records: {
    fires: [transfer(), advance('PT1M'), end()],
    mustNotFire: [transfer(), advance('PT1M'), ask('getOperation', { params: { operationId: '{{transfer.id}}' } }), end()],
  },
  watch({ shelf, sight }) {
    const open = shelf<Open>(160);
    const learn = (id: string) => {
      if (open.size === 0) return;
      open.get(id)?.sighted?.withdraw();
      open.delete(id);
    };
    return {
      operations,
      exchange(call) {
        if (call.ended !== null) learn(call.ended);
        if (!movingOperations.has(call.operationId ?? '') || call.seen.status !== 201 || !call.isTold) return;
        const id = textOf(call.answer['id']);
        if (id === undefined || open.get(id)) return;
        const { operationId, test, seen } = call;
        open.set(id, { ref: call.id, id, operationId, test, atMs: seen.began.worldMs ?? seen.began.realMs, sighted: null });
      },
      accepted({ seen }) {
        if (seen.eventType === 'OPERATION_COMPLETED' || seen.eventType === 'OPERATION_FAILED') learn(seen.resourceId);
      },
      end() {
        for (const each of open.values()) {
          const { ref, id, operationId, test, atMs } = each;
          const evidence = [{ ref, what: `Operation ${id} was requested and never read afterwards.` }];
          each.sighted ??= sight({ about: { operationId }, test, at: new Date(atMs).toISOString(), evidence });
        }
      },
    };
  },
});
