import { z } from 'zod';
import { defined } from '../../../client/caller.js';
import { SandboxError } from '../../../client/error.js';
import { explore as search } from '../../../client/explore/explore.js';
import type { ExploreProgress, JourneyContext } from '../../../client/explore/options.js';
import type { ExplorationResult } from '../../../client/explore/result.js';
import { textOf } from '../../../client/explore/text.js';
import { dataIn, outputOf } from '../../commands-of-client.js';
import { cutToBytes } from '../text.js';
import { callText, ToolError, tool } from '../tool.js';
import type { Session } from '../session.js';

/** Milliseconds to wait for the end of an exploration before returning its progress, and maximum bytes of the text. */
const limits = { waitMs: 20_000, bytes: 8000 } as const;

/** A running or ended exploration. */
interface Running {
  readonly journey: string;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  progress: ExploreProgress | undefined;
  result: ExplorationResult | undefined;
  failure: unknown;
}

/** The latest exploration of each session. */
const searches = new WeakMap<Session, Running>();

interface Asked {
  readonly journey: string;
  readonly observe?: string | undefined;
  readonly recover?: string | undefined;
  readonly reset?: string | undefined;
  readonly schedules?: number | undefined;
  readonly seconds?: number | undefined;
}

/** Starts an exploration in the world in use. */
async function start(
  session: Session,
  { journey, observe, recover, reset, schedules, seconds }: Asked,
  signal: AbortSignal,
): Promise<Running> {
  const world = session.world();
  const environment = { ...session.environment, ...(await world.env({ signal })) };
  const stop = new AbortController();
  const ending = AbortSignal.any([session.ending, stop.signal]);
  const run =
    (command: string) =>
    ({ ref, signal: end }: JourneyContext) =>
      outputOf(command, { ...environment, SANDBOX_JOURNEY_REF: ref }, end);
  const after = (command: string | undefined) =>
    command && ((_value: string, context: JourneyContext) => run(command)(context).then(dataIn));
  const running = { journey, stop, progress: undefined, result: undefined, failure: undefined } as Omit<Running, 'ended'>;
  const ended = search(world, run(journey), {
    ...defined({ observe: after(observe) || undefined, recover: after(recover) || undefined }),
    ...(reset === undefined ? {} : { reset: () => outputOf(reset, environment, ending) }),
    budget: { schedules, seconds },
    throws: false,
    signal: ending,
    onProgress: (progress) => void (running.progress = progress),
  }).then(
    (result) => void (running.result = result),
    (error: unknown) => void (running.failure = error),
  );
  return Object.assign(running, { ended });
}

/** Describes an exploration: its result, or its progress. @throws ToolError if the exploration failed */
function described({ journey, result, failure, progress }: Running): string {
  if (failure instanceof Error)
    throw new ToolError(
      `The exploration of "${journey}" ended: ${failure.message}`,
      'Make the journey succeed without faults first, then call explore with it again.',
    );
  if (result !== undefined) return cutToBytes(`${result.verdict}\n${textOf(result)}`, limits.bytes);
  const { done, of, failures, leftMs } = progress ?? { done: 0, of: 0, failures: 0, leftMs: 0 };
  return `Running: ${done} of at most ${of} schedules, ${failures} failures, ${Math.ceil(leftMs / 1000)} s left. Call ${callText('explore', {})} again for more.`;
}

export const explore = tool(
  'explore',
  'Search for an order of events (late, repeated, lost webhooks, lost responses) that breaks your client. Pass journey to start; call again without arguments for progress and the result. The commands run on this machine with the environment of the world in use.',
  z.strictObject({
    journey: z.string().min(1).max(2000).optional().describe('Shell command that runs one journey of your client.'),
    observe: z
      .string()
      .max(2000)
      .optional()
      .describe('Shell command that prints the state of your client about $SANDBOX_JOURNEY_REF, as JSON.'),
    recover: z.string().max(2000).optional().describe('Shell command by which your client finds missed events.'),
    reset: z.string().max(2000).optional().describe('Shell command that resets your client before each run.'),
    schedules: z.number().int().min(1).max(100_000).optional().describe('Default: 200.'),
    seconds: z.number().int().min(1).max(86_400).optional().describe('Default: 60.'),
    stop: z.boolean().optional().describe('True to end the search that runs.'),
  }),
  async ({ journey, stop, ...asked }, session, signal) => {
    let running = searches.get(session);
    const isRunning = running !== undefined && running.result === undefined && running.failure === undefined;
    if (journey !== undefined) {
      if (isRunning)
        throw new ToolError(
          `The exploration of "${running!.journey}" is still running.`,
          `Call ${callText('explore', {})} for its progress, or ${callText('explore', { stop: true })}.`,
        );
      running = await start(session, { journey, ...asked }, signal);
      searches.set(session, running);
    } else if (running === undefined) return latest(session, signal);
    if (stop) running.stop.abort(new Error('The agent stopped the exploration.'));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, limits.waitMs)));
    await Promise.race([running.ended, late]);
    clearTimeout(timer);
    return described(running);
  },
);

/** Returns the stored result of the world in use. @throws ToolError without one */
async function latest(session: Session, signal: AbortSignal): Promise<string> {
  try {
    const result = await session.world().exploration({ signal });
    return cutToBytes(`${result.verdict}\n${textOf(result)}`, limits.bytes);
  } catch (error) {
    if (!(error instanceof SandboxError && error.status === 404)) throw error;
    throw new ToolError(
      `World ${session.worldName} has no exploration yet.`,
      `Call ${callText('explore', { journey: 'node pay.mjs' })} with a command that runs one journey of your client.`,
    );
  }
}
