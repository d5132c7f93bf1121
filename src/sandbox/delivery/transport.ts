import type { Socket } from 'node:net';
import type * as Undici from 'undici';
import type { Agent, buildConnector } from 'undici';
import type { UrlPolicy } from '../../contract/scenario/settings.js';
import { readAuthorities } from './authorities.js';
import { guardedLookup, createLookup, type Lookup } from './lookup.js';
import { connectionProblem } from './connection-problem.js';
import type { Transport } from './deliverer.js';
import { portOf, targetProblem } from './own-ports.js';
import { acceptRealResponses } from './response-heads.js';

/** Maximum number of bytes to read of a response body. Bodies are never decompressed, so this also limits the memory. */
const maxBodyBytes = 16 * 1024;

/** Maximum number of bytes to store of a response body. */
const keptBytes = 1024;

export interface TransportOptions {
  /** PEM file with additional certificate authorities. */
  readonly caFile?: string | undefined;
  /** Replaces the name lookup of the machine. */
  readonly lookup?: Lookup;
  /** Returns the ports on which the sandbox listens; webhooks never connect to them. */
  readonly ownPorts?: () => readonly number[];
}

/**
 * Sends webhooks over real sockets, which stay open between attempts. One deadline covers lookup, connection, TLS, headers and body.
 * Redirects are not followed.
 * @throws Error if the CA file cannot be read
 */
export function createTransport({ caFile, lookup = createLookup(), ownPorts = () => [] }: TransportOptions = {}): {
  send: Transport;
  close: () => Promise<void>;
} {
  const ca = caFile === undefined ? undefined : readAuthorities(caFile);
  const agents = new Map<string, Agent>();
  const connecting = new Set<Socket>();
  /** Returns the agent whose connections attempts with these parameters share. Timeouts in whole seconds limit the number of agents. */
  const agentOf = (undici: typeof Undici, protocol: string, policy: UrlPolicy, ownPort: number | null, seconds: number): Agent => {
    const key = `${protocol} ${policy} ${ownPort} ${seconds}`;
    let agent = agents.get(key);
    if (!agent) {
      const connect = undici.buildConnector({
        lookup: guardedLookup(lookup, protocol, policy, ownPort),
        timeout: seconds * 1000,
        ...(ca ? { ca } : {}),
      });
      agent = new undici.Agent({ connect: tracked(connect, connecting) });
      agents.set(key, agent);
    }
    return agent;
  };
  const send: Transport = async ({ url, headers, body, policy, timeoutMs, signal }) => {
    const problem = targetProblem(url, policy, ownPorts());
    if (problem !== null) return { httpStatus: 0, error: `The URL is not allowed: ${problem}.` };
    const target = new URL(url);
    const ownPort = ownPorts().find((each) => each === portOf(target)) ?? null;
    // Not AbortSignal.any: Node.js never frees the memory of such a signal that had a listener.
    const end = new AbortController();
    const late = new Error(`No response within ${timeoutMs} ms.`);
    const deadline = setTimeout(() => end.abort(late), timeoutMs).unref();
    const giveUp = () => end.abort(signal.reason);
    signal.addEventListener('abort', giveUp);
    if (signal.aborted) giveUp();
    try {
      const undici = await import('undici'); // Loaded with the first webhook, because a start sends none.
      const answered = undici.request(url, {
        method: 'POST',
        headers,
        body,
        dispatcher: agentOf(undici, target.protocol, policy, ownPort, Math.ceil(timeoutMs / 1000)),
        signal: end.signal,
        // Only `signal` sets the deadline.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      // The race is needed: a request that waits for its connection ignores the signal, and its own timer is inaccurate.
      const response = await Promise.race([answered, aborted(end.signal)]);
      const beginning = await drain(response.body);
      const { location } = response.headers;
      return {
        httpStatus: response.statusCode,
        error: null,
        answer: { location: typeof location === 'string' ? location : null, body: beginning },
      };
    } catch (error) {
      return { httpStatus: 0, error: connectionProblem(end.signal.reason === late ? late : error) };
    } finally {
      clearTimeout(deadline);
      signal.removeEventListener('abort', giveUp);
    }
  };
  const close = async () => {
    for (const socket of connecting) socket.destroy(new Error('The sandbox is stopping.'));
    await Promise.all([...agents.values()].map((agent) => agent.destroy()));
  };
  return { send, close };
}

/** Rejects if the signal aborts. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/**
 * Wraps a connector to accept responses that the HTTP client would reject, and to collect its unconnected sockets in `connecting`: an agent
 * that is destroyed would wait for them without limit.
 */
function tracked(connect: buildConnector.connector, connecting: Set<Socket>): buildConnector.connector {
  return (options, callback) => {
    const socket = connect(options, (...result) => {
      if (socket) connecting.delete(socket);
      const [, connected] = result;
      if (connected) acceptRealResponses(connected);
      callback(...result);
    }) as Socket | undefined;
    if (socket) connecting.add(socket);
    return socket;
  };
}

/** Reads a body up to the limit and returns the start to store. Ignores errors, because the status of the response is already known. */
async function drain(body: AsyncIterable<Buffer>): Promise<Buffer> {
  let read = 0;
  let kept = Buffer.alloc(0);
  try {
    for await (const chunk of body) {
      if (read < keptBytes) kept = Buffer.concat([kept, chunk.subarray(0, keptBytes - read)]);
      read += chunk.length;
      if (read > maxBodyBytes) break; // Leaving the loop destroys the body and the connection.
    }
  } catch {
    return kept;
  }
  return kept;
}
