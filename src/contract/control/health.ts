import { z } from '@hono/zod-openapi';

export const HealthSchema = z
  .object({
    status: z
      .enum(['live', 'ready'])
      .openapi('HealthStatus', { description: '`live`: the process responds. `ready`: it accepts requests.' })
      .describe('Status that the probe confirms.'),
  })
  .openapi('Health', { description: 'The response to a health probe.' });
