import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import type { ProbeStep } from '../../contract/control/deliveries.js';
import type { UrlPolicy } from '../../contract/scenario/settings.js';
import { DomainError } from '../../domain/errors.js';
import { addressProblem } from '../../domain/webhooks/url-policy.js';
import { readAuthorities } from './authorities.js';
import { connectionProblem } from './connection-problem.js';
import { createLookup, type Lookup } from './lookup.js';
import { ownPortProblem, portOf, targetProblem } from './own-ports.js';

/** Maximum number of concurrent probes. */
const maxProbes = 32;

/** Tests the steps of a delivery to a URL (policy, DNS, connection, TLS) up to the first failure. Sends no HTTP request. */
export type Probe = (target: { url: string; policy: UrlPolicy; timeoutMs: number }) => Promise<ProbeStep[]>;

export interface ProbeOptions {
  /** PEM file with additional certificate authorities. */
  readonly caFile?: string | undefined;
  /** Replaces the name lookup of the machine. */
  readonly lookup?: Lookup;
  /** Returns the ports on which the sandbox listens. */
  readonly ownPorts?: () => readonly number[];
}

/** Thrown if a step of a probe fails. */
class StepFailed extends Error {
  override readonly name = 'StepFailed';
}

/**
 * Creates a probe. Give it the certificate authorities and the lookup of the transport.
 * @returns a probe, which throws DomainError RATE_LIMIT_EXCEEDED if too many are running
 * @throws Error if the CA file cannot be read
 */
export function createProbe({ caFile, lookup = createLookup(), ownPorts = () => [] }: ProbeOptions = {}): Probe {
  const ca = caFile === undefined ? undefined : readAuthorities(caFile);
  let open = 0;
  return async ({ url, policy, timeoutMs }) => {
    if (open >= maxProbes)
      throw new DomainError('RATE_LIMIT_EXCEEDED', `${maxProbes} probes are running, which is the maximum. Retry when one has ended.`, {
        maximum: maxProbes,
      });
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
          (protocol) => `${protocol}, and the certificate is valid for ${host}`,
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

/** Runs a step and records its result. @throws StepFailed if it fails */
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
      const fail = () => reject(new Error('No response within the delivery timeout.'));
      if (deadline.aborted) fail();
      deadline.addEventListener('abort', fail, { once: true });
    });
    // Also an immediate error of `take` goes through the race, which handles a later rejection of `late`.
    const value = await Promise.race([Promise.resolve().then(take), late]);
    note(true, detail(value));
    return value;
  } catch (error) {
    const why = connectionProblem(error);
    note(false, why);
    throw new StepFailed(why);
  }
}

/** @throws Error with the reason if webhooks may not be sent to `url` */
function checkPolicy(url: string, policy: UrlPolicy, ownPorts: readonly number[]): string {
  const problem = targetProblem(url, policy, ownPorts);
  if (problem !== null) throw new Error(`The URL is not allowed: ${problem}.`);
  return `allowed by the policy ${policy}`;
}

/** Returns the addresses of a host. @throws Error if webhooks may not be sent to one of them */
async function resolve(lookup: Lookup, host: string, target: URL, policy: UrlPolicy, ownPorts: readonly number[]): Promise<string[]> {
  const addresses = isIP(host) ? [host] : await lookedUp(lookup, host);
  for (const address of addresses) {
    const port = portOf(target);
    const problem = addressProblem(address, target.protocol, policy) ?? (ownPorts.includes(port) ? ownPortProblem(address, port) : null);
    if (problem !== null) throw new Error(`${host} resolves to a forbidden address: ${problem}.`);
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
