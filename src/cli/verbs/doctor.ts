import { defined } from '../../client/caller.js';
import { isOfWorld } from '../../client/authorization.js';
import { clientErrorCodes, type SandboxError } from '../../client/error.js';
import type { Status } from '../../client/types.js';
import { withUsedCommand } from '../command-name.js';
import { exitCodeOf } from '../failure.js';
import { otherPort, portHolder } from '../port-holder.js';
import type { Invocation, Verb } from '../verb.js';
import { checks, failed, ok, type Outcome } from './doctor-checks.js';

/** Whether a URL points to this machine. */
const isHere = ({ hostname }: URL) => /^(localhost|127\.[0-9.]+|\[::1\])$/.test(hostname);

/** Returns the reason that the sandbox is not reachable, by check. */
function unreached(error: unknown, controlUrl: string): Record<string, Outcome> {
  const { code, cause, message } = error as SandboxError;
  const url = new URL(controlUrl);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  if (code === clientErrorCodes.unreachable) {
    const { cause: inner } = (cause ?? {}) as Error;
    const reason = inner instanceof Error && inner.message !== '' ? `: ${inner.message}` : '';
    const start = `crossborder-sandbox start${port === '4010' ? '' : ` --port ${port}`}`;
    const fix = isHere(url) ? start : 'Set --url or SANDBOX_URL. If the control API has a separate port, set --control-url too.';
    return { address: failed(`No response from ${url.origin}${reason}.`, fix) };
  }
  if (code === clientErrorCodes.notUnderstood) {
    const holder = isHere(url) ? portHolder(Number(port)) : null;
    const fix = `Use another port, crossborder-sandbox start --port ${otherPort(Number(port))}, or stop the other process.`;
    return {
      address: ok(`A server responds at ${url.origin}.`),
      port: failed(`${holder === null ? 'The server' : `${holder} uses the port, and`} is not a sandbox.`, fix),
    };
  }
  if (code === 'ROUTE_NOT_FOUND')
    return {
      address: failed(`The control API is not at ${url.origin}.`, 'Set --control-url or SANDBOX_CONTROL_URL.'),
    };
  if (code !== 'HOST_NOT_ALLOWED') return { address: { result: 'FAILED', what: message } };
  const fix = `Start the sandbox with SANDBOX_ALLOWED_HOSTS=${url.hostname}`;
  return {
    address: ok(`A server responds at ${url.origin}.`),
    host: failed(`The sandbox rejects requests for the host ${url.hostname}.`, fix),
  };
}

/** Checks the control token. */
function tokenOf({ connection: { token } }: Invocation, { auth, startedAt }: Status): Outcome {
  if (auth === 'none') return ok('Not required.');
  if (startedAt !== undefined) return ok('Valid.');
  if (isOfWorld(token)) return ok('Valid credentials of a world.'); // Invalid credentials get no status at all.
  const wrong = token === null ? 'The sandbox requires a control token.' : 'The control token is wrong.';
  return failed(wrong, 'Set --token or SANDBOX_CONTROL_TOKEN to the value of SANDBOX_CONTROL_TOKEN in the sandbox.');
}

export const doctor: Verb = {
  name: 'doctor',
  group: 'run',
  summary: 'Check the setup and suggest fixes.',
  examples: [
    'crossborder-sandbox doctor',
    'crossborder-sandbox doctor --json',
    'crossborder-sandbox doctor --url http://127.0.0.1:4010 --world default',
  ],
  exits: { 1: 'a check failed' },
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
    const { out, signal, command } = invocation;
    const outcomes: (Outcome & { readonly check: string })[] = [];
    let code = 0;
    /** Runs a check. @returns false if it failed */
    const look = async (check: string, work: () => Promise<Outcome>): Promise<boolean> => {
      try {
        const outcome = await work();
        outcomes.push({ check, ...outcome });
        if (outcome.result === 'FAILED') code ||= 1;
        return outcome.result !== 'FAILED';
      } catch (error) {
        signal.throwIfAborted();
        outcomes.push({ check, result: 'FAILED', what: (error as Error).message });
        code ||= exitCodeOf(error);
        return false;
      }
    };
    const { controlUrl } = invocation.connection;
    let status: Status | undefined;
    try {
      status = await invocation.sandbox.status({ signal });
      outcomes.push(
        { check: 'address', ...ok(`The sandbox responds at ${controlUrl}.`) },
        { check: 'host', ...ok(`The sandbox accepts requests for ${new URL(controlUrl).hostname}.`) },
      );
    } catch (error) {
      signal.throwIfAborted();
      for (const [check, outcome] of Object.entries(unreached(error, controlUrl))) outcomes.push({ check, ...outcome });
      code = exitCodeOf(error);
    }
    if (status && (await look('token', async () => tokenOf(invocation, status))))
      for (const [name, check] of Object.entries(checks)) {
        const isWell = await look(name, () => check(invocation, status));
        if (name === 'world' && !isWell) break; // The other checks need the world.
      }
    const styles = { OK: 'green', WARNING: 'yellow', FAILED: 'red' } as const;
    for (const { check, result, what, fix } of outcomes) {
      const shownFix = fix === undefined ? undefined : withUsedCommand(fix, command);
      if (out.isJson) out.line(JSON.stringify({ check, result, what, ...defined({ fix: shownFix }) }));
      else if (!out.isQuiet) {
        out.line(`${out.style(styles[result], result.padEnd(7))} ${check}: ${what}`);
        if (shownFix !== undefined) out.line(`        → ${shownFix}`);
      } else if (result !== 'OK') out.line(check);
    }
    return code;
  },
};
