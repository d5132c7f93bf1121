import manifest from '../../../package.json' with { type: 'json' };
import { answered } from '../../client/caller.js';
import { SandboxError } from '../../client/error.js';
import type { Status } from '../../client/types.js';
import type { Invocation } from '../verb.js';

/** The result of a check, and the command or setting that fixes a problem. */
export interface Outcome {
  readonly result: 'OK' | 'WARNING' | 'FAILED';
  readonly what: string;
  readonly fix?: string;
}

type Check = (invocation: Invocation, status: Status) => Promise<Outcome>;

export const ok = (what: string): Outcome => ({ result: 'OK', what });
const warning = (what: string, fix: string): Outcome => ({ result: 'WARNING', what, fix });
export const failed = (what: string, fix: string): Outcome => ({ result: 'FAILED', what, fix });
const many = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Clock difference above which clients that compare tokens with their own clock may reject them, in milliseconds. */
const skewMs = 60_000;
const dayMs = 86_400_000;

/** Describes the effects of a moved clock. Webhook signatures use real time, so they stay valid. */
function movedText(aheadMs: number): string {
  const ms = Math.abs(aheadMs);
  const amount =
    ms >= dayMs ? many(Math.round(ms / dayMs), 'day') : ms >= 120_000 ? `${Math.round(ms / 60_000)} minutes` : `${Math.round(ms / 1000)} s`;
  const consequence =
    aheadMs > 0 ? 'iat and exp of tokens are in the future, so the clients renew tokens too late' : 'exp of tokens is in the past';
  return `The world is ${amount} ${aheadMs > 0 ? 'ahead of' : 'behind'} the clock of this machine. For clients that check tokens by their own clock, ${consequence}. Webhook signatures use real time and stay valid.`;
}
/** Free disk space below which doctor warns, in bytes. */
const fewBytes = 100 * 1024 * 1024;
/** Maximum number of subscriptions to probe. */
const mostProbes = 20;

/** Maximum time for a receiver to respond, in milliseconds. */
const responseMs = 1000;

/** Whether a server responds at a URL, as seen from this command. */
async function responds(url: string, signal: AbortSignal): Promise<boolean> {
  const response = await fetch(url, {
    method: 'HEAD',
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(responseMs)]),
  }).catch(() => null);
  await response?.body?.cancel();
  return response !== null;
}

/** Checks of a sandbox that responds, in the order in which to fix problems. */
export const checks: Readonly<Record<string, Check>> = {
  version: async (_invocation, { version }) =>
    version === manifest.version
      ? ok(`Sandbox and command have version ${version}.`)
      : warning(
          `The sandbox has version ${version}, this command ${manifest.version}.`,
          `Use the command of version ${version}, or update the sandbox.`,
        ),
  node: async () => {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    const isOld = major < 20 || (major === 20 && minor < 19);
    return isOld
      ? failed(`Node.js ${process.versions.node} is too old.`, 'Install Node.js 20.19 or later.')
      : ok(`Node.js ${process.versions.node}.`);
  },
  proxy: async ({ environment }) => {
    const proxies = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy'].filter((each) => (environment[each] ?? '') !== '');
    const isUsed = (environment['NODE_USE_ENV_PROXY'] ?? '') !== '' && proxies.length > 0;
    return isUsed
      ? warning(`Requests go through a proxy: ${proxies.join(', ')}.`, 'NO_PROXY=localhost,127.0.0.1')
      : ok('No proxy is used.');
  },
  storage: async (_invocation, { readOnly }) =>
    readOnly === true
      ? failed('The sandbox can no longer store data and rejects all changes.', 'Check its log and its disk, then restart it.')
      : ok('Changes are stored.'),
  disk: async (_invocation, { freeBytes }) => {
    if (freeBytes === null || freeBytes === undefined) return ok('The state of the sandbox is not on a local disk.');
    const left = `${Math.round(freeBytes / 1024 / 1024)} MiB are free on the disk with the state of the sandbox.`;
    return freeBytes < fewBytes ? warning(left, 'Free some space: on a full disk, all changes are rejected.') : ok(left);
  },
  scenarios: async (_invocation, { scenarios }) => {
    const [first, ...more] = scenarios?.errors ?? [];
    if (!first) return ok('The scenario files are valid.');
    return failed(
      `${many(more.length + 1, 'error')}, the first in ${first.file}:${first.line}: ${first.message}`,
      `crossborder-sandbox scenario check ${first.file}`,
    );
  },
  world: async ({ world, signal }) => {
    const found = await world.get({ signal }).catch((error: unknown) => {
      if (error instanceof SandboxError && error.status === 404) return null;
      throw error;
    });
    if (!found) return failed(`World ${world.name} does not exist.`, `crossborder-sandbox worlds create ${world.name}`);
    const { credentials } = found;
    return ok(`World ${world.name} exists, with clientId ${credentials.clientId}.`);
  },
  clock: async ({ world, signal }) => {
    const { mode, now, pendingTimers, nextTimerAt } = await world.clock.get({ signal });
    const aheadMs = Date.parse(now) - Date.now();
    const isMoved = Math.abs(aheadMs) > skewMs;
    const moved = isMoved ? ` ${movedText(aheadMs)}` : '';
    if (mode === 'FROZEN') {
      const waiting = pendingTimers === 0 ? '' : `, with ${many(pendingTimers, 'pending timer')}; the next is due at ${nextTimerAt}`;
      const next = pendingTimers === 0 ? '' : ', or crossborder-sandbox advance --next runs the next timer';
      return warning(`Frozen at ${now}${waiting}.${moved}`, `crossborder-sandbox clock run starts it${next}`);
    }
    if (isMoved)
      return warning(
        `${now}, RUNNING.${moved}`,
        'crossborder-sandbox worlds create <name> --if-exists replace, because a new world has the real time',
      );
    return ok(`${now}, RUNNING.`);
  },
  subscriptions: async ({ world, control, signal }, { inContainer }) => {
    const { data } = await answered(control.GET('/_sandbox/subscriptions', { params: { query: { limit: mostProbes } }, signal }));
    const probes = await Promise.all(data.map(({ id }) => world.subscription(id).probe({ signal })));
    const wrong = probes.filter(({ reachable }) => !reachable);
    if (wrong.length === 0) return ok(`${many(probes.length, 'subscription')} reachable.`);
    const [{ url, steps } = { url: '', steps: [] }] = wrong;
    const isLocal = inContainer === true && /^https?:\/\/(localhost|127\.)/.test(url);
    const fix =
      isLocal && (await responds(url, signal))
        ? 'The receiver responds to this command, but inside the container of the sandbox localhost is the container. Use host.docker.internal, or an inbox URL from crossborder-sandbox inbox <name> --address'
        : 'Start the receiver, or use an inbox URL: crossborder-sandbox inbox <name> --address';
    return failed(`${wrong.length} of ${probes.length} not reachable; the first is ${url}: ${steps.at(-1)?.detail ?? ''}`, fix);
  },
  deliveries: async ({ world, signal }) => {
    const found = await world.deliveries({ filters: 'status[eq]=FAILED', signal }).all(20);
    return found.length === 0
      ? ok('No failed deliveries.')
      : warning(
          `${many(found.length, 'delivery').replace('deliverys', 'deliveries')} failed; the newest is ${found[0]!.id}.`,
          `crossborder-sandbox why ${found[0]!.id}`,
        );
  },
  faults: async ({ world, signal }) => {
    const faults = await world.faults({ signal });
    return faults.length === 0
      ? ok('No faults are active.')
      : warning(
          `${many(faults.length, 'fault')} active, which may explain failures.`,
          'crossborder-sandbox fault list --quiet | crossborder-sandbox fault remove -',
        );
  },
  findings: async ({ world, signal }) => {
    const fresh = (await world.findings({ signal })).data.filter(({ state }) => state === 'NEW');
    return fresh.length === 0 ? ok('No findings so far.') : warning(`${many(fresh.length, 'finding')}.`, 'crossborder-sandbox findings');
  },
};
