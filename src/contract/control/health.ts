import { z } from '@hono/zod-openapi';

export const HealthSchema = z.object({ status: z.enum(['live', 'ready']) }).openapi('Health');
