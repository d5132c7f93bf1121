import { randomUUID } from 'node:crypto';
import { call, connect } from './process.js';

type Api = Awaited<ReturnType<typeof connect>>;

/** A client of a world under load. */
interface Customer {
  readonly api: Api;
  readonly control: (method: string, path: string, body?: unknown) => ReturnType<typeof call>;
  readonly accountIds: readonly string[];
  readonly beneficiary: { id: string; paymentInstructions: { id: string }[] };
}

/** Activities in a world, each of several requests. Rejected requests are part of them. */
const habits: Readonly<Record<string, (customer: Customer, turn: number) => Promise<unknown>>> = {
  read: async ({ api, accountIds }) => {
    await api('GET', '/api/accounts?limit=5');
    await api('GET', `/api/accounts/${accountIds[0]}/fundingInstructions`);
    await api('GET', `/api/operations/${randomUUID()}`);
    await api('GET', '/api/reports?periodStart=2020-01-01T00:00:00Z&periodEnd=2030-01-01T00:00:00Z');
  },
  retry: async ({ api, accountIds }) => {
    const key = randomUUID();
    const quote = { accountId: accountIds[0], sourceAsset: 'BRL', targetAsset: 'USD', sourceAmount: '10.00' };
    await Promise.all([api('POST', '/api/quotes', quote, key), api('POST', '/api/quotes', quote, key)]);
    await api('POST', '/api/quotes', { ...quote, sourceAmount: '11.00' }, key);
  },
  transfer: async ({ api, control, accountIds }) => {
    const body = { sourceAccountId: accountIds[0], targetAccountId: accountIds[1], amount: { value: '1.00', asset: 'BRL' } };
    const { body: operation } = await api('POST', '/api/operations/transfer', body);
    await Promise.all([
      control('GET', `/operations/${operation.id}/await?status=COMPLETED&timeoutMs=2000`),
      control('GET', `/operations/${operation.id}/await?status=FAILED&timeoutMs=5`),
      control('POST', `/operations/${operation.id}/complete`),
    ]);
    await control('GET', `/why/${operation.id}`);
  },
  withdraw: async ({ api, accountIds, beneficiary }) => {
    const quote = { accountId: accountIds[0], sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '1.00' };
    const { body: quoted } = await api('POST', '/api/quotes', quote);
    const instruction = { type: 'REFERENCE', id: beneficiary.paymentInstructions[0]!.id };
    const payee = { type: 'REFERENCE', id: beneficiary.id, paymentInstruction: instruction };
    const { body: operation } = await api('POST', '/api/operations/withdrawal', {
      accountId: accountIds[0],
      quoteId: quoted.id,
      beneficiary: payee,
    });
    await api('GET', `/api/operations/${operation.id}`);
  },
  time: async ({ control }, turn) => {
    await control('POST', '/clock/advance', { by: turn % 2 === 0 ? 'PT30S' : 'PT5M' });
    await control('GET', '/deliveries?limit=20');
    await control('GET', '/ledger?limit=20');
  },
  snapshot: async ({ control }, turn) => {
    const name = `s${turn % 3}`;
    await control('POST', '/snapshots', { name });
    await control('POST', `/snapshots/${name}/restore`);
    await control('DELETE', `/snapshots/${name}`);
  },
  webhooks: async ({ api, control }) => {
    await control('POST', '/events', { eventType: 'OPERATION_COMPLETED' });
    await control('POST', '/deliveries/flush');
    await control('GET', '/inbox/mixed/messages?limit=10');
    await api('GET', '/api/subscriptions');
  },
  faults: async ({ api, control }) => {
    const { body: fault } = await control('POST', '/faults', {
      on: 'REQUEST',
      effect: { status: 503, code: 'SERVICE_UNAVAILABLE' },
      times: 1,
    });
    await api('GET', '/api/accounts');
    await control('DELETE', `/faults/${fault.id}`);
  },
};

/** Creates a world with webhooks to `hooks` and to an inbox, and reads the ids that its client needs. */
async function enter(url: string, name: string, hooks: string): Promise<Customer> {
  const control: Customer['control'] = (method, path, body) =>
    call(url, method, `/_sandbox${path}`, { ...(body === undefined ? {} : { body }), headers: { 'x-sandbox-world': name } });
  const { body: world } = await call(url, 'POST', '/_sandbox/worlds', { body: { name, clock: { mode: 'FROZEN' } } });
  const api = await connect(url, world.credentials);
  await api('POST', '/api/subscriptions', { url: hooks, includeAll: true, allowRetry: true });
  await api('POST', '/api/subscriptions', { url: `${url}/_sandbox/inbox/mixed?world=${name}`, includeAll: true });
  const { body: accounts } = await api('GET', '/api/accounts?sortOrder=ASCENDING&limit=2');
  const { body: beneficiaries } = await control('GET', '/beneficiaries?sortOrder=ASCENDING&limit=1');
  return { api, control, accountIds: accounts.data.map(({ id }: { id: string }) => id), beneficiary: beneficiaries.data[0] };
}

/**
 * Uses many features of a sandbox for a while: each client creates a world, uses it, deletes it, and creates the next.
 * @param until returns true to stop; called between two activities
 * @returns the count of each activity and of worlds
 */
export async function mixedLoad(
  url: string,
  hooks: string,
  until: () => boolean,
  { clients, turnsPerWorld }: { clients: number; turnsPerWorld: number },
): Promise<Map<string, number>> {
  const done = new Map<string, number>();
  const count = (what: string) => done.set(what, (done.get(what) ?? 0) + 1);
  const live = async (client: number) => {
    while (!until()) {
      const name = `mixed-${client}`;
      const customer = await enter(url, name, hooks);
      for (let turn = 0; turn < turnsPerWorld && !until(); turn += 1) {
        const [habit, follow] = Object.entries(habits)[(turn + client) % Object.keys(habits).length]!;
        await follow(customer, turn);
        count(habit);
      }
      await call(url, 'DELETE', `/_sandbox/worlds/${name}`);
      count('worlds');
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => live(client)));
  return done;
}
