import { z } from '@hono/zod-openapi';
import { InstantSchema, TimestampSchema, UuidSchema, orNull } from '../shared/common.js';
import { patternSchema } from '../shared/messages/forms.js';
import { RotationGraceSchema, TimeToLiveSchema } from '../shared/duration.js';
import { ClockRequestSchema } from './clock.js';

export const FixturesSchema = z
  .enum(['default', 'empty'])
  .openapi('Fixtures', { description: 'The initial data of a world: accounts, beneficiaries and a history, or nothing.' });

/** Maximum number of worlds in any configuration. */
export const mostWorlds = 100_000;

export const WorldNameSchema = patternSchema(
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

export const WorldVerdictSchema = z.enum(['PASSED', 'FAILED', 'INCONCLUSIVE']).openapi('WorldVerdict', {
  description: 'The verdict of a report on the world without a profile. INCONCLUSIVE: there was no request to the public API.',
});
export type WorldVerdict = z.infer<typeof WorldVerdictSchema>;

// Not an extension: OpenAPI would combine two schemas, each of which rejects the fields of the other.
export const NamedWorldRequestSchema = z
  .strictObject({ ...WorldRequestSchema.shape, name: WorldNameSchema.optional().describe('If given, the name in the path.') })
  .openapi('NamedWorldRequest', { description: 'A world to create or replace; its name is in the path.' });

export const IfExistsSchema = z.enum(['keep', 'replace']).openapi('IfExists', {
  description: 'What happens to a world that exists. keep: it is returned unchanged. replace: it is created again, and its data is lost.',
});

export const RotationRequestSchema = z
  .strictObject({
    grace: RotationGraceSchema.default('1h').describe(
      'How long the present secret, and tokens that were issued with it, stay valid. `0s` ends them at once. Default: `1h`.',
    ),
  })
  .openapi('RotationRequest', { description: 'How to change the client secret of a world.', example: { grace: '1h' } });

export const RotatedCredentialsSchema = z
  .object({
    clientId: z.string().describe('Client id, which does not change.'),
    clientSecret: z.string().describe('Requests access tokens and is the key for webhook signatures after the former one.'),
    formerValidUntil: orNull(TimestampSchema).describe('Real time at which the former secret ends; null if it ended at once.'),
  })
  .openapi('RotatedCredentials', { description: 'The new credentials of a world, and the end of the former ones.' });

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
    seed: z.string().describe('Decides ids and random values.'),
    scenario: z.string().describe('The initial scenario, to which a reset returns.'),
    fixtures: FixturesSchema.describe('The initial data.'),
    clock: ClockRequestSchema.describe('How the clock started, and starts again after a reset.'),
    ttl: TimeToLiveSchema.optional().describe('The world is deleted after this much real time without a request; absent: never.'),
    rows: z
      .number()
      .int()
      .meta({ description: 'Number of rows in the state of the world. SANDBOX_MAX_ROWS limits the total of all worlds.' }),
  })
  .openapi('World', { description: 'A world: an isolated sandbox with its own credentials, data, clock and scenario.' });

export const ListedWorldSchema = WorldSchema.extend({
  lastUsedAt: orNull(TimestampSchema).describe(
    'Real time of the last request to the world, or of its last change if another node has it; null if there was none since the start.',
  ),
  node: orNull(z.string()).meta({
    description: 'URL of the node that has the world in memory; null if none has it, or if the worlds are not shared.',
    example: 'http://10.0.0.7:4010',
  }),
  bytes: orNull(z.number().int()).meta({
    description: 'Approximate bytes of its rows as JSON. For a world of another node: seconds old; null if not known yet.',
    example: 90_112,
  }),
  verdict: WorldVerdictSchema.describe('Whether its client passes. For a world of another node: seconds old.'),
}).openapi('ListedWorld', { description: 'A world in a list, with its use and the verdict on its client.' });

/** The filters of the list of worlds. */
export const worldFilters = {
  name: z
    .string()
    .max(100, 'expected at most 100 characters')
    .optional()
    .meta({ description: 'Only worlds whose name matches; `*` stands for any characters.', example: 'ci-*' }),
  verdict: WorldVerdictSchema.optional().meta({ description: 'Only worlds with this verdict.', example: 'FAILED' }),
  node: z
    .string()
    .max(300, 'expected at most 300 characters')
    .optional()
    .meta({ description: 'Only worlds of the node with this URL.', example: 'http://10.0.0.7:4010' }),
  unusedSince: InstantSchema.optional().meta({
    description: 'Only worlds without a request since this real time.',
    example: '2026-11-21T12:00:00Z',
  }),
} as const;
