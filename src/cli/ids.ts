import { answered } from '../client/caller.js';
import type { NewestKind } from '../contract/shared/command.js';
import { NotFoundError, UsageError } from './failure.js';
import type { Invocation } from './verb.js';

type Newest = (invocation: Invocation) => Promise<{ readonly id: string } | undefined>;

/** Functions that find the newest object, by the name of its kind in help texts. */
const newest = {
  operation: ({ world, signal }) => world.operations({ signal }).first(),
  deposit: ({ world, signal }) => world.operations({ filters: 'intent.type[eq]=DEPOSIT', signal }).first(),
  quote: ({ world, signal }) => world.quotes({ signal }).first(),
  delivery: ({ world, signal }) => world.deliveries({ signal }).first(),
  'beneficiary or document': async ({ world, signal }) => {
    const [beneficiary, document] = await Promise.all([world.beneficiaries({ signal }).first(), world.documents({ signal }).first()]);
    if (!beneficiary || !document) return beneficiary ?? document;
    return document.createdAt > beneficiary.createdAt ? document : beneficiary;
  },
  account: ({ world, signal }) => world.accounts({ signal }).first(),
  call: async ({ control, signal }) => {
    const page = await answered(control.GET('/_sandbox/requests', { params: { query: { limit: 1 } }, signal }));
    return 'data' in page ? page.data[0] : undefined;
  },
  fault: async ({ world, signal }) => (await world.faults({ signal })).at(-1),
} satisfies Record<NewestKind, Newest>;

/** The requests that find the newest object, for the help texts of commands. */
export const newestCalls: Readonly<Record<NewestKind, readonly string[]>> = {
  operation: ['GET /_sandbox/operations'],
  deposit: ['GET /_sandbox/operations'],
  quote: ['GET /_sandbox/quotes'],
  delivery: ['GET /_sandbox/deliveries'],
  'beneficiary or document': ['GET /_sandbox/beneficiaries', 'GET /_sandbox/documents'],
  account: ['GET /_sandbox/accounts'],
  call: ['GET /_sandbox/requests'],
  fault: ['GET /_sandbox/faults'],
};

/** Returns the help text of an id argument. */
export const idMeaning = (kind: NewestKind) => `Id of the ${kind}; @last for the newest, - for ids from standard input.`;

/**
 * Returns the ids of an argument; there can be several from standard input.
 * @throws NotFoundError if `@last` finds none
 * @throws UsageError for an invalid id, or none on standard input
 */
export async function idsOf(text: string, kind: NewestKind, invocation: Invocation): Promise<string[]> {
  if (text === '@last') {
    const found = await newest[kind](invocation);
    if (!found) throw new NotFoundError(`World ${invocation.world.name} has no ${kind} yet, so @last finds none.`);
    return [found.id];
  }
  if (text.startsWith('@')) throw new UsageError(`"${text}" is not an id. Use @last for the newest ${kind}.`);
  if (text !== '-') return [text];
  const ids = (await invocation.readInput()).split(/\s+/).filter(Boolean);
  if (ids.length === 0) throw new UsageError('- reads ids from standard input, which is empty.');
  return ids;
}

/**
 * Returns the id of an argument that accepts only one.
 * @throws NotFoundError if `@last` finds none
 * @throws UsageError for an invalid id, or zero or several ids on standard input
 */
export async function idOf(text: string, kind: NewestKind, invocation: Invocation): Promise<string> {
  const [id, ...more] = await idsOf(text, kind, invocation);
  if (more.length > 0) throw new UsageError(`Expected one id on standard input; got ${more.length + 1}.`);
  return id!;
}
