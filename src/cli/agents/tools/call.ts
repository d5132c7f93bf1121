import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { didYouMean } from '../../../contract/shared/messages/nearest.js';
import { cutToBytes } from '../text.js';
import type { ApiOperation, Session } from '../session.js';
import { callText, ToolError, tool } from '../tool.js';

/** Maximum part of a response body to show, in bytes. */
const shownBytes = 6000;
/** Maximum time to wait for a response, in milliseconds. */
const withinMs = 30_000;

type Params = Readonly<Record<string, string | number | boolean>>;

/** Returns the path with its parameters, and the other parameters as a query. @throws ToolError if a path parameter is missing */
function addressOf({ id, path }: ApiOperation, params: Params): string {
  const rest = new URLSearchParams();
  const names = new Set([...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name!));
  for (const name of names)
    if (!Object.hasOwn(params, name))
      throw new ToolError(
        `params.${name} is missing; ${path} contains it.`,
        `Call ${callText('call', { operationId: id, params: { [name]: '…' } })}.`,
      );
  for (const [name, value] of Object.entries(params)) if (!names.has(name)) rest.set(name, String(value));
  const filled = path.replaceAll(/\{([^{}]+)\}/g, (_all, name: string) => encodeURIComponent(String(params[name])));
  return rest.size === 0 ? filled : `${filled}?${rest.toString()}`;
}

/** Returns the advice after an error response. */
function nextAfter(status: number, code: string, key: string | undefined): string {
  const isRetried = status === 429 || status >= 500;
  if (isRetried) return `Call again after Retry-After${key === undefined ? '' : `, with the same key ${key}`}.`;
  return `Correct the request as the message says. ${callText('docs', { query: code })} explains the code.`;
}

/** Sends the request once. */
async function sent(session: Session, address: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
  const ending = AbortSignal.any([signal, AbortSignal.timeout(withinMs)]);
  return session.connection.fetch(new Request(`${session.connection.url}${address}`, { ...init, signal: ending }));
}

export const call = tool(
  'call',
  'Call an operation of the payments API as a client of the world in use. Writes need a key: make one UUID for one payment, store it before the call, and keep it over all retries of that payment. Another key is another payment. Your own client must send its requests itself, because the verdict judges them.',
  z.strictObject({
    operationId: z.string().max(100).describe('As in the contract, for example createWithdrawal.'),
    params: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .optional()
      .describe('Parameters of the path and the query, by name.'),
    body: z.record(z.string(), z.unknown()).optional().describe('JSON body. Amounts are decimal strings.'),
    key: z.string().max(255).optional().describe('Idempotency key of a write: one UUID for one payment.'),
  }),
  async ({ operationId, params = {}, body, key }, session, signal) => {
    const world = session.world();
    let token = await session.token(world, false, signal);
    const operations = await session.operations(signal);
    const operation = operations.find(({ id }) => id === operationId);
    if (!operation) {
      const ids = operations.map(({ id }) => id);
      const likely = didYouMean(operationId, ids);
      throw new ToolError(`"${operationId}" is not an operation of the payments API${likely || '.'}`, `Use one of: ${ids.join(', ')}.`);
    }
    const { method, isKeyed, isJson } = operation;
    if (!isJson)
      throw new ToolError(
        `${operationId} takes a file, which this tool does not send.`,
        'Send it with your client, or with curl and the environment of the world.',
      );
    if (isKeyed && key === undefined)
      throw new ToolError(
        `${operationId} is a write and needs a key.`,
        `Make one UUID for this payment, for example ${randomUUID()}, store it, and call again with key. Keep it over retries.`,
      );
    const address = addressOf(operation, params);
    const init = () => ({
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(key === undefined || !isKeyed ? {} : { 'X-Idempotency-Key': key }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    let response: Response;
    let text: string;
    try {
      response = await sent(session, address, init(), signal);
      if (response.status === 401) {
        token = await session.token(world, true, signal);
        response = await sent(session, address, init(), signal);
      }
      text = await response.text();
    } catch (error) {
      signal.throwIfAborted();
      const kept = isKeyed ? ` with the same key ${key}` : '';
      throw new ToolError(
        `${method} ${address}: no complete response (${(error as Error).message}).`,
        `The request may have taken effect. Call again${kept}.`,
      );
    }
    const id = response.headers.get('x-request-id') ?? '';
    const shown = `${method} ${address} → ${response.status} (request ${id})\n${cutToBytes(text, shownBytes)}`;
    if (response.ok) return shown;
    throw new ToolError(shown, nextAfter(response.status, codeIn(text), key));
  },
);

function codeIn(text: string): string {
  try {
    const { code } = JSON.parse(text) as { code?: unknown };
    return typeof code === 'string' ? code : 'errors';
  } catch {
    return 'errors';
  }
}
