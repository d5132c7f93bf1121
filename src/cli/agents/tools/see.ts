import { z } from 'zod';
import type { WorldClient } from '../../../client/world.js';
import { whyText } from '../../../client/why-text.js';
import { newestLines } from '../text.js';
import { callText, ToolError, tool } from '../tool.js';

/** Maximum size of a text in bytes, and number of calls or webhooks. */
const limits = { bytes: 8000, entries: 40 } as const;

async function callLines(world: WorldClient, signal: AbortSignal): Promise<string[]> {
  const entries = await world.requests.list({ kind: 'REQUEST', signal }).all(limits.entries);
  return entries.toReversed().flatMap((entry) => {
    if (!('method' in entry)) return [];
    const { at, method, url, status, code, response, idempotencyKey, id } = entry;
    const lost = response !== null && response.outcome !== 'DELIVERED' ? `, ${response.outcome}` : '';
    const key = idempotencyKey === null ? '' : `, key ${idempotencyKey}`;
    return [`${at ?? ''} ${method} ${url} → ${status ?? 'in progress'}${code === null ? '' : ` ${code}`}${lost}${key} (${id})`];
  });
}

async function webhookLines(world: WorldClient, signal: AbortSignal): Promise<string[]> {
  const deliveries = await world.deliveries({ signal }).all(limits.entries);
  return deliveries
    .toReversed()
    .map(
      ({ createdAt, eventType, resourceId, status, attempts, url, id }) =>
        `${createdAt} ${eventType} of ${resourceId} → ${status} after ${attempts} attempts, ${url ?? 'subscription deleted'} (${id})`,
    );
}

export const see = tool(
  'see',
  'Read what happened in the world in use, as text. timeline: causes and effects. why: the history and the future of one object. calls: the newest calls of your client. webhooks: the newest deliveries.',
  z.strictObject({
    what: z.enum(['timeline', 'why', 'calls', 'webhooks']),
    id: z.string().max(255).optional().describe('For why: the id of an operation, a request, a webhook, or an idempotency key.'),
  }),
  async ({ what, id }, session, signal) => {
    const world = session.world();
    if (what === 'why') {
      if (id === undefined)
        throw new ToolError('why needs an id.', `Call ${callText('see', { what: 'calls' })}: each line ends with an id.`);
      return newestLines(whyText(await world.why(id, { signal })).split('\n'), limits.bytes);
    }
    if (what === 'timeline') return newestLines((await world.timeline({ signal })).split('\n'), limits.bytes);
    const lines = what === 'calls' ? await callLines(world, signal) : await webhookLines(world, signal);
    if (lines.length === 0) return `World ${world.name} has no ${what} yet.`;
    return newestLines(lines, limits.bytes);
  },
);
