import { headerOf } from '../../../../../exchange/raw-headers.js';
import { writingOperations } from '../../call.js';
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
  create({ report }) {
    let isReported = false;
    return {
      operations: writingOperations,
      exchange(call) {
        if (!call.isWrite || isReported || (headerOf(call.record.rawHeaders, 'x-service-version') ?? '') !== '') return;
        isReported = true;
        const what = `Without X-Service-Version, the response used version ${call.record.version}.`;
        report({ ...call.place, evidence: [{ ref: call.id, what }] });
      },
    };
  },
});
