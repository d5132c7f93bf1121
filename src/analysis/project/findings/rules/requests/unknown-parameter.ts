import { publicRoutes } from '../../../../../contract/public/routes.js';
import { nearestName } from '../../../../../contract/shared/messages/nearest.js';
import { defineRule } from '../../rule.js';
import { ask } from '../../script.js';
import { secretNames } from '../../leaks.js';

/** Names of parameters with which a client expects a different response: a filter, a page, an order or a dry run. */
const expecting =
  /filter|search|query|where|status|type|date|from|until|before|after|since|start|end|page|size|limit|offset|cursor|sort|order|direction|dry|test|simulate|validate|account|amount|asset|id$/i;

/** Names of parameters that ask for a dry run. */
const trial = /dry.?run|simulate|validate.?only|preview/i;
/** Names of parameters that select a page. */
const paging = /page|size|limit|offset|cursor/i;

/** Returns the advice for parameters of an operation; undefined if the advice of the rule fits. */
function adviceFor(strange: readonly string[], method: string, known: readonly string[]): string | undefined {
  if (method !== 'GET')
    return strange.some((name) => trial.test(name))
      ? 'There is no dry run: the request was carried out. Remove the parameter, and try requests in a world of the sandbox.'
      : 'The parameter was ignored, and the request was carried out. Remove it, or send its value in the body if the contract has such a field.';
  if (known.length === 0) return 'The parameter was ignored: this operation has no parameters in its query. Remove it.';
  const pages = known.filter((name) => paging.test(name));
  if (pages.length > 0 && strange.every((name) => paging.test(name)))
    return `The parameter was ignored, so the response is the first page. Use ${pages.map((name) => `\`${name}\``).join(', ')}.`;
  if (known.includes('filters')) return undefined;
  return `The parameter was ignored. This operation knows ${known.map((name) => `\`${name}\``).join(', ')}.`;
}

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
        const advice = adviceFor(strange, record.method, known);
        report({
          ...call.place,
          severity,
          ...(advice === undefined ? {} : { advice }),
          evidence: [{ ref: id, what: `Ignored: ${said.join(', ')}.` }],
        });
      },
    };
  },
});
