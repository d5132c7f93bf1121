import manifest from '../../../package.json' with { type: 'json' };
import { answered } from '../../client/caller.js';
import type { Status } from '../../client/types.js';
import { exitCodeOf } from '../failure.js';
import type { Invocation, Verb } from '../verb.js';

/** What a check came to, and the command or setting that mends it. */
interface Outcome {
  readonly result: 'OK' | 'WARNING' | 'FAILED';
  readonly what: string;
  readonly mend?: string;
}

type Check = (invocation: Invocation, status: Status) => Promise<Outcome>;

const ok = (what: string): Outcome => ({ result: 'OK', what });
const warning = (what: string, mend: string): Outcome => ({ result: 'WARNING', what, mend });
const failed = (what: string, mend: string): Outcome => ({ result: 'FAILED', what, mend });
const many = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** How far the clocks of both sides may be apart before receivers refuse signatures, in milliseconds. */
const skewMs = 60_000;
/** How many subscriptions are tried. */
const mostProbes = 20;

/** What is looked at once the sandbox has said what it is, in the order of what has to be mended first. */
const checks: Readonly<Record<string, Check>> = {
  version: async (_invocation, { version }) =>
    version === manifest.version
      ? ok(`Both sides are version ${version}.`)
      : warning(`The sandbox is version ${version}, this command ${manifest.version}.`, `npx crossborder-sandbox@${version}`),
  node: async () => {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    const isOld = major < 20 || (major === 20 && minor < 19);
    return isOld ? failed(`Node ${process.versions.node} is too old.`, 'Take Node 20.19 or later.') : ok(`Node ${process.versions.node}.`);
  },
  proxy: async ({ environment }) => {
    const proxies = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy'].filter((each) => (environment[each] ?? '') !== '');
    const isUsed = (environment['NODE_USE_ENV_PROXY'] ?? '') !== '' && proxies.length > 0;
    return isUsed
      ? warning(`Calls go through a proxy: ${proxies.join(', ')}.`, 'NO_PROXY=localhost,127.0.0.1')
      : ok('No proxy is between.');
  },
  storage: async (_invocation, { readOnly }) =>
    readOnly === true
      ? failed('Nothing can be stored any more, so that all changes are refused.', 'Look at its log and its disk, and start it anew.')
      : ok('Changes are stored.'),
  scenarios: async (_invocation, { scenarios }) => {
    const [first, ...more] = scenarios?.mistakes ?? [];
    if (!first) return ok('The scenario files are sound.');
    return failed(
      `${many(more.length + 1, 'mistake')}, the first in ${first.file}:${first.line}: ${first.message}`,
      `crossborder-sandbox scenario check ${first.file}`,
    );
  },
  world: async ({ world, signal }) => {
    const { credentials } = await world.get({ signal });
    return ok(`World ${world.name} is there, for clientId ${credentials.clientId}.`);
  },
  clock: async ({ world, signal }) => {
    const { mode, now, pendingTimers, nextTimerAt } = await world.clock.get({ signal });
    const skew = Math.abs(Date.parse(now) - Date.now());
    if (mode === 'FROZEN' && pendingTimers > 0)
      return warning(
        `It is frozen at ${now}, and ${many(pendingTimers, 'timer')} will not fire before it moves; the next is due at ${nextTimerAt}.`,
        'crossborder-sandbox advance --next',
      );
    if (skew > skewMs)
      return warning(
        `It is ${Math.round(skew / 1000)} s away from this machine's, and receivers refuse signatures of another time.`,
        'crossborder-sandbox worlds create <name> --anew',
      );
    return ok(`${now}, ${mode}.`);
  },
  subscriptions: async ({ world, control, signal }, { inContainer }) => {
    const { data } = await answered(control.GET('/_sandbox/subscriptions', { params: { query: { limit: mostProbes } }, signal }));
    const probes = await Promise.all(data.map(({ id }) => world.subscription(id).probe({ signal })));
    const wrong = probes.filter(({ reachable }) => !reachable);
    if (wrong.length === 0) return ok(`${many(probes.length, 'subscription')} can be reached.`);
    const [{ url, steps } = { url: '', steps: [] }] = wrong;
    const isLocal = inContainer === true && /^https?:\/\/(localhost|127\.)/.test(url);
    const mend = isLocal
      ? 'localhost is the container: take host.docker.internal, or the address of an inbox from crossborder-sandbox inbox <name> --address'
      : 'Start what listens there, or take the address of an inbox: crossborder-sandbox inbox <name> --address';
    return failed(`${wrong.length} of ${probes.length} cannot be reached, the first ${url}: ${steps.at(-1)?.detail ?? ''}`, mend);
  },
  deliveries: async ({ world, signal }) => {
    const found = await world.deliveries({ filters: 'status[eq]=FAILED', signal }).all(20);
    return found.length === 0
      ? ok('No delivery has failed.')
      : warning(
          `${many(found.length, 'delivery').replace('deliverys', 'deliveries')} failed, the newest ${found[0]!.id}.`,
          `crossborder-sandbox why ${found[0]!.id}`,
        );
  },
  faults: async ({ world, signal }) => {
    const faults = await world.faults({ signal });
    return faults.length === 0
      ? ok('No fault is armed.')
      : warning(
          `${many(faults.length, 'fault')} armed, which may explain what fails.`,
          'crossborder-sandbox fault list --quiet | crossborder-sandbox fault remove -',
        );
  },
  findings: async ({ world, signal }) => {
    const fresh = (await world.findings({ signal })).data.filter(({ state }) => state === 'NEW');
    return fresh.length === 0
      ? ok('Clients did nothing wrong so far.')
      : warning(`${many(fresh.length, 'finding')}.`, 'crossborder-sandbox findings');
  },
};

/** What the sandbox says of itself to who has its token. @throws SandboxError */
async function reached({ sandbox, signal }: Invocation): Promise<[Status, Outcome]> {
  const status = await sandbox.status({ signal });
  if (status.startedAt !== undefined) return [status, ok(`The sandbox at ${sandbox.controlUrl} answers.`)];
  return [
    status,
    failed(`The sandbox at ${sandbox.controlUrl} wants its control token.`, 'Give it as --token, or in SANDBOX_CONTROL_TOKEN.'),
  ];
}

/** The verb that looks for what is wrong. */
export const doctor: Verb = {
  name: 'doctor',
  group: 'run',
  summary: 'Looks for what keeps a test from working, and says what mends it.',
  examples: [
    'crossborder-sandbox doctor',
    'crossborder-sandbox doctor --json',
    'crossborder-sandbox doctor --url http://127.0.0.1:4010 --world default',
  ],
  exits: { 1: 'something has to be mended' },
  calls: [
    'GET /_sandbox',
    'GET /_sandbox/worlds/{worldName}',
    'GET /_sandbox/clock',
    'GET /_sandbox/subscriptions',
    'POST /_sandbox/subscriptions/{subscriptionId}/probe',
    'GET /_sandbox/deliveries',
    'GET /_sandbox/faults',
    'GET /_sandbox/findings',
  ],
  run: async (invocation) => {
    const { out, signal } = invocation;
    const told: (Outcome & { readonly check: string })[] = [];
    let code = 0;
    /** Makes a check. @returns whether the others make sense after it */
    const look = async (check: string, work: () => Promise<Outcome>): Promise<boolean> => {
      try {
        const outcome = await work();
        told.push({ check, ...outcome });
        if (outcome.result === 'FAILED') code ||= 1;
        return outcome.result !== 'FAILED';
      } catch (error) {
        signal.throwIfAborted();
        told.push({ check, result: 'FAILED', what: (error as Error).message });
        code ||= exitCodeOf(error);
        return false;
      }
    };
    let status: Status | undefined;
    const isThere = await look('address', async () => {
      const [found, outcome] = await reached(invocation);
      status = found;
      return outcome;
    });
    if (isThere) for (const [name, check] of Object.entries(checks)) await look(name, () => check(invocation, status!));
    const styles = { OK: 'green', WARNING: 'yellow', FAILED: 'red' } as const;
    out.show(
      told,
      told.flatMap(({ check, result, what, mend }) => [
        `${out.style(styles[result], result.padEnd(7))} ${check}: ${what}`,
        ...(mend === undefined ? [] : [`        → ${mend}`]),
      ]),
      told.filter(({ result }) => result !== 'OK').map(({ check }) => check),
    );
    return code;
  },
};
