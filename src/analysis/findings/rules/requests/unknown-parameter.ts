import { publicRoutes } from '../../../../contract/public/routes.js';
import { nearestName } from '../../../../contract/shared/messages/nearest.js';
import { defineRule } from '../../rule.js';
import { ask } from '../../script.js';
import { secretNames } from '../credentials/ours.js';

/** Names of parameters from which a client expects another response: a filter, a page, an order or a dry run. */
const expecting =
  /filter|search|query|where|status|type|date|from|until|before|after|since|start|end|page|size|limit|offset|cursor|sort|order|direction|dry|test|simulate|validate|account|amount|asset|id$/i;

export const unknownParameter = defineRule({
  id: 'request.unknown-parameter',
  confidence: 'CERTAIN',
  severity: 'WARNING',
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
        // Other parameters, like those of a tracing system, do not change what the client expects.
        const severity = strange.some((name) => expecting.test(name)) ? 'ERROR' : 'WARNING';
        report({ ...call.place, severity, evidence: [{ ref: id, what: `Ignored: ${said.join(', ')}.` }] });
      },
    };
  },
});
