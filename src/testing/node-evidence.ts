import type { Report } from '../contract/control/analysis/report.js';
import { clientAt, control, makeWorld, type MadeWorld } from './nodes.js';
import { connect } from './process.js';

/** A client that made mistakes in a world. */
export interface MistakenClient extends MadeWorld {
  /** Requests a token and makes one more mistake at a node. */
  repeat(url: string): Promise<void>;
}

/** Creates a world and makes mistakes in it, which findings, coverage and an announced finding show. */
export async function makeMistakes(url: string, name: string): Promise<MistakenClient> {
  const world = await makeWorld(url, name);
  const { api, quote } = await clientAt(url, world);
  await control(url, 'PUT', '/client', { world: name, body: { name: 'payouts', version: '1.2.3' } });
  const wrong = { ...quote, sourceAmount: 10 };
  for (const body of [quote, wrong, wrong]) await api('POST', '/api/quotes', body);
  await control(url, 'POST', '/findings/expect', { world: name, body: { rule: 'money.json-number', count: 1 } });
  await api('POST', '/api/quotes', wrong);
  const repeat = async (at: string) => void (await (await connect(at, world.credentials))('POST', '/api/quotes', wrong));
  return { ...world, repeat };
}

/** Returns the report on a world, without its time. */
export async function reportOf(url: string, world: string): Promise<Omit<Report, 'at' | 'validUntil'>> {
  const { status, text, body } = await control(url, 'GET', `/report?world=${world}`, { world });
  if (status !== 200) throw new Error(`No report: ${status} ${text}`);
  const { at: _at, validUntil: _until, ...rest } = body as Report;
  return rest;
}
