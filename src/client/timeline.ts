import { answered, type CallOptions, type Control } from './caller.js';
import type { Why } from './types.js';
import { entryText, timeOfDay } from './why-text.js';

/** Maximum number of items of each kind; the newest are used. */
const limit = 50;

/**
 * Returns the events of a world as a tree: each cause, the resources that it affected first, and their history. Omits unchanged fixtures.
 */
export async function timelineOf(client: Control, { signal = null }: CallOptions = {}): Promise<string> {
  const query = { limit };
  const [clock, operations, beneficiaries, documents, ledger] = await Promise.all([
    answered(client.GET('/_sandbox/clock', { signal })),
    answered(client.GET('/_sandbox/operations', { params: { query }, signal })),
    answered(client.GET('/_sandbox/beneficiaries', { params: { query }, signal })),
    answered(client.GET('/_sandbox/documents', { params: { query }, signal })),
    answered(client.GET('/_sandbox/ledger', { params: { query }, signal })),
  ]);
  const ids = [
    ...operations.data.flatMap(({ id, account }) => [id, account.id]),
    ...beneficiaries.data.flatMap(({ id, paymentInstructions }) => [id, ...paymentInstructions.map((each) => each.id)]),
    ...documents.data.flatMap(({ id, holder }) => [id, holder.referenceId]),
    ...ledger.data.filter(({ operationId, causeId }) => operationId === null && causeId !== 'fixtures').map(({ id }) => id),
  ];
  const whys: Why[] = [];
  for (const resourceId of new Set(ids)) {
    whys.push(await answered(client.GET('/_sandbox/why/{resourceId}', { params: { path: { resourceId } }, signal })));
  }
  const roots = rootsOf(whys.filter(({ entries }) => entries.some(({ cause }) => cause.id !== 'fixtures')));
  const head = `${clock.now}, ${clock.mode}, timers waiting: ${clock.pendingTimers}`;
  return [head, ...(roots.length > 0 ? roots.flatMap(linesOf) : ['No events yet.'])].join('\n');
}

/** The resources that one cause affected first. */
interface Root {
  readonly id: string;
  readonly at: string;
  readonly summary: string;
  readonly began: Why[];
}

function rootsOf(whys: readonly Why[]): Root[] {
  const roots = new Map<string, Root>();
  for (const why of whys) {
    const [first] = why.entries;
    if (!first) continue;
    const { id, summary } = first.cause;
    const root = roots.get(id) ?? { id, at: first.at, summary, began: [] };
    root.began.push(why);
    roots.set(id, root);
  }
  return [...roots.values()].toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

function linesOf({ id, at, summary, began }: Root): string[] {
  return [
    `${timeOfDay(at)} ${summary}`,
    ...began.flatMap(({ id: resourceId, resource, status, entries }) => [
      `  ${[resource, resourceId, status ?? ''].join(' ').trimEnd()}`,
      ...entries.map((entry) => `    ${entryText(entry, id)}`),
    ]),
  ];
}
