import { rowOf, type Row } from './row.js';
import { pixBeneficiary } from '../withdrawals.js';
import { SandboxProcess, call, connect } from '../process.js';

const worlds = 50;
const rounds = 5;

/** Runs the journey of one client in its own world: pays, waits for completion, and reads the result. @returns the number of requests */
async function journey(url: string, world: string): Promise<number> {
  let calls = 0;
  const own = { 'x-sandbox-world': world };
  const checked = async (answer: ReturnType<typeof call>) => {
    calls += 1;
    const { status, body, text } = await answer;
    if (status >= 400) throw new Error(`${world}: ${status} ${text}`);
    return body;
  };
  const { credentials } = await checked(call(url, 'GET', `/_sandbox/worlds/${world}`));
  const client = await connect(url, credentials);
  calls += 1;
  const api = (method: string, path: string, body?: unknown) => checked(client(method, path, body));
  const advance = () => checked(call(url, 'POST', '/_sandbox/clock/advance', { body: { by: '10s' }, headers: own }));
  const accounts = await api('GET', '/api/accounts?limit=1&sortOrder=ASCENDING');
  const accountId = accounts.data[0].id as string;
  await api('POST', '/api/subscriptions', { url: `${url}/_sandbox/inbox/in?world=${world}`, includeAll: true });
  const { id, paymentInstruction } = await api('POST', '/api/beneficiaries', pixBeneficiary());
  await advance();
  const reference = { type: 'REFERENCE', id, paymentInstruction: { type: 'REFERENCE', id: paymentInstruction.id } };
  for (let count = 0; count < 3; count += 1) {
    const quote = await api('POST', '/api/quotes', { accountId, sourceAsset: 'USD', targetAsset: 'BRL', sourceAmount: '20.00' });
    const operation = await api('POST', '/api/operations/withdrawal', { accountId, quoteId: quote.id, beneficiary: reference });
    await advance();
    const { currentState } = await api('GET', `/api/operations/${operation.id}`);
    if (currentState.status !== 'COMPLETED') throw new Error(`${world}: the operation is ${currentState.status}.`);
  }
  return calls;
}

/**
 * Measures the cost of a request with fifty concurrent worlds, compared with the same journeys one after another on one server. Both rows
 * show milliseconds per request, divided by the number of worlds: the mean of all worlds, and the slowest world.
 */
export async function measureWorlds(): Promise<Row[]> {
  const server = await SandboxProcess.start(['--data', 'memory', '--log-level', 'error']);
  const together: number[] = [];
  const slowest: number[] = [];
  const alone: number[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const names = Array.from({ length: worlds }, (_each, index) => `bench-${round}-${index}`);
      for (const name of names)
        await call(server.url, 'POST', '/_sandbox/worlds', { body: { name, clock: { mode: 'FROZEN', now: '2026-11-21T12:00:00Z' } } });
      const reset = () => Promise.all(names.map((name) => call(server.url, 'POST', `/_sandbox/reset?world=${name}`)));
      const timed = async (name: string) => {
        const startedMs = performance.now();
        const calls = await journey(server.url, name);
        return (performance.now() - startedMs) / calls;
      };
      const ownMs: number[] = [];
      for (const name of names) ownMs.push(await timed(name));
      alone.push(ownMs.reduce((sum, each) => sum + each, 0) / worlds);
      await reset();
      const shares = (await Promise.all(names.map(timed))).map((ms) => ms / worlds);
      together.push(shares.reduce((sum, each) => sum + each, 0) / worlds);
      slowest.push(Math.max(...shares));
      for (const name of names) await call(server.url, 'DELETE', `/_sandbox/worlds/${name}`);
    }
  } finally {
    await server.end('SIGTERM');
  }
  return [
    rowOf(0, `${worlds} worlds at once, ms per call (against one world alone)`, together, alone),
    rowOf(0, `the slowest of ${worlds} worlds, ms per call (against one world alone)`, slowest, alone),
  ];
}
