import { publicRoutes } from '../../../../contract/public/routes.js';
import { nearestName } from '../../../../contract/shared/messages/nearest.js';
import { defineRule } from '../../rule.js';
import { ask } from '../../script.js';
import { secretNames } from '../credentials/ours.js';

export const unknownParameter = defineRule({
  id: 'request.unknown-parameter',
  confidence: 'CERTAIN',
  severity: 'ERROR',
  title: 'A query had a parameter that the operation does not support',
  advice: 'The parameter was ignored and did not filter the response. Filter lists with `filters=field[eq]=value`.',
  examples: {
    invalid: [ask('listAccounts', { query: 'filter=currentState.status%5Beq%5D=ACTIVE' })],
    valid: [ask('listAccounts', { query: 'filters=currentState.status%5Beq%5D=ACTIVE&_=1732190400' })],
  },
  create({ report }) {
    return {
      having: 'unknown',
      exchange(call) {
        const { record, id, operationId } = call;
        if (record.status >= 300 || !record.target.includes('?')) return;
        const names = record.unknown.flatMap((each) => (each.startsWith('query:') ? [each.slice('query:'.length)] : []));
        const strange = names.filter((name) => !name.startsWith('_') && !secretNames.has(name.toLowerCase()));
        if (strange.length === 0) return;
        const known = Object.keys(publicRoutes.find((each) => each.operationId === operationId)?.query?.shape ?? {});
        const said = strange.slice(0, 3).map((name) => {
          const nearest = nearestName(name, known);
          return nearest === undefined ? name : `${name} (did you mean ${nearest}?)`;
        });
        report({ ...call.place, evidence: [{ ref: id, what: `Ignored: ${said.join(', ')}.` }] });
      },
    };
  },
});
