import { lookup as dnsLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { Agent, request } from 'undici';
import { addressFault, urlFault, urlPolicies, type UrlPolicy } from './domain/url-policy.js';
import type { Transport } from './services/deliver.js';

/** How much of an answer's body is read before the rest is let go. */
const maxBodyBytes = 16 * 1024;

/** A name lookup that only yields addresses which the policy allows, at the moment of connecting. */
function guardedLookup(policy: UrlPolicy): LookupFunction {
  return (hostname, options, callback) => {
    dnsLookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const faults = addresses.map(({ address }) => addressFault(address, policy));
      const fault = faults.find((each) => each !== null);
      if (fault) return callback(new Error(`The URL is not allowed: ${hostname} resolves to ${fault}.`), '', 0);
      const first = addresses[0];
      if (!first) return callback(new Error(`${hostname} has no address.`), '', 0);
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}

/**
 * Sends webhooks over real sockets, kept alive between attempts.
 * One deadline covers look-up, connection, TLS, headers and body. Redirects are not followed.
 * @param caFile a PEM file with further certificate authorities to trust
 */
export function createTransport(caFile?: string): { send: Transport; close: () => Promise<void> } {
  const ca = caFile === undefined ? undefined : [...rootCertificates, readFileSync(caFile, 'utf8')];
  const agents = new Map(
    urlPolicies.map((policy) => [
      policy,
      new Agent({ connect: { lookup: guardedLookup(policy), ...(ca ? { ca } : {}) }, connections: 64 }),
    ]),
  );
  const send: Transport = async ({ url, headers, body, policy, timeoutMs }) => {
    const fault = urlFault(url, policy);
    if (fault) return { httpStatus: 0, error: `The URL is not allowed: ${fault}.` };
    const dispatcher = agents.get(policy);
    if (!dispatcher) throw new Error(`There is no agent for policy ${policy}.`);
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const response = await request(url, {
        method: 'POST',
        headers,
        body,
        dispatcher,
        signal,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      });
      await drain(response.body);
      return { httpStatus: response.statusCode, error: null };
    } catch (error) {
      const message = signal.aborted ? `No answer within ${timeoutMs} ms.` : describe(error);
      return { httpStatus: 0, error: message };
    }
  };
  return { send, close: async () => void (await Promise.all([...agents.values()].map((agent) => agent.destroy()))) };
}

/** Reads a body up to the limit. The status line has decided by then, so nothing that goes wrong here matters. */
async function drain(body: AsyncIterable<Buffer>): Promise<void> {
  let read = 0;
  try {
    for await (const chunk of body) {
      read += chunk.length;
      if (read > maxBodyBytes) break; // Leaving the loop destroys the body, and with it the connection.
    }
  } catch {
    return;
  }
}

function describe(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return message !== undefined && message !== '' ? message : (code ?? 'The connection failed.');
}
