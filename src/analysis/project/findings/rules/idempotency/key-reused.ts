import { canonicalJson } from '../../../../../api/plane/body/json-body.js';
import { objectOf, writingOperations, type Call } from '../../call.js';
import type { Remembered } from '../../lru-map.js';
import { defineRule, type RuleContext } from '../../rule.js';
import { transfer } from '../../script.js';

/** The first request with an idempotency key. */
interface FirstUse extends Remembered {
  readonly operationId: string;
  readonly target: string;
  readonly version: string | null;
  /** The body as received, or the fields of a long body. Most bodies are never compared, so the work for each key must be small. */
  readonly body: string | readonly string[];
}

/** Maximum length of a body that is stored as received, in characters. */
const maxText = 600;

/** Maximum number of compared fields of a body. */
const maxFields = 16;

/** Returns the FNV-1a hash of a string (32 bits), enough to compare two values of one field. */
function digest(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value;
}

/** Returns the fields of a body, each with a hash of its value, for example `amount:1f2e3d`. */
function fieldsOf(body: Call['body'], quote: RuleContext['quote']): string[] {
  const fields: string[] = [];
  for (const name in body) {
    if (fields.length === maxFields) break;
    fields.push(`${name.length > 40 ? quote(name, 40) : name}:${digest(canonicalJson(body[name])).toString(36)}`);
  }
  return fields;
}

function useOf(call: Call, quote: RuleContext['quote']): FirstUse {
  const { target, version, body } = call.record;
  const isShort = body !== null && body.size <= maxText;
  return { ref: call.id, operationId: call.operationId!, target, version, body: isShort ? body.text : fieldsOf(call.body, quote) };
}

/** Returns the fields of the body of a stored request, each with a hash of its value. */
const fieldsIn = ({ body }: FirstUse, quote: RuleContext['quote']) =>
  typeof body === 'string' ? fieldsOf(objectOf(JSON.parse(body)), quote) : body;

/** Describes the difference between two requests with the same key. */
function difference(first: FirstUse, other: FirstUse, quote: RuleContext['quote']): string {
  if (first.operationId !== other.operationId) return `the operation (${first.operationId} first)`;
  if (first.target !== other.target) return 'the path or the query';
  const [before, after] = [fieldsIn(first, quote), fieldsIn(other, quote)];
  const odd = [...before.filter((each) => !after.includes(each)), ...after.filter((each) => !before.includes(each))];
  const names = [...new Set(odd.map((each) => each.slice(0, each.lastIndexOf(':'))))];
  if (names.length > 0) return names.join(', ');
  return first.version === other.version ? 'the uploaded file' : 'the version';
}

export const keyReused = defineRule({
  id: 'idempotency.key-reused',
  confidence: 'CERTAIN',
  severity: 'ERROR',
  title: 'An idempotency key was used for a second, different request',
  advice: 'Use one key for each intended payment. Create a new key for each payment, and send exactly the same request with the same key.',
  implies: ['payment.never-made'],
  examples: {
    invalid: [transfer({ key: 'first' }), transfer({ key: 'first', value: '26.00', expect: 409 })],
    valid: [
      transfer({ key: 'first' }),
      transfer({
        key: 'first',
        text: '{"amount":{"asset":"BRL","value":"25.00"},"targetAccountId":"{{otherAccount}}","sourceAccountId":"{{account}}"}',
      }),
    ],
  },
  create({ lruMap, quote, report }) {
    const uses = lruMap<FirstUse>(700);
    return {
      operations: writingOperations,
      exchange(call) {
        if (!call.isWrite) return;
        const use = useOf(call, quote);
        if (call.record.code !== 'IDEMPOTENCY_CONFLICT') {
          if (call.done) uses.set(call.key!, use);
          return;
        }
        if (!call.isGenuine) return;
        const first = uses.get(call.key!);
        const { id } = call;
        const what = first ? difference(first, use, quote) : 'details of the first request are no longer stored';
        report({
          ...call.place,
          evidence: [
            ...(first ? [{ ref: first.ref, what: 'The first request with this key.' }] : []),
            { ref: id, what: `The same key with another request: ${what}.` },
          ],
        });
      },
    };
  },
});
