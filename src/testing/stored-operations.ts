import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createPublicPlane } from '../api/public/app.js';
import { Sandbox } from '../sandbox/sandbox.js';
import { defaultWorld } from '../world/identity.js';
import { createTokenKey } from '../sandbox/tokens.js';
import { FileStorage } from '../storage/file/file-storage.js';
import { loadReferenceData } from '../fixtures/reference-data.js';
import { scenariosOf } from './scenarios.js';

const root = join(import.meta.dirname, '../..');
/** Number of operations that are requested at the same time. */
const batch = 50;
/** World time between two batches in milliseconds: long enough that operations complete while others are requested. */
const betweenMs = 500;

/**
 * Creates a data directory whose default world has this number of completed operations, which were requested through the API. Each has a
 * quote, an idempotency record, a plan, ledger entries, and two events for the only subscription. Transfers, withdrawals, swaps and
 * deposits are a quarter each.
 */
export async function storeOperations(directory: string, operations: number): Promise<void> {
  let realMs = Date.parse('2026-11-21T12:00:00.000Z');
  const sandbox = await Sandbox.open({
    realNow: () => realMs,
    storage: await FileStorage.open(directory, { stopMs: 600_000 }),
    probe: () => Promise.resolve([]),
    transport: () => Promise.resolve({ httpStatus: 200, error: null }),
    data: loadReferenceData(join(root, 'fixtures')),
    scenarios: scenariosOf(),
    tokenKey: await createTokenKey(),
    seed: 'sandbox',
    scenario: 'default',
    maxWorlds: 1,
    maxRows: Number.MAX_SAFE_INTEGER,
    urlPolicy: 'local',
    ownPorts: () => [],
    onInternalError: (error) => {
      throw error;
    },
  });
  const { app } = createPublicPlane({ sandbox, defaultVersion: '1' });
  let authorization = '';
  const post = async (path: string, body: object): Promise<Record<string, string>> => {
    const headers = { authorization, 'content-type': 'application/json', 'x-idempotency-key': randomUUID() };
    const answer = await app.request(`http://localhost${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const answered = (await answer.json()) as Record<string, string>;
    if (answer.status >= 300) throw new Error(`POST ${path} got the response ${answer.status}: ${JSON.stringify(answered)}`);
    return answered;
  };
  const renewToken = async () => {
    const { clientId, clientSecret } = defaultWorld;
    authorization = `Bearer ${(await post('/api/oauth/client/token', { clientId, clientSecret }))['accessToken']}`;
  };

  const world = sandbox.world(defaultWorld.name);
  const [account, other] = [...world.state.accounts.values()].map(({ id }) => id);
  const [beneficiary] = world.state.beneficiaries.values();
  const reference = { type: 'REFERENCE', id: beneficiary!.paymentInstructions[0]!.id };
  const payee = { type: 'REFERENCE', id: beneficiary!.id, paymentInstruction: reference };
  const withQuote = async (path: string, targetAsset: string, sourceAmount: string, body: object = {}) => {
    const quote = await post('/api/quotes', { accountId: account, sourceAsset: 'BRL', targetAsset, sourceAmount });
    await post(`/api/operations/${path}`, { accountId: account, quoteId: quote['id'], ...body });
  };
  const kinds = [
    () => post('/api/operations/transfer', { sourceAccountId: account, targetAccountId: other, amount: { value: '1.00', asset: 'BRL' } }),
    () => withQuote('withdrawal', 'BRL', '1.00', { beneficiary: payee }),
    () => withQuote('swap', 'USD', '1.00'),
    () => withQuote('deposit', 'BRL', '10.00', { fundingInstruction: { rail: 'PIX_KEY' } }),
  ];
  await renewToken();
  await post('/api/subscriptions', { url: 'https://hooks.example.com/payments', includeAll: true, allowRetry: true });
  for (let made = 0; made < operations; made += batch) {
    if (made % 1000 === 0) await renewToken();
    await Promise.all(Array.from({ length: Math.min(batch, operations - made) }, (_, index) => kinds[index % kinds.length]!()));
    realMs += betweenMs;
  }
  realMs += 60_000;
  await sandbox.tickerOf(world).runDueJobs();
  await sandbox.deliverer.flush(world);
  await sandbox.close();
}
