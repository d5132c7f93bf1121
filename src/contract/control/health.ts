import { z } from '@hono/zod-openapi';

export const HealthSchema = z
  .object({
    status: z
      .enum(['live', 'ready'])
      .openapi('HealthStatus', { description: '`live`: the process answers. `ready`: it takes requests.' })
      .describe('What is so.'),
  })
  .openapi('Health', { description: 'What an orchestrator asks for.' });
