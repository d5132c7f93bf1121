import { z } from '@hono/zod-openapi';
import { orNull, TimestampSchema } from '../../shared/common.js';
import { ClockModeSchema } from '../clock.js';
import { UrlPolicySchema } from '../../scenario/settings.js';
import { FixturesSchema } from '../worlds.js';
import { FindingSchema } from './findings.js';
import { AttemptKindSchema, ResponseOutcomeSchema } from './record.js';
import { maxWorldTimes, maxReplaySteps, replayFormat } from './replay-limits.js';

/** A replay file: the requests and webhook attempts in a world, to repeat them, and their results, to compare them. */

/** Maximum number of failed verifications in a file. */
export const maxFailedVerifications = 20;

const hashOf = (what: string) =>
  z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .meta({ description: `SHA-256 of ${what}, in hex.` });

const effect = {
  effect: orNull(z.record(z.string(), z.unknown())).meta({ description: 'The effect of a rule or a fault; null if none was applied.' }),
};

const common = {
  at: TimestampSchema.describe('World time at which to repeat the step.'),
  realMs: z.number().int().min(0).meta({ description: 'Milliseconds of real time from the beginning of the file to that of the step.' }),
  jobsBefore: z.number().int().min(0).meta({ description: 'Number of timers that ran between the previous step and this one.' }),
  ...effect,
};

const BodySchema = z
  .object({
    text: z.string().describe('The whole body, without secrets; of an upload, its part `body`. Empty if it was not read.'),
    sha256: hashOf('the text'),
    bytes: z.number().int().min(0).describe('Size of the body as received, in bytes.'),
    file: z
      .object({
        name: z.string().describe('Name of the file in the upload.'),
        size: z.number().int().min(0).describe('Size of the content in bytes.'),
        type: z.string().nullable().describe('Media type detected from the content; null if the type is not supported.'),
        sha256: hashOf('the content'),
      })
      .openapi('ReplayFile', { description: 'An uploaded file. Its content is not in the file.' })
      .optional()
      .describe('The uploaded file; absent without one.'),
  })
  .openapi('ReplayBody', { description: 'The body of a request, without secrets.' });

const call = {
  ...common,
  instants: z
    .array(TimestampSchema)
    .max(maxWorldTimes)
    .optional()
    .describe(
      'World times of the changes that the request stored, and at which it began to advance the clock, in order. Absent if all are `at`.',
    ),
  endsAfter: z
    .number()
    .int()
    .min(1)
    .optional()
    .meta({ description: 'Number of the last step before the response, if later steps began before it; absent otherwise.' }),
  connection: z.number().int().nullable().describe('Number of the TCP connection of the request; null without one.'),
  method: z.string().describe('HTTP method, for example POST.'),
  url: z.string().describe('Path and query, without secrets.'),
  operationId: z.string().nullable().describe('Operation id in the contract; null if no route matched.'),
  version: z.string().nullable().describe('API version that served the request; null in the control API.'),
  headers: z.record(z.string(), z.string()).describe('The headers that can change the result, by name in lower case, without secrets.'),
  token: orNull(
    z
      .object({
        id: z.string().describe('First 8 hex digits of the SHA-256 of the credentials.'),
        endsAt: orNull(TimestampSchema).describe('World time at which the access token expires; null if it was not valid.'),
      })
      .openapi('ReplayToken', { description: 'The credentials of a request as a hash, without their text.' }),
  ).describe('The credentials of the request; null without any.'),
  body: orNull(BodySchema).describe('Body of the request; null without one.'),
  response: z
    .object({
      status: z.number().int().describe('HTTP status that the client received, for example 201.'),
      code: z.string().nullable().describe('Error code; null if it is not an error.'),
      sha256: hashOf('the body without request ids')
        .nullable()
        .describe('SHA-256 of the body without request ids; null if runs may differ in it.'),
      outcome: ResponseOutcomeSchema.describe('Whether the client received the response.'),
      ms: z.number().int().min(0).describe('Duration in milliseconds of real time.'),
      issued: z.string().nullable().describe('Id of the access token in the response, as in `token`; null without one.'),
      body: z
        .string()
        .optional()
        .describe(
          'The first 4 KiB of the body, without secrets, for readers. A replay ignores it. Absent without a body, or if the file has no room.',
        ),
    })
    .openapi('ReplayResponse', { description: 'The response that a replay must compute again.' })
    .describe('The response that the client received. A replay compares its own response with it.'),
};

const StepSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('CALL').describe('A request to the public API.'), ...call }).openapi('ReplayCall', {
      description: 'A request to the public API.',
    }),
    z.object({ kind: z.literal('CONTROL').describe('A request to the control API.'), ...call }).openapi('ReplayControl', {
      description: 'A request to the control API that may have changed data.',
    }),
    z
      .object({
        kind: z.literal('ATTEMPT').describe('An attempt to deliver a webhook.'),
        ...common,
        messageId: z.string().describe('X-Message-Id of the attempt.'),
        eventType: z.string().describe('Event that the webhook reports, for example `OPERATION_COMPLETED`.'),
        attemptKind: AttemptKindSchema.describe('First attempt, retry, copy made by a rule, or requested resend.'),
        number: z.number().int().min(1).describe('Number of the attempt within its delivery, starting at 1.'),
        subscription: z.number().int().min(0).describe('Number of the subscription in the order of creation; 0 if it was deleted.'),
        url: z.string().describe('URL of the attempt, without secrets.'),
        toInbox: z.boolean().describe('True if the attempt was sent to an inbox of the sandbox.'),
        sha256: hashOf('the body without request ids'),
        sent: z
          .string()
          .optional()
          .describe('The first 4 KiB of the webhook, without secrets, for readers. A replay ignores it. Absent if the file has no room.'),
        response: z
          .object({
            status: z.number().int().describe('HTTP status; 0 without a response.'),
            error: z.string().nullable().describe('The error; null if there was a response.'),
            location: z.string().nullable().describe('Location header; null without one.'),
            body: z.string().nullable().describe('The first KiB of the body, without secrets; null without a response.'),
            sha256: hashOf('the body').nullable().describe('SHA-256 of this body; null without one.'),
            ms: z.number().int().min(0).describe('Duration in milliseconds of real time.'),
          })
          .openapi('ReplayEndpointResponse', { description: 'The response of the endpoint, which a replay repeats.' })
          .describe('The response of your endpoint. A replay repeats it.'),
      })
      .openapi('ReplayAttempt', { description: 'An attempt to deliver a webhook, and the response of the endpoint.' }),
  ])
  .openapi('ReplayStep', { description: 'One step of a replay. `kind` selects the variant.' });

const WorldSchema = z
  .object({
    name: z.string().describe('Name of the recorded world. A replay creates a world with this name.'),
    seed: z.string().describe('Seed of ids and random decisions.'),
    scenario: z.string().describe('Name of the scenario at the beginning.'),
    fixtures: FixturesSchema.describe('Initial data of the world.'),
    clock: z
      .object({
        mode: ClockModeSchema.describe('Mode of the initial clock.'),
        now: z.string().optional().describe('Time of the initial clock.'),
      })
      .openapi('ReplayClock', { description: 'Mode and time at the beginning.' })
      .describe('Mode and time of the clock at the beginning.'),
    beganAt: TimestampSchema.describe('World time at which the file begins.'),
    realAt: TimestampSchema.describe('Real time at which the file begins. Rules about waiting times use real time.'),
    urlPolicy: UrlPolicySchema.describe('Policy of the recorded sandbox for webhook URLs.'),
    ports: z.array(z.number().int().min(1).max(65_535)).max(2).describe('The ports of the recorded sandbox.'),
    scenarios: z
      .array(
        z
          .object({
            name: z.string().describe('Name of the scenario, as in its file.'),
            text: z.string().describe('The scenario as JSON.'),
          })
          .openapi('ReplayScenario', { description: 'A scenario at the time of the recording.' }),
      )
      .describe('The scenarios in use, with their parents.'),
    base: z
      .union([z.literal('created'), z.object({ state: z.string().describe('The exported state, as JSON, without secrets.') })])
      .openapi('ReplayBase', {
        description: '`created` if the file begins with a new world; otherwise the exported state at its beginning.',
      })
      .describe('The state before the first step.'),
  })
  .openapi('ReplayWorld', { description: 'The settings from which a replay creates the world.' });

export const ReplaySchema = z
  .object({
    replay: z.literal(replayFormat).describe('Version of this format.'),
    madeBy: z
      .object({
        version: z.string().describe('Release of the sandbox that wrote the file.'),
        contract: z.string().describe('The newest version of the API in this release.'),
        fixtures: hashOf('the reference data'),
        scenarios: hashOf('all scenarios'),
      })
      .openapi('ReplayMaker', { description: 'A release of the sandbox, with the data that it used.' })
      .describe('The sandbox that wrote the file.'),
    world: WorldSchema.describe('The settings to create a world with the same data, clock and rules.'),
    test: z
      .object({
        name: z.string().nullable().describe('Name of the test; null if none was marked.'),
        userAgents: z.array(z.string()).max(20).describe('The User-Agent headers of the requests.'),
        file: z.string().optional().describe('Path of the failed test in your repository.'),
        failure: z.string().optional().describe('The failure, without secrets.'),
        runner: z.string().optional().describe('Tool that ran the test: vitest or Jest.'),
        commit: z.string().optional().describe('Commit of your repository at which the test failed, from CI.'),
        runUrl: z.string().optional().describe('Address at which CI shows the failure.'),
      })
      .openapi('ReplayTest', { description: 'A test, its failure, and where it ran.' })
      .describe('The test that the file repeats.'),
    steps: z
      .array(StepSchema)
      .max(maxReplaySteps)
      .describe('Requests and webhook attempts, in the order of commits. Steps are numbered from 1.'),
    ends: z
      .object({
        at: TimestampSchema.describe('World time at the end.'),
        realMs: z.number().int().min(0).describe('Milliseconds of real time from the beginning of the file to its end.'),
        jobsBefore: z
          .number()
          .int()
          .min(0)
          .optional()
          .meta({ description: 'Number of timers that ran between the last step and the end; absent in files of earlier versions.' }),
        findings: z
          .array(
            FindingSchema.pick({ id: true, rule: true, severity: true, title: true, count: true, state: true, fingerprint: true }).openapi(
              'ReplayFinding',
              { description: 'A finding at the end.' },
            ),
          )
          .describe('The findings of the test, or of the generation without one.'),
        failedVerifications: z.array(z.string()).max(maxFailedVerifications).describe('The first lines of failed verifications.'),
        state: hashOf('the exported state')
          .nullable()
          .describe('SHA-256 of the exported state without request ids; null if runs may differ in it.'),
      })
      .openapi('ReplayEnds', { description: 'The findings and the state after the last step.' })
      .describe('The results at the end.'),
    complete: z.boolean().describe('False if steps are missing. A replay then ends before the first missing step.'),
    cutFrom: z.number().int().min(1).optional().describe('Number of the first step that is missing; absent if none is.'),
  })
  .openapi('Replay', { description: 'A file that repeats the requests and webhook attempts in a world.' });

export type Replay = z.infer<typeof ReplaySchema>;
export type ReplayStep = z.infer<typeof StepSchema>;
export type ReplayCall = Exclude<ReplayStep, { kind: 'ATTEMPT' }>;
export type ReplayAttempt = Extract<ReplayStep, { kind: 'ATTEMPT' }>;
