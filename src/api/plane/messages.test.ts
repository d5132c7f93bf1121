import { z } from '@hono/zod-openapi';
import { describe, expect, it } from 'vitest';
import { pixKeyTypes } from '../../contract/shared/identifiers/pix-key.js';
import { taxIdTypes } from '../../contract/shared/identifiers/tax-id.js';
import { fieldText } from '../../contract/shared/messages/issues.js';
import { networks } from '../../contract/shared/rails.js';
import type { AnyRoute } from '../../contract/shared/route.js';
import type { TestResponse } from '../../testing/calls.js';
import { useHarness } from '../../testing/harness.js';
import { expectedErrorOf, type ExpectedError } from '../../testing/expected-error.js';

const harness = useHarness();
/** Words of a library or JavaScript engine, which must not be in messages. */
const untold = /right form|invalid|\bnan\b|undefined|\[object|regex|pattern|zod|\bssl|schema|discriminator|something else|another form/i;
const nonsense = '¿?';
/** The world of the requests. Some of them create faults, which would affect other tests. */
const world = 'tried';
const someId = '5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417';

/** The body of an error response; null for a response without a body. */
type ErrorBody = ExpectedError | null;
type Path = readonly (string | number)[];
type Part = 'path' | 'query' | 'body';

/** A field without children, and the other fields that it needs to be validated. */
interface Leaf {
  readonly part: Part;
  readonly path: Path;
  readonly schema: z.ZodType;
  readonly siblings: readonly (readonly [Path, unknown])[];
}

/** Returns all fields of a schema, including lists, records and all union variants. */
function leavesOf(part: Part, schema: unknown, path: Path = [], siblings: Leaf['siblings'] = []): Leaf[] {
  const below = (each: unknown, ...steps: Path) => leavesOf(part, each, [...path, ...steps], siblings);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault || schema instanceof z.ZodLazy)
    return below(schema.unwrap());
  if (schema instanceof z.ZodPipe) return below(schema.out);
  if (schema instanceof z.ZodArray) return below(schema.element, 0);
  if (schema instanceof z.ZodRecord)
    return below(
      schema.valueType,
      ['a', 'BRL/USD'].find((key) => z.safeParse(schema.keyType, key).success)!,
    );
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, each]) => below(each, name));
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const { discriminator } = schema.def;
    return schema.options.flatMap((each) => {
      const [named] = each._zod.propValues?.[discriminator] ?? [];
      return leavesOf(part, each, path, [...siblings, [[...path, discriminator], named]]);
    });
  }
  if (schema instanceof z.ZodUnion)
    return [
      { part, path, schema, siblings },
      ...schema.options.flatMap((each) => below(each)).filter((each) => each.path.length > path.length),
    ];
  if (!schema || schema instanceof z.ZodUnknown || schema instanceof z.ZodNull || schema instanceof z.ZodUndefined) return [];
  return [{ part, path, schema: schema as z.ZodType, siblings }];
}

/** Returns a copy of a value in which the value at a path is set. Creates missing parents. */
function withValue(root: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value;
  const copy = typeof step === 'number' ? [...((root as unknown[] | undefined) ?? [])] : { ...(root as object | undefined) };
  Reflect.set(copy, step, withValue(Reflect.get(copy, step), rest, value));
  return copy;
}

interface Trial {
  readonly route: AnyRoute;
  readonly path: Record<string, string>;
  readonly query: Record<string, string>;
  readonly body: unknown;
  /** The media type of a body that is not JSON. */
  readonly media: string | undefined;
}

/** Returns a request with a value in a field, and only the other fields that this field needs. */
/** Path parameters that must equal the example of a field in the body. */
const someNames: Readonly<Record<string, string>> = { worldName: 'ci-worker-7' };

function trialOf(route: AnyRoute, { part, path, siblings }: Leaf, value: unknown): Trial {
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  // Such a query belongs to a body of this type.
  const [media, content] = part === 'query' ? (Object.entries(route.alsoAccepts ?? {})[0] ?? []) : [];
  return {
    route,
    path: Object.fromEntries(
      names.map((name) => [name, part === 'path' && name === path[0] ? (value as string) : (someNames[name] ?? someId)]),
    ),
    query: {
      ...(route.query && 'timeoutMs' in route.query.shape ? { timeoutMs: '0' } : {}),
      ...(part === 'query' ? { [String(path[0])]: String(value) } : {}),
      ...(media !== undefined && path[0] !== 'section' ? { section: 'operations' } : {}),
    },
    body:
      part === 'body'
        ? [...siblings, [path, value] as const].reduce<unknown>((whole, [place, each]) => withValue(whole, place, each), undefined)
        : (content ?? (route.body && {})),
    media,
  };
}

function send({ route, path, query, body, media }: Trial): Promise<TestResponse> {
  const at = route.path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(path[name]!));
  const url = `${at}?${new URLSearchParams(query).toString()}`;
  const method = route.method.toUpperCase();
  const headers: Record<string, string> = media === undefined ? {} : { 'content-type': media };
  if (url.startsWith('/_sandbox')) return harness.control(method, url.slice('/_sandbox'.length), body, world, headers);
  if (!route.upload) return harness.api(method, url, body === undefined ? {} : { body }, world);
  const form = new FormData();
  form.set('body', new Blob([JSON.stringify(body)], { type: 'application/json' }));
  form.set('file', new Blob(['%PDF-1.4'], { type: 'application/pdf' }), 'a.pdf');
  return harness.api(method, url, { body: form }, world);
}

/** Returns the error for a request. Sends only requests that violate no schema, because their handlers may reject them. */
async function errorOf(trial: Trial): Promise<ErrorBody> {
  return expectedErrorOf(trial.route, trial) ?? (await send(trial)).body;
}

/** Returns the errors of a response about a field. */
function messagesOf(body: ErrorBody, { part, path }: Leaf): string[] {
  const field = `${part}:${fieldText(path)}`;
  const { errors: items = [], field: only } = (body?.details ?? {}) as { errors?: { field: string; message: string }[]; field?: string };
  return only === field ? [body!.message] : items.filter((each) => each.field === field).map(({ message }) => message);
}

/** Whether a string field has a format. */
const hasForm = (schema: z.ZodType) => schema.type === 'string' && !schema.safeParse(nonsense).success;

/** Returns all fields of a route's requests. Skips bodies that the handler reads, and streams, which do not end. */
function fieldsOf({ params, query, body, streamedBody, rawBody, eventStream }: AnyRoute): Leaf[] {
  if (eventStream) return [];
  return [...leavesOf('path', params), ...leavesOf('query', query), ...(streamedBody || rawBody ? [] : leavesOf('body', body))];
}

/** Returns the problem of a message about a value; null if the message is complete. */
function wordingProblem(message: string, { path, schema }: Leaf, value: unknown, example: string | undefined): string | null {
  if (!message.startsWith(`${fieldText(path)}: expected `)) return 'it does not begin with the field and the expectation';
  if (!/(; got .+|; it is missing)[.?]$/.test(message)) return 'it does not end with the received value';
  if (untold.test(message.slice(fieldText(path).length).replaceAll('INVALID_', ''))) return 'it contains words of a library';
  if (value !== nonsense) return null;
  if (!message.includes(nonsense) && !/secret/i.test(String(path.at(-1)))) return 'it does not show the received text';
  return hasForm(schema) && path[0] !== 'cursor' && example === undefined ? 'it has no example' : null;
}

describe('an error about a field', () => {
  it('states the name of the field, the value and the expectation, with a valid example', async () => {
    await harness.world(world);
    const examples = new Set<string>();
    const untaught: string[] = [];
    /** Routes of which an error was compared with the response to a request. */
    const sent = new Set<AnyRoute>();
    let refused = 0;
    for (const route of harness.routes) {
      for (const leaf of fieldsOf(route)) {
        for (const value of leaf.part === 'body' ? [nonsense, 5, { x: 1 }] : [nonsense]) {
          const trial = trialOf(route, leaf, value);
          const error = await errorOf(trial);
          const messages = messagesOf(error, leaf);
          const isNamed = JSON.stringify(error).includes(`"${leaf.part}:${fieldText(leaf.path)}`);
          const example = messages.map((each) => /such as ("(?:[^"\\]|\\.)*")/.exec(each)?.[1]).find((each) => each !== undefined);
          if (example !== undefined) examples.add(example);
          const fault =
            !isNamed && !leaf.schema.safeParse(value).success
              ? 'the value is not rejected'
              : (messages.map((each) => wordingProblem(each, leaf, value, example)).find((each) => each !== null) ??
                (example !== undefined && messagesOf(await errorOf(trialOf(route, leaf, JSON.parse(example))), leaf).length > 0
                  ? 'its example is rejected'
                  : null));
          refused += messages.length;
          if (messages.length > 0 && !sent.has(route)) {
            sent.add(route);
            expect((await send(trial)).body, route.operationId).toMatchObject(error!);
          }
          if (fault !== null)
            untaught.push(`${route.operationId}, ${leaf.part}, ${JSON.stringify(value)}: ${fault}: ${messages.join(' | ')}`);
        }
      }
    }
    expect(untaught).toEqual([]);
    expect([refused > 500, examples.size > 15, sent.size > 50]).toEqual([true, true, true]);
  });
});

describe('an error about an identifier', () => {
  const taxIds = taxIdTypes.map((type): Identifier => {
    const owner = { type: type === 'CNPJ' ? 'COMPANY' : 'INDIVIDUAL' };
    return [type, '/api/accounts', 'owner.taxId.value', (value) => ({ owner: { ...owner, taxId: { type, value } } })];
  });
  const payments = (fields: Record<string, string>, name: string): Identifier => [
    Object.values(fields).at(-1)!,
    '/api/beneficiaries',
    `paymentInstruction.${name}`,
    (value) => ({ paymentInstruction: { ...fields, [name]: value } }),
  ];

  it.each<Identifier>([
    ...taxIds,
    ...pixKeyTypes.map((dictKeyType) => payments({ type: 'PIX', asset: 'BRL', dictKeyType }, 'dictKey')),
    ...networks.map((network) => payments({ type: 'CRYPTO_WALLET', network }, 'address')),
    ...['bankCode', 'branch', 'accountNumber'].map((name) => payments({ type: 'BANK_ACCOUNT', rail: 'TED' }, name)),
    ...['iban', 'bic'].map((name) => payments({ type: 'BANK_ACCOUNT', rail: 'SEPA' }, name)),
    ...['iban', 'bic', 'accountNumber'].map((name) => payments({ type: 'BANK_ACCOUNT', rail: 'SWIFT' }, name)),
    ...['routingNumber', 'accountNumber'].map((name) => payments({ type: 'BANK_ACCOUNT', rail: 'WIRE' }, name)),
  ])('contains a valid example: %s', async (_what, path, field, bodyOf) => {
    const messages = async (value: unknown) => {
      const { body } = await harness.api('POST', path, { body: bodyOf(value) });
      return (body.details.errors as { field: string; message: string }[]).filter((each) => each.field === `body:${field}`);
    };
    const [{ message } = { message: '' }] = await messages(nonsense);
    expect(message).toMatch(/: expected an? .*, such as ".+"; got "¿\?"\.$/);
    expect(await messages(JSON.parse(/such as (".+?");/.exec(message)![1]!))).toEqual([]);
  });
});

/** Kind, path, field and body of an identifier. */
type Identifier = readonly [kind: string, path: string, field: string, bodyOf: (value: unknown) => unknown];
