import type { ApiCall } from '../api-calls.js';
import { parseJson } from '../parts/json.js';
import { choicesOf, type Choice, type WorldIds } from './world-ids.js';

/** The ids in bodies, by their position in the JSON. */
const inBodies: readonly (readonly [kind: string, ...steps: string[]])[] = [
  ['accountId', 'accountId'],
  ['sourceAccountId', 'sourceAccountId'],
  ['targetAccountId', 'targetAccountId'],
  ['quoteId', 'quoteId'],
  ['beneficiaryId', 'beneficiary', 'id'],
  ['paymentInstructionId', 'beneficiary', 'paymentInstruction', 'id'],
  ['accountId', 'holder', 'referenceId'],
];

/** The id that must change too after another one: an owner belongs to an account. */
const dependents: Readonly<Record<string, string>> = {
  accountId: 'uboId',
  beneficiaryId: 'paymentInstructionId',
  subscriptionId: 'executionLogId',
};

/** An id in a request, with what the world has for it. */
export interface IdField {
  readonly kind: string;
  /** The field as the API names it, for example `beneficiary.id`. */
  readonly name: string;
  readonly value: string;
  readonly choices: readonly Choice[];
  /** Returns the request with another id. */
  readonly set: (id: string) => ApiCall;
}

type Json = { readonly [name: string]: Json | string };

const valueAt = (body: Json, steps: readonly string[]): Json | string | undefined =>
  steps.reduce<Json | string | undefined>((each, step) => (typeof each === 'object' ? each[step] : undefined), body);

function withValue(body: Json, [step, ...rest]: readonly string[], id: string): Json {
  return { ...body, [step!]: rest.length === 0 ? id : withValue(body[step!] as Json, rest, id) };
}

/** Returns the ids in a request without their choices. @param template path with its parameters in braces */
function idsIn(template: string, call: ApiCall): Omit<IdField, 'choices'>[] {
  const [path = '', ...query] = call.path.split('?');
  const segments = path.split('/');
  const names = template.split('/');
  const isSame = names.length === segments.length && names.every((name, index) => name.startsWith('{') || name === segments[index]);
  const inPath = names.flatMap((name, index) =>
    isSame && name.startsWith('{')
      ? [
          {
            kind: name.slice(1, -1),
            name: name.slice(1, -1),
            value: segments[index]!,
            set: (id: string) => ({ ...call, path: [segments.with(index, id).join('/'), ...query].join('?') }),
          },
        ]
      : [],
  );
  const body = parseJson(call.body ?? '') as Json | string | null;
  if (typeof body !== 'object' || body === null) return inPath;
  const fromBody = inBodies.flatMap(([kind, ...steps]) => {
    const value = valueAt(body, steps);
    return typeof value === 'string'
      ? [
          {
            kind,
            name: steps.join('.'),
            value,
            set: (id: string) => ({ ...call, body: JSON.stringify(withValue(body, steps, id), null, 2) }),
          },
        ]
      : [];
  });
  return [...inPath, ...fromBody];
}

/** Returns the ids in a request that the user can choose. */
export function idFieldsOf(template: string, call: ApiCall, world: WorldIds): IdField[] {
  const ids = idsIn(template, call);
  const choices = choicesOf(world, Object.fromEntries(ids.map(({ kind, value }) => [kind, value])));
  const set = (id: Omit<IdField, 'choices'>, value: string): ApiCall => {
    const next = id.set(value);
    const dependent = idsIn(template, next).find(({ kind }) => kind === dependents[id.kind]);
    if (dependent === undefined) return next;
    const own = choicesOf(world, { [id.kind]: value })[dependent.kind] ?? [];
    return dependent.set(own[0]?.id ?? `{${dependent.kind}}`);
  };
  return ids.map((id) => ({ ...id, choices: choices[id.kind] ?? [], set: (value) => set(id, value) }));
}
