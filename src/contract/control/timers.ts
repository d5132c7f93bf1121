import { z } from '@hono/zod-openapi';
import { TimestampSchema } from '../shared/common.js';
import { resourceTriggers } from '../shared/kinds.js';

/** Maximum number of timers in a response. */
export const maxTimers = 100;

const TimerSchema = z
  .object({
    dueAt: TimestampSchema.describe('World time at which the timer is due.'),
    kind: z
      .enum(['STEP', 'RETRY', 'RELEASE', 'EXPIRY'])
      .openapi('TimerKind', {
        description:
          'Type of a timer: a step of a scenario, a retry, the release of a delayed attempt, or the due date of an unpaid deposit.',
      })
      .describe('Type of the timer.'),
    resource: z
      .enum([...resourceTriggers, 'DELIVERY'])
      .openapi('TimerResource', { description: 'Kind of resource that a timer changes.' })
      .describe('Kind of resource concerned, for example OPERATION.'),
    id: z.string().meta({ description: 'Id of the resource; for an asset, `<account id>/<asset>`.' }),
    what: z.string().meta({ description: 'Effect of the timer: the resulting status, or the event that is sent.', example: 'COMPLETED' }),
  })
  .openapi('Timer', { description: 'A change that will happen at a certain time.' });

export type Timer = z.infer<typeof TimerSchema>;

export const TimersSchema = z
  .object({
    data: z.array(TimerSchema).max(maxTimers).describe('The timers, in the order in which they become due.'),
    total: z.number().int().meta({ description: 'Total number of timers.', example: 2 }),
  })
  .openapi('Timers', { description: 'The pending timers of a world.' });
