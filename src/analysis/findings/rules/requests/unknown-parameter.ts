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
  records: {
    fires: [ask('listAccounts', { query: 'filter=currentState.status%5Beq%5D=ACTIVE' })],
    mustNotFire: [ask('listAccounts', { query: 'filters=currentState.status%5Beq%5D=ACTIVE&_=1732190400' })],
  },
  watch({ sight }) {
    return {
      having: 'unknown',
      exchange(call) {
        const { seen, id, operationId } = call;
        if (seen.status >= 300 || !seen.target.includes('?')) return;
        const names = seen.unknown.flatMap((each) => (each.startsWith('query:') ? [each.slice('query:'.length)] : []));
        const strange = names.filter((name) => !name.startsWith('_') && !secretNames.has(name.toLowerCase()));
        if (strange.length === 0) return;
        const known = Object.keys(publicRoutes.find((each) => each.operationId === operationId)?.query?.shape ?? {});
        const said = strange.slice(0, 3).map((name) => {
          const nearest = nearestName(name, known);
          return nearest === undefined ? name : `${name} (did you mean ${nearest}?)`;
        });
        sight({ ...call.place, evidence: [{ ref: id, what: `Ignored: ${said.join(', ')}.` }] });
      },
    };
  },
});
