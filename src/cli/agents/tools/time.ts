import { z } from 'zod';
import type { Distance } from '../../../client/clock-handle.js';
import { callText, ToolError, tool } from '../tool.js';

/** Maximum number of timers to show. */
const mostShown = 30;

export const time = tool(
  'time',
  'Move the time of the world in use instead of sleeping. freeze stops its clock. advance moves it and runs everything that is due, webhooks included. settle finishes all pending work.',
  z.strictObject({
    action: z.enum(['freeze', 'advance', 'settle']),
    by: z.string().max(40).optional().describe('For advance: a duration, for example 30s, 5m or PT1H.'),
    to: z.string().max(40).optional().describe('For advance or freeze: a timestamp, for example 2027-01-31T10:00:00Z.'),
  }),
  async ({ action, by, to }, session, signal) => {
    const world = session.world();
    const { clock, name } = world;
    if (action === 'freeze') {
      const { now } = await clock.freeze(to, { signal });
      return `The clock of world ${name} is FROZEN at ${now}.`;
    }
    if (action === 'settle') {
      await world.settle({ signal });
      const { now, mode, pendingTimers } = await clock.get({ signal });
      return `Settled. World ${name}: ${now}, ${mode}, ${pendingTimers} timers left.`;
    }
    const distance: Distance | undefined = by ?? (to === undefined ? undefined : { to });
    if (distance === undefined || (by !== undefined && to !== undefined))
      throw new ToolError(
        'advance needs either by or to.',
        `Call ${callText('time', { action: 'advance', by: '1m' })}, or settle to finish everything.`,
      );
    const { now, fired } = await clock.advance(distance, { signal });
    const lines = fired.slice(0, mostShown).map((each) => `${each.at} ${each.resource} ${each.id}: ${each.from} → ${each.to}`);
    const rest = fired.length > mostShown ? [`and ${fired.length - mostShown} more`] : [];
    return [`World ${name} is at ${now}. ${fired.length} timers became due.`, ...lines, ...rest].join('\n');
  },
);
