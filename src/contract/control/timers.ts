import { z } from '@hono/zod-openapi';
import { TimestampSchema } from '../shared/common.js';
import { resourceTriggers } from '../shared/kinds.js';

/** How many timers are shown. */
export const maxTimers = 100;

const TimerSchema = z
  .object({
    dueAt: TimestampSchema.describe('When it is due, by the clock of the world.'),
    kind: z
      .enum(['STEP', 'RETRY', 'RELEASE'])
      .openapi('TimerKind', {
        description: 'What a timer is for: a step of a scenario, a retry, or the release of an attempt that was held back.',
      })
      .describe('What the timer is for.'),
    resource: z
      .enum([...resourceTriggers, 'DELIVERY'])
      .openapi('TimerResource', { description: 'A kind of thing that timers move.' })
      .describe('What it will move.'),
    id: z.string().meta({ description: 'Id of what it will move; of an asset, `<account id>/<asset>`.' }),
    what: z
      .string()
      .meta({ description: 'What it will do: the status that it leads to, or the event that it sends.', example: 'COMPLETED' }),
  })
  .openapi('Timer', { description: 'Something that waits for its time.' });

export type Timer = z.infer<typeof TimerSchema>;

export const TimersSchema = z
  .object({
    data: z.array(TimerSchema).max(maxTimers).describe('The timers, in the order in which they become due.'),
    total: z.number().int().meta({ description: 'How many there are in all.', example: 2 }),
  })
  .openapi('Timers', { description: 'What waits for its time.' });
