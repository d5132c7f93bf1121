import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Integrator, Place } from './integrator.js';

/** The behaviour of a legitimate client. Its verdict must be PASSED, without a finding above a hint. */
export interface Behaviour {
  readonly name: string;
  /** Default: `default`. */
  readonly scenario?: string;
  /** True if the clock runs; payments then end within a second. Default: it is frozen. */
  readonly isRunning?: boolean;
  readonly play: (place: Place, client: Integrator) => Promise<unknown>;
}

export const times = async (count: number, play: (index: number) => Promise<unknown>) => {
  for (let index = 0; index < count; index += 1) await play(index);
};
export const together = (count: number, play: (index: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, (_, index) => play(index)));
/** The value of a header that names what a payment is for. */
export const forPurpose = (purpose: string) => ({ headers: { 'x-sandbox-purpose': purpose } });

/** Returns a valid CPF. */
function cpf(index: number): string {
  const digits = String(417_300_511 + index * 7919)
    .split('')
    .map(Number);
  for (const length of [10, 11]) {
    const rest = (digits.reduce((sum, digit, place) => sum + digit * (length - place), 0) * 10) % 11;
    digits.push(rest % 10);
  }
  return digits.join('');
}

/** Registers payees, each once, and waits for their reviews. */
export async function hire(place: Place, client: Integrator, names: readonly string[]): Promise<object[]> {
  const created = [];
  for (const [index, firstName] of names.entries()) {
    const { body } = await client.call('POST', '/api/beneficiaries', {
      holder: { type: 'INDIVIDUAL', firstName, lastName: 'Teixeira', taxId: { type: 'CPF', value: cpf(index) }, dateOfBirth: '1988-04-05' },
      relationshipType: 'THIRD_PARTY',
      paymentInstruction: { type: 'PIX', asset: 'BRL', dictKeyType: 'EMAIL', dictKey: `${firstName.toLowerCase()}@example.com` },
    });
    created.push({ type: 'REFERENCE', id: body.id as string, paymentInstruction: { type: 'REFERENCE', id: body.paymentInstruction.id } });
  }
  await place.advance('5s');
  for (const { id } of created) {
    while ((await client.call('GET', `/api/beneficiaries/${id}`)).body.status !== 'APPROVED') await sleep(100);
  }
  return created;
}

/** Advances the clock, and reads operations to their end. */
export const finish = async (place: Place, client: Integrator, ...operations: readonly { body: unknown }[]) => {
  await place.advance();
  for (const each of operations) await client.read(each);
};

/** Runs a server while a client works. */
export async function withServer<T>(start: () => { server: Server; end?: () => void }, use: (url: string) => Promise<T>): Promise<T> {
  const { server, end } = start();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    end?.();
    server.close();
  }
}

/** Runs an endpoint that responds with 204 to all webhooks. */
export const withEndpoint = <T>(use: (url: string) => Promise<T>) =>
  withServer(() => {
    const server = createHttpServer((incoming, response) => incoming.resume().on('end', () => response.writeHead(204).end()));
    return { server, end: () => server.closeAllConnections() };
  }, use);
