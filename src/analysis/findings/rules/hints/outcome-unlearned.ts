import { movingOperations, textOf } from '../../call.js';
import type { Remembered } from '../../lru-map.js';
import { defineRule, type Retractable } from '../../rule.js';
import { advance, ask, end, transfer } from '../../script.js';

/** An operation whose final status its client has not record. */
interface Open extends Remembered {
  readonly id: string;
  readonly operationId: string | null;
  readonly test: string | null;
  readonly atMs: number;
  reported: Retractable | null;
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
  examples: {
    invalid: [transfer(), advance('PT1M'), end()],
    valid: [transfer(), advance('PT1M'), ask('getOperation', { params: { operationId: '{{transfer.id}}' } }), end()],
  },
  create({ lruMap, report }) {
    const open = lruMap<Open>(160);
    const learn = (id: string) => {
      if (open.size === 0) return;
      open.get(id)?.reported?.retract();
      open.delete(id);
    };
    return {
      operations,
      exchange(call) {
        if (call.ended !== null) learn(call.ended);
        if (!movingOperations.has(call.operationId ?? '') || call.record.status !== 201 || !call.isDelivered) return;
        const id = textOf(call.responseBody['id']);
        if (id === undefined || open.get(id)) return;
        const { operationId, test, record } = call;
        open.set(id, { ref: call.id, id, operationId, test, atMs: record.began.worldMs ?? record.began.realMs, reported: null });
      },
      accepted({ record }) {
        if (record.eventType === 'OPERATION_COMPLETED' || record.eventType === 'OPERATION_FAILED') learn(record.resourceId);
      },
      end() {
        for (const each of open.values()) {
          const { ref, id, operationId, test, atMs } = each;
          const evidence = [{ ref, what: `Operation ${id} was requested and never read afterwards.` }];
          each.reported ??= report({ about: { operationId }, test, at: new Date(atMs).toISOString(), evidence });
        }
      },
    };
  },
});
