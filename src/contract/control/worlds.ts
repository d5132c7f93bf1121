import { z } from '@hono/zod-openapi';
import { UuidSchema } from '../shared/common.js';
import { form } from '../shared/messages/forms.js';
import { TimeToLiveSchema } from '../shared/duration.js';
import { ClockRequestSchema } from './clock.js';

/** How many worlds there can be, whatever is set. */
export const mostWorlds = 100_000;

export const WorldNameSchema = form(
  /^[a-z0-9][a-z0-9-]{0,62}$/,
  'a name of 1 to 63 lower-case letters, digits and hyphens that does not begin with a hyphen',
  'ci-worker-7',
).meta({ description: 'Name of the world: 1 to 63 lower-case letters, digits and hyphens.', example: 'ci-worker-7' });

export const WorldRequestSchema = z
  .strictObject({
    name: WorldNameSchema.optional().describe(
      'What to call it: 1 to 63 lower-case letters, digits and hyphens. Left out: a name of its own making.',
    ),
    seed: z
      .union([z.string().max(200, 'expected at most 200 characters'), z.number()])
      .optional()
      .meta({ description: 'What ids and chance are drawn from; the same seed, name and calls make the same world.' }),
    scenario: z
      .string()
      .optional()
      .meta({ description: 'The scenario that is in force from the start; that of SANDBOX_SCENARIO when left out.', example: 'default' }),
    fixtures: z
      .enum(['default', 'empty'])
      .openapi('Fixtures', { description: 'What a world holds from the start: accounts, beneficiaries and a history, or nothing.' })
      .optional()
      .describe('What it holds from the start; `default` when left out.'),
    clock: ClockRequestSchema.optional().describe('What its clock does from the start; it runs with real time when left out.'),
    ttl: TimeToLiveSchema.optional().describe('How long it outlives its last call, of real time; for good when left out.'),
  })
  .openapi('WorldRequest', { description: 'What a new world is to be.' });

/** What a world of a known name is to be. */
export const NamedWorldRequestSchema = WorldRequestSchema.omit({ name: true }).openapi('NamedWorldRequest', {
  description: 'What a world of a known name is to be.',
});

export const WorldSchema = z
  .object({
    name: z.string().describe('What the world is called, for X-Sandbox-World.'),
    customerId: UuidSchema.describe('The customer whose world it is; tokens carry it.'),
    companyId: z.string().describe('The company of that customer; webhooks carry it as X-Company-Id.'),
    credentials: z
      .object({
        clientId: z.string().describe('Id to ask for an access token with.'),
        clientSecret: z.string().describe('Secret to ask for an access token with; it also keys the signatures of webhooks.'),
      })
      .openapi('Credentials', { description: 'What a client asks for access tokens with.' })
      .describe('What a client of the world asks for access tokens with.'),
    rows: z.number().int().meta({ description: 'How many rows its state has; SANDBOX_MAX_ROWS bounds those of all worlds together.' }),
  })
  .openapi('World', { description: 'A world: all that one client credential sees.' });
