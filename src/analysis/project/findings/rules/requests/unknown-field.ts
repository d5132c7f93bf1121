import { publicRoutes } from '../../../../../contract/public/routes.js';
import { namesAt } from '../../../../../contract/shared/messages/known-fields.js';
import { maxSuggestions, nearestName } from '../../../../../contract/shared/messages/nearest.js';
import { objectOf, type Call, writingOperations } from '../../call.js';
import { defineRule } from '../../rule.js';
import { ask } from '../../script.js';

const uboOf = (extra: object) => ({
  name: 'Marina Lobo',
  taxId: { type: 'CPF', value: '31415926590' },
  address: { addressLine1: 'Rua Bocaiuva 2468', city: 'Florianopolis', state: 'SC', country: 'BR', postalCode: '88015530' },
  ...extra,
});

/** A field that the contract does not define at its position. */
interface Stray {
  readonly field: string;
  /** The most similar field of the contract that the request lacks; null without one. */
  readonly meant: string | null;
}

/** Returns the parts of a path in the form of `RequestRecord.unknown`, for example `holder.names[0].first`. */
const partsOf = (path: string) => path.split(/[.[\]]+/).filter((part) => part !== '');

function straysOf(call: Call): Stray[] {
  const schema = publicRoutes.find(({ operationId }) => operationId === call.operationId)?.body;
  return call.record.unknown.flatMap((each, index) => {
    if (!each.startsWith('body:')) return [];
    const field = each.slice('body:'.length);
    const parts = partsOf(field);
    const name = parts.pop()!;
    const around = parts.reduce<Readonly<Record<string, unknown>>>((value, part) => objectOf(value[part]), call.body);
    // Null is no mistake: serialisers also write the fields of other variants, as null.
    if ((around[name] ?? null) === null) return [];
    const nearest = index >= maxSuggestions ? undefined : nearestName(name, namesAt(schema, call.body, parts));
    return [{ field, meant: nearest !== undefined && (around[nearest] ?? null) === null ? nearest : null }];
  });
}

export const unknownField = defineRule({
  id: 'request.unknown-field',
  confidence: 'CERTAIN',
  severity: 'WARNING',
  title: 'A request had a field that is not in its schema',
  advice: 'The field was ignored. Remove it, or use the name in the contract. A misspelt optional field counts as missing.',
  examples: {
    invalid: [ask('createUbo', { params: { accountId: '{{onboarding}}' }, body: uboOf({ fone: '+55 48 99123-4567' }) })],
    valid: [
      ask('createUbo', {
        params: { accountId: '{{onboarding}}' },
        body: uboOf({ phone: '+55 48 99123-4567', email: null, nickname: null }),
      }),
    ],
  },
  create({ report }) {
    return {
      operations: writingOperations,
      having: 'unknown',
      exchange(call) {
        const { record, id } = call;
        // The error response of an invalid request already names its problems.
        if (record.body === null || (record.status >= 400 && call.done === null)) return;
        const strays = straysOf(call);
        if (strays.length === 0) return;
        const isMeant = strays.some(({ meant }) => meant !== null);
        const said = strays.slice(0, 3).map(({ field, meant }) => (meant === null ? field : `${field} (did you mean ${meant}?)`));
        const evidence = [{ ref: id, what: `Ignored: ${said.join(', ')}.` }];
        report({ ...call.place, severity: isMeant ? 'ERROR' : 'WARNING', evidence });
      },
    };
  },
});
