import type { IncomingHttpHeaders } from 'node:http';
import type { Report } from '../contract/control/analysis/report.js';
import { SmallClient, type Carelessness, type Design } from './small-client.js';
import type { ReceiverResponse, Stage } from './script-stage.js';

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
  /** Compares the records of the client with its world. */
  reconcile(records: object): Promise<unknown>;
  /** Serves the endpoint of the client. @returns its URL */
  endpoint(receive: (headers: IncomingHttpHeaders, body: string) => ReceiverResponse): string;
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

/** Proves with its records what a client that reads nothing has learned. */
async function prove(client: SmallClient, run: SmallRun): Promise<void> {
  if (run.design?.readsNothing) await run.reconcile({ operations: client.records(), complete: ['operations'] });
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
  await learn(client, client, run, await client.payOut('5.00', 1, payee, account));
  await prove(client, run);
}

/** Runs the client in operation: as two processes, one after the other, in a world that loses responses and forges signatures at random. */
export async function runInOperation(run: SmallRun): Promise<void> {
  const clients = [clientOf(run), clientOf(run)];
  const payments = run.design?.readsNothing ? 45 : 25;
  const account = await subscribed(clients[0]!, run);
  const payee = await registered(clients[0]!, run);
  for (const client of clients) {
    for (let count = 0; count < payments; count += 1) {
      await learn(client, clients[0]!, run, await client.payOut('4.35', 1, payee, account));
    }
  }
  await prove(clients[0]!, run);
}

/** Creates a world on a stage, and returns the parameters for a run of the client in this world. */
async function runIn(stage: Stage, world: string, careless: Carelessness, more: object, design: Design): Promise<SmallRun> {
  const { clientId, clientSecret } = (await stage.makeWorld(world, { mode: 'FROZEN' }, more)) as Record<string, string>;
  return {
    url: stage.url,
    credentials: { clientId: clientId!, clientSecret: clientSecret! },
    careless,
    design,
    wait: (ms) => stage.pass(ms),
    advance: async (by) => {
      await stage.control('POST', '/clock/advance', world, { by });
      await stage.control('POST', '/deliveries/flush', world, {});
    },
    reconcile: (records) => stage.control('POST', '/reconcile', world, records),
    endpoint: (receive) => {
      stage.endpoints.set(`/${world}`, receive);
      return `${stage.receiverUrl}/${world}`;
    },
  };
}

/** Runs the test suite of the client in a new world with the scenario `challenge`. */
export async function suiteIn(stage: Stage, world: string, careless: Carelessness, design: Design = {}): Promise<void> {
  await runSuite(await runIn(stage, world, careless, { scenario: 'challenge' }, design));
}

/** Runs a client without errors in operation, in a new world with the scenario `certification`. */
export async function operateIn(stage: Stage, world: string, design: Design = {}): Promise<void> {
  await runInOperation(await runIn(stage, world, {}, { scenario: 'certification', seed: 'random' }, design));
}

/** Returns the final report about worlds by the profile `payouts`. @param worlds names, separated by commas */
export function reportOf(stage: Stage, worlds: string): Promise<Report> {
  return stage.control('GET', `/report?world=${worlds}&profile=payouts&final=true`, worlds) as Promise<Report>;
}

/** Returns the rules that a report names. */
export function rulesOf({ findings }: Report): string[] {
  return [...new Set(findings.map(({ rule }) => rule))].toSorted();
}

/** Returns the requirements of a report that are not covered, with their results. */
export function resultsOf({ profile }: Report): string[] {
  return profile!.requirements.filter(({ result }) => result !== 'PASSED').map(({ id, result }) => `${id} ${result}`);
}
