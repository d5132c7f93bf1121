import { z } from '@hono/zod-openapi';
import { UuidSchema } from '../shared/common.js';
import { form } from '../shared/messages/forms.js';
import { TimeToLiveSchema } from '../shared/duration.js';
import { ClockRequestSchema } from './clock.js';

export const FixturesSchema = z
  .enum(['default', 'empty'])
  .openapi('Fixtures', { description: 'The initial data of a world: accounts, beneficiaries and a history, or nothing.' });

/** Maximum number of worlds in any configuration. */
export const mostWorlds = 100_000;

export const WorldNameSchema = form(
  /^[a-z0-9][a-z0-9-]{0,62}$/,
  'a name of 1 to 63 lower-case letters, digits and hyphens that does not begin with a hyphen',
  'ci-worker-7',
).meta({ description: 'Name of the world: 1 to 63 lower-case letters, digits and hyphens.', example: 'ci-worker-7' });

export const WorldRequestSchema = z
  .strictObject({
    name: WorldNameSchema.optional().describe(
      'Name of the world: 1 to 63 lower-case letters, digits and hyphens. Default: a generated name.',
    ),
    seed: z
      .union([z.string().max(200, 'expected at most 200 characters'), z.number()])
      .optional()
      .meta({
        description:
          'Seed of ids and random decisions. The same seed, name and requests produce the same world. `random` chooses a seed at random, so that clients cannot foresee faults; the report shows the seed.',
      }),
    scenario: z.string().optional().meta({ description: 'The initial scenario. Default: SANDBOX_SCENARIO.', example: 'default' }),
    fixtures: FixturesSchema.optional().describe('The initial data. Default: `default`.'),
    clock: ClockRequestSchema.optional().describe('The initial clock. Default: it runs with real time.'),
    ttl: TimeToLiveSchema.optional().describe('Deletes the world after this much real time without a request. Default: never.'),
  })
  .openapi('WorldRequest', { description: 'Name, seed and initial data of a new world.' });

export const NamedWorldRequestSchema = WorldRequestSchema.omit({ name: true }).openapi('NamedWorldRequest', {
  description: 'A world to create or replace; its name is in the path.',
});

export const ResetRequestSchema = z
  .strictObject({
    ids: z
      .enum(['same', 'fresh'])
      .openapi('ResetIds', {
        description:
          'The ids after a reset. same: the ids of a new world again, so that equal requests produce equal ids. fresh: ids that the world never had, for a client that still stores earlier ids.',
      })
      .default('same')
      .describe('Which ids new resources get. Default: `same`.'),
  })
  .openapi('ResetRequest', { description: 'How to reset a world.', example: { ids: 'fresh' } });

export const WorldSchema = z
  .object({
    name: z.string().describe('Name of the world, for X-Sandbox-World.'),
    customerId: UuidSchema.describe('The customer of the world; access tokens contain it.'),
    companyId: z.string().describe('The company of the customer; webhooks contain it as X-Company-Id.'),
    credentials: z
      .object({
        clientId: z.string().describe('Client id, to request access tokens.'),
        clientSecret: z.string().describe('Client secret, to request access tokens. It is also the key for webhook signatures.'),
      })
      .openapi('Credentials', { description: 'The credentials of a client, to request access tokens.' })
      .describe('Credentials for access tokens of this world.'),
    rows: z
      .number()
      .int()
      .meta({ description: 'Number of rows in the state of the world. SANDBOX_MAX_ROWS limits the total of all worlds.' }),
  })
  .openapi('World', { description: 'A world: an isolated sandbox with its own credentials, data, clock and scenario.' });
