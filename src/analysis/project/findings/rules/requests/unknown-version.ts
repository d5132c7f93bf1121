import { defineRule } from '../../rule.js';
import { ask } from '../../script.js';

export const unknownVersion = defineRule({
  id: 'request.unknown-version',
  confidence: 'CERTAIN',
  severity: 'WARNING',
  title: 'A request asked for a version that does not exist',
  advice: 'The response used the default version. Name an existing version in X-Service-Version, or leave the header out.',
  examples: {
    invalid: [ask('listAccounts', { headers: { 'X-Service-Version': '2024-01-01' } })],
    valid: [ask('listAccounts'), ask('listAccounts', { headers: { 'X-Service-Version': '1' } })],
  },
  create({ quote, report }) {
    return {
      having: 'unknownVersion',
      exchange(call) {
        const { record, id, operationId } = call;
        if (operationId === null) return;
        const what = `Version ${JSON.stringify(quote(record.unknownVersion!, 40))} was requested; the response used version ${record.version}.`;
        report({ ...call.place, evidence: [{ ref: id, what }] });
      },
    };
  },
});
