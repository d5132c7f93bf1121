import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import type { ProbeStep } from '../../contract/control/deliveries.js';
import type { UrlPolicy } from '../../contract/scenario/settings.js';
import { DomainError } from '../../domain/errors.js';
import { addressFault } from '../../domain/webhooks/url-policy.js';
import { readAuthorities } from './authorities.js';
import { connectionFault } from './connection-fault.js';
import { createLookup, type Lookup } from './lookup.js';
import { ownPortFault, portOf, targetFault } from './own-ports.js';

/** How many probes may be under way at a time. */
const maxProbes = 32;

/** Goes the way that a webhook to a URL would go, as far as it leads, and sends nothing. */
export type Probe = (target: { url: string; policy: UrlPolicy; timeoutMs: number }) => Promise<ProbeStep[]>;

export interface ProbeOptions {
  /** A PEM file with further certificate authorities to trust. */
  readonly caFile?: string | undefined;
  /** In place of the machine's name look-up. */
  readonly lookup?: Lookup;
  /** The ports at which the sandbox itself listens. */
  readonly ownPorts?: () => readonly number[];
}

/** What goes wrong in a step. */
class StepFailed extends Error {
  override readonly name = 'StepFailed';
}

/**
 * Makes a probe that trusts and looks up as the transport does.
 * @returns a probe, which throws DomainError RATE_LIMIT_EXCEEDED when too many are under way
 * @throws Error when the file of authorities cannot be read
 */
export function createProbe({ caFile, lookup = createLookup(), ownPorts = () => [] }: ProbeOptions = {}): Probe {
  const ca = caFile === undefined ? undefined : readAuthorities(caFile);
  let open = 0;
  return async ({ url, policy, timeoutMs }) => {
    if (open >= maxProbes)
      throw new DomainError('RATE_LIMIT_EXCEEDED', `${maxProbes} probes are under way already.`, { maximum: maxProbes });
    open += 1;
    const deadline = AbortSignal.timeout(timeoutMs);
    const steps: ProbeStep[] = [];
    let socket: Socket | undefined;
    try {
      await goOn(steps, 'POLICY', deadline, () => checkPolicy(url, policy, ownPorts()));
      const target = new URL(url);
      const host = target.hostname.replace(/^\[|\]$/g, '');
      const [address = ''] = await goOn(
        steps,
        'DNS',
        deadline,
        () => resolve(lookup, host, target, policy, ownPorts()),
        (all) => all.join(', '),
      );
      const port = portOf(target);
      socket = await goOn(
        steps,
        'CONNECT',
        deadline,
        () => connected(address, port, deadline),
        () => `connected to ${address} port ${port}`,
      );
      const plain = socket;
      if (target.protocol === 'https:') {
        const options = { socket: plain, ...(isIP(host) ? {} : { servername: host }), ...(ca ? { ca } : {}) };
        await goOn(
          steps,
          'TLS',
          deadline,
          () => secured(options),
          (protocol) => `${protocol}, and the certificate is good for ${host}`,
        );
      }
    } catch (error) {
      if (!(error instanceof StepFailed)) throw error;
    } finally {
      socket?.destroy();
      open -= 1;
    }
    return steps;
  };
}

/** Takes a step and notes what came of it. @throws StepFailed when it did not go well */
async function goOn<T>(
  steps: ProbeStep[],
  step: ProbeStep['step'],
  deadline: AbortSignal,
  take: () => T | Promise<T>,
  detail: (value: T) => string = String,
): Promise<T> {
  const startMs = performance.now();
  const note = (ok: boolean, text: string) =>
    void steps.push({ step, ok, durationMs: Math.round((performance.now() - startMs) * 100) / 100, detail: text });
  try {
    const late = new Promise<never>((_resolve, reject) => {
      const fail = () => reject(new Error('No answer within the timeout of deliveries.'));
      if (deadline.aborted) fail();
      deadline.addEventListener('abort', fail, { once: true });
    });
    // What fails at once has to lose the race too, or else nobody hears of the deadline.
    const value = await Promise.race([Promise.resolve().then(take), late]);
    note(true, detail(value));
    return value;
  } catch (error) {
    const why = connectionFault(error);
    note(false, why);
    throw new StepFailed(why);
  }
}

/** @throws Error saying why webhooks may not be sent there */
function checkPolicy(url: string, policy: UrlPolicy, ownPorts: readonly number[]): string {
  const fault = targetFault(url, policy, ownPorts);
  if (fault !== null) throw new Error(`The URL is not allowed: ${fault}.`);
  return `allowed by the policy ${policy}`;
}

/** The addresses of a host, all of them allowed. @throws Error */
async function resolve(lookup: Lookup, host: string, target: URL, policy: UrlPolicy, ownPorts: readonly number[]): Promise<string[]> {
  const addresses = isIP(host) ? [host] : await lookedUp(lookup, host);
  for (const address of addresses) {
    const port = portOf(target);
    const fault = addressFault(address, target.protocol, policy) ?? (ownPorts.includes(port) ? ownPortFault(address, port) : null);
    if (fault !== null) throw new Error(`${host} resolves to an address that is not allowed: ${fault}.`);
  }
  return addresses;
}

function lookedUp(lookup: Lookup, host: string): Promise<string[]> {
  return new Promise((found, failed) => {
    lookup(host, { all: true }, (error, addresses) => {
      if (error || addresses.length === 0) failed(error ?? new Error(`${host} has no address.`));
      else found(addresses.map(({ address }) => address));
    });
  });
}

function connected(address: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((done, failed) => {
    const socket = connect({ host: address, port });
    signal.addEventListener('abort', () => socket.destroy(), { once: true });
    socket.once('connect', () => done(socket));
    socket.once('error', failed);
  });
}

function secured(options: ConnectionOptions): Promise<string> {
  return new Promise((done, failed) => {
    const socket = connectTls(options);
    socket.once('secureConnect', () => done(socket.getProtocol() ?? 'TLS'));
    socket.once('error', failed);
  });
}
