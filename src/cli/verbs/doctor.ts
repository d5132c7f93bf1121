import { isOfWorld } from '../../client/authorization.js';
import { ownCodes, type SandboxError } from '../../client/error.js';
import type { Status } from '../../client/types.js';
import { exitCodeOf } from '../failure.js';
import { portHolder } from '../port-holder.js';
import type { Invocation, Verb } from '../verb.js';
import { checks, failed, ok, type Outcome } from './doctor-checks.js';

/** Whether an address is one of this machine. */
const isHere = ({ hostname }: URL) => /^(localhost|127\.[0-9.]+|\[::1\])$/.test(hostname);

/** What keeps the sandbox from being reached, by the check that finds it. */
function unreached(error: unknown, controlUrl: string): Record<string, Outcome> {
  const { code, cause, message } = error as SandboxError;
  const url = new URL(controlUrl);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  if (code === ownCodes.unreachable) {
    const { cause: inner } = (cause ?? {}) as Error;
    const reason = inner instanceof Error && inner.message !== '' ? `: ${inner.message}` : '';
    const start = `npx crossborder-sandbox${port === '4010' ? '' : ` --port ${port}`}`;
    const mend = isHere(url)
      ? start
      : 'Say where it is, as --url or in SANDBOX_URL; --control-url, where its control plane has a port of its own.';
    return { address: failed(`Nothing answers at ${url.origin}${reason}.`, mend) };
  }
  if (code === ownCodes.notUnderstood) {
    const holder = isHere(url) ? portHolder(Number(port)) : null;
    const mend = `Take another port, crossborder-sandbox --port ${Number(port) + 1}, or end what holds this one.`;
    return {
      address: ok(`Something answers at ${url.origin}.`),
      port: failed(`${holder === null ? 'What answers' : `${holder} holds the port, and`} is no sandbox.`, mend),
    };
  }
  if (code === 'ROUTE_NOT_FOUND')
    return {
      address: failed(`The control plane is not at ${url.origin}.`, 'Say where it is, as --control-url or in SANDBOX_CONTROL_URL.'),
    };
  if (code !== 'HOST_NOT_ALLOWED') return { address: { result: 'FAILED', what: message } };
  const mend = `Start the sandbox with SANDBOX_ALLOWED_HOSTS=${url.hostname}`;
  return { address: ok(`Something answers at ${url.origin}.`), host: failed(`The sandbox takes no calls for ${url.hostname}.`, mend) };
}

/** Whether the control token is what it should be. */
function tokenOf({ connection: { token } }: Invocation, { auth, startedAt }: Status): Outcome {
  if (auth === 'none') return ok('None is needed.');
  if (startedAt !== undefined) return ok('It is the right one.');
  if (isOfWorld(token)) return ok('It is the credentials of a world.'); // Wrong ones are told nothing at all.
  const wrong = token === null ? 'The sandbox wants its control token.' : 'The control token is a wrong one.';
  return failed(wrong, 'Give what SANDBOX_CONTROL_TOKEN of the sandbox is: as --token, or in SANDBOX_CONTROL_TOKEN here.');
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
    const { controlUrl } = invocation.connection;
    let status: Status | undefined;
    try {
      status = await invocation.sandbox.status({ signal });
      told.push(
        { check: 'address', ...ok(`The sandbox at ${controlUrl} answers.`) },
        { check: 'host', ...ok(`It takes calls for ${new URL(controlUrl).hostname}.`) },
      );
    } catch (error) {
      signal.throwIfAborted();
      for (const [check, outcome] of Object.entries(unreached(error, controlUrl))) told.push({ check, ...outcome });
      code = exitCodeOf(error);
    }
    if (status && (await look('token', async () => tokenOf(invocation, status))))
      for (const [name, check] of Object.entries(checks)) {
        const isWell = await look(name, () => check(invocation, status));
        if (name === 'world' && !isWell) break; // What follows is about it.
      }
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
