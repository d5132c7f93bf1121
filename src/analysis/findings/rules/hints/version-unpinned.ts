import { writingOperations } from '../../call.js';
import type { Remembered } from '../../lru-map.js';
import { defineRule } from '../../rule.js';
import { transfer } from '../../script.js';

export const versionUnpinned = defineRule({
  id: 'version.unpinned',
  confidence: 'CERTAIN',
  severity: 'WARNING',
  isHint: true,
  title: 'A request names no version of the API',
  advice:
    'Send the version that you have tested in X-Service-Version. Otherwise a new default version can change requests, responses and webhooks.',
  examples: {
    invalid: [transfer()],
    valid: [transfer({ headers: { 'X-Service-Version': '1' } })],
  },
  create({ lruMap, report }) {
    const reported = lruMap<Remembered>(16);
    return {
      operations: writingOperations,
      exchange(call) {
        const { record, id, operationId } = call;
        if (!call.isWrite || reported.get(operationId!) || call.header('x-service-version') !== '') return;
        reported.set(operationId!, { ref: id });
        report({ ...call.place, evidence: [{ ref: id, what: `Without X-Service-Version, the response used version ${record.version}.` }] });
      },
    };
  },
});
