import type { IncomingHttpHeaders } from 'node:http';
import { SmallClient, type Carelessness, type Design } from './small-client.js';
import type { ReceiverAnswer } from './script-stage.js';

/** The environment of a run of a small client in a world. */
export interface SmallRun {
  readonly url: string;
  readonly credentials: { readonly clientId: string; readonly clientSecret: string };
  readonly careless: Carelessness;
  /** Default: a client that verifies signatures first and reads each operation. */
  readonly design?: Design;
  /** Advances real time. */
  readonly wait: (ms: number) => void;
  /** Advances the time of the world. For a client that reads nothing it also waits until all webhooks that are due were sent. */
  advance(by: string): Promise<unknown>;
  /** Serves the endpoint of the client. @returns its URL */
  endpoint(receive: (headers: IncomingHttpHeaders, body: string) => ReceiverAnswer): string;
}

const clientOf = ({ url, credentials, careless, wait, design = {} }: SmallRun) =>
  new SmallClient({ url, credentials, careless, wait, design });

/** Subscribes the endpoint of a client, and returns the id of its first account. */
async function subscribed(client: SmallClient, run: SmallRun): Promise<string> {
  const url = run.endpoint((headers, body) => client.receive(headers, body));
  await client.write('/api/subscriptions', { url, includeAll: true, allowRetry: true });
  return (await client.read('/api/accounts?limit=1&sortOrder=ASCENDING')).data[0].id as string;
}

/** Registers a payee, and returns it once it is approved. */
async function registered(client: SmallClient, run: SmallRun) {
  const { id } = await client.write('/api/beneficiaries', {
    holder: {
      type: 'INDIVIDUAL',
      firstName: 'Caio',
      lastName: 'Menezes',
      taxId: { type: 'CPF', value: '31415926590' },
      dateOfBirth: '1991-11-02',
    },
    relationshipType: 'THIRD_PARTY',
    paymentInstruction: { type: 'PIX', asset: 'BRL', dictKeyType: 'EMAIL', dictKey: 'caio.menezes@example.com' },
  });
  await run.advance('10s');
  client.work();
  if (!run.design?.readsNothing) return client.read(`/api/beneficiaries/${id}`);
  const approval = () => client.eventOf(id, 'BENEFICIARY_PAYMENT_INSTRUCTION_APPROVED');
  for (let waits = 0; waits < 6 && approval() === undefined; waits += 1) await run.advance('10s');
  return { id, paymentInstructions: [approval().instruction] };
}

/** Lets time pass, and learns how an operation ended. @param endpoint the process that receives the webhooks */
async function learn(client: SmallClient, endpoint: SmallClient, run: SmallRun, operation: { id: string } | null): Promise<void> {
  await run.advance('10s');
  endpoint.work();
  if (operation?.id !== undefined && !run.design?.readsNothing) await client.read(`/api/operations/${operation.id}`);
}

/**
 * Runs the test suite of a small client: registers a payee, pays out, and handles a failed payment and an expired quote. The suite has no
 * fault tests.
 */
export async function runSuite(run: SmallRun): Promise<void> {
  const client = clientOf(run);
  const account = await subscribed(client, run);
  const payee = await registered(client, run);
  for (let count = 0; count < 22; count += 1) {
    const operation = await client.payOut(count === 21 ? '10.12' : '4.35', count === 21 ? 1 : 3, payee, account);
    await learn(client, client, run, operation);
  }
  const old = await client.write('/api/quotes', { accountId: account, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '5.00' });
  await run.advance('1m');
  await client.withdraw(old.id, payee, account);
  await client.payOut('5.00', 1, payee, account);
  await run.advance('1m');
}

/** Runs the client in operation: as two processes, one after the other, in a world that loses responses and forges signatures at random. */
export async function operate(run: SmallRun): Promise<void> {
  const clients = [clientOf(run), clientOf(run)];
  const payments = run.design?.readsNothing ? 45 : 25;
  const account = await subscribed(clients[0]!, run);
  const payee = await registered(clients[0]!, run);
  for (const client of clients) {
    for (let count = 0; count < payments; count += 1) {
      await learn(client, clients[0]!, run, await client.payOut('4.35', 1, payee, account));
    }
  }
}
