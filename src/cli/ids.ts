import { answered } from '../client/caller.js';
import { NotThere, UsageError } from './failure.js';
import type { Invocation } from './verb.js';

type Newest = (invocation: Invocation) => Promise<{ readonly id: string } | undefined>;

/** How to find the newest thing of a kind, by what the kind is called. */
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
} satisfies Record<string, Newest>;

export type Kind = keyof typeof newest;

/** What help says of an argument that is an id. */
export const idMeaning = (kind: Kind) => `Id of the ${kind}; @last for the newest, - for ids from the standard input.`;

/** The ids that an argument stands for: several when they come from the standard input. @throws NotThere @throws UsageError */
export async function idsOf(text: string, kind: Kind, invocation: Invocation): Promise<string[]> {
  if (text === '@last') {
    const found = await newest[kind](invocation);
    if (!found) throw new NotThere(`There is no ${kind} in world ${invocation.world.name} yet, so there is no @last.`);
    return [found.id];
  }
  if (text.startsWith('@')) throw new UsageError(`"${text}" is no id; @last is the newest ${kind}.`);
  if (text !== '-') return [text];
  const ids = (await invocation.readInput()).split(/\s+/).filter(Boolean);
  if (ids.length === 0) throw new UsageError('- takes ids from the standard input, which is empty.');
  return ids;
}

/** The one id that an argument stands for. @throws NotThere @throws UsageError */
export async function idOf(text: string, kind: Kind, invocation: Invocation): Promise<string> {
  const [id, ...more] = await idsOf(text, kind, invocation);
  if (more.length > 0) throw new UsageError(`Only one id is wanted here, and the standard input has ${more.length + 1}.`);
  return id!;
}
