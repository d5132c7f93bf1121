import manifest from '../../../package.json' with { type: 'json' };
import { answered } from '../../client/caller.js';
import { SandboxError } from '../../client/error.js';
import type { Status } from '../../client/types.js';
import type { Invocation } from '../verb.js';

/** What a check came to, and the command or setting that mends it. */
export interface Outcome {
  readonly result: 'OK' | 'WARNING' | 'FAILED';
  readonly what: string;
  readonly mend?: string;
}

type Check = (invocation: Invocation, status: Status) => Promise<Outcome>;

export const ok = (what: string): Outcome => ({ result: 'OK', what });
const warning = (what: string, mend: string): Outcome => ({ result: 'WARNING', what, mend });
export const failed = (what: string, mend: string): Outcome => ({ result: 'FAILED', what, mend });
const many = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** How far the clocks of both sides may be apart before receivers refuse signatures, in milliseconds. */
const skewMs = 60_000;
/** How many free bytes are too few for comfort. */
const fewBytes = 100 * 1024 * 1024;
/** How many subscriptions are tried. */
const mostProbes = 20;

/** What is looked at once the sandbox has said what it is, in the order of what has to be mended first. */
export const checks: Readonly<Record<string, Check>> = {
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
  disk: async (_invocation, { freeBytes }) => {
    if (freeBytes === null || freeBytes === undefined) return ok('Its state is on no disk of its machine.');
    const left = `${Math.round(freeBytes / 1024 / 1024)} MiB are free where it keeps its state.`;
    return freeBytes < fewBytes ? warning(left, 'Make room there: without any, all changes are refused.') : ok(left);
  },
  scenarios: async (_invocation, { scenarios }) => {
    const [first, ...more] = scenarios?.mistakes ?? [];
    if (!first) return ok('The scenario files are sound.');
    return failed(
      `${many(more.length + 1, 'mistake')}, the first in ${first.file}:${first.line}: ${first.message}`,
      `crossborder-sandbox scenario check ${first.file}`,
    );
  },
  world: async ({ world, signal }) => {
    const found = await world.get({ signal }).catch((error: unknown) => {
      if (error instanceof SandboxError && error.status === 404) return null;
      throw error;
    });
    if (!found) return failed(`There is no world ${world.name}.`, `crossborder-sandbox worlds create ${world.name}`);
    const { credentials } = found;
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
