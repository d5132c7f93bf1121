import type { Remembered } from '../../lru-map.js';
import { defineRule } from '../../rule.js';
import { advance, ask, pass, transfer } from '../../script.js';

const look = ask('getOperation', { params: { operationId: '{{transfer.id}}' } });
const often = (times: number, gapMs: number) => Array.from({ length: times }, () => [pass(gapMs), look]).flat();

/** Reads of one operation in quick succession. */
interface Series extends Remembered {
  readonly realMs: number;
  readonly times: number;
}

const tightMs = 500;
const tightTimes = 10;

export const tightPolling = defineRule({
  id: 'hint.tight-polling',
  confidence: 'CERTAIN',
  severity: 'WARNING',
  isHint: true,
  title: 'An operation was read many times within seconds',
  advice: 'Settlement takes minutes to days. Wait for the webhook; poll rarely, with growing pauses.',
  examples: {
    invalid: [transfer(), ...often(tightTimes, 100)],
    valid: [transfer(), ...often(tightTimes, 1000)],
  },
  create({ lruMap, report }) {
    const looks = lruMap<Series>(40);
    return {
      operations: new Set(['getOperation']),
      exchange(call) {
        const { record, id } = call;
        const of = record.params['operationId']!;
        const before = looks.get(of);
        const { realMs } = record.began;
        const times = before && realMs - before.realMs < tightMs ? before.times + 1 : 1;
        looks.set(of, { ref: id, realMs, times });
        if (times === tightTimes)
          report({
            ...call.place,
            evidence: [{ ref: id, what: `Read number ${times} in a row, each within ${tightMs} ms of the one before.` }],
          });
      },
    };
  },
});

const finalTimes = 3;

export const polledAfterEnd = defineRule({
  id: 'hint.polled-after-end',
  confidence: 'CERTAIN',
  severity: 'WARNING',
  isHint: true,
  title: 'An operation was polled after its final status',
  advice: 'COMPLETED and FAILED are final: stop polling after them.',
  examples: {
    invalid: [transfer(), advance('PT1M'), ...often(finalTimes + 1, 2000)],
    valid: [transfer(), ...often(finalTimes + 1, 2000), advance('PT1M'), look],
  },
  create({ lruMap, report }) {
    const looks = lruMap<Remembered & { times: number }>(24);
    return {
      operations: new Set(['getOperation']),
      exchange(call) {
        const { ended, id } = call;
        if (ended === null) return;
        const first = looks.get(ended);
        if (!first) return looks.set(ended, { ref: id, times: 0 });
        first.times += 1;
        if (first.times !== finalTimes) return;
        const evidence = [
          { ref: first.ref, what: 'This response showed the final status.' },
          { ref: id, what: `The client has read the operation ${first.times} more times since.` },
        ];
        report({ ...call.place, evidence });
      },
    };
  },
});
