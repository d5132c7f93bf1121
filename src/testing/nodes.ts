import { readSettings, type Settings } from '../server/options.js';
import { startServer, type RunningServer } from '../server/server.js';
import { call, connect } from './process.js';

/** The control token of the test nodes. */
export const controlToken = 'operator-token';
export const asOperator = { authorization: `Bearer ${controlToken}` };

/** Returns the settings of a node with a database URL. */
export function nodeSettings(database: string, ...flags: string[]): Settings {
  // The clients of a test share the event loop of its nodes, so the limit must be high enough for the time of both.
  const work = flags.some((flag) => flag.startsWith('--world-work-ms')) ? [] : ['--world-work-ms=1000'];
  return readSettings(['--port=0', `--data=${database}`, '--log-level=silent', `--control-token=${controlToken}`, ...work, ...flags], {});
}

/** Starts a node in this process with a database URL. */
export const startNode = (database: string, ...flags: string[]): Promise<RunningServer> => startServer(nodeSettings(database, ...flags));

/** Sends a control request of the operator, optionally about a world. */
export function control(url: string, method: string, path: string, { world, body }: { world?: string; body?: unknown } = {}) {
  const headers = { ...asOperator, ...(world === undefined ? {} : { 'x-sandbox-world': world }) };
  return call(url, method, `/_sandbox${path}`, { headers, ...(body === undefined ? {} : { body }) });
}

/** A world as returned by its creation. */
export interface MadeWorld {
  readonly name: string;
  readonly credentials: { readonly clientId: string; readonly clientSecret: string };
}

/** Creates a world at a node. */
export async function makeWorld(url: string, name: string, request: object = {}): Promise<MadeWorld> {
  const { status, text, body } = await control(url, 'POST', '/worlds', { body: { name, ...request } });
  if (status !== 201) throw new Error(`World ${name} was not created: ${text}`);
  return body as MadeWorld;
}

/** Returns a client of a world at a node, and a valid quote request for its funded account. */
export async function clientAt(url: string, { credentials }: MadeWorld) {
  const api = await connect(url, credentials);
  const { body } = await api('GET', '/api/accounts?sortOrder=ASCENDING');
  const quote = { accountId: body.data[0].id as string, sourceAsset: 'BRL', targetAsset: 'USD', sourceAmount: '10.00' };
  return { api, quote };
}
