import { SandboxClient } from './client/sandbox.js';
import type { StartOptions } from './server/options.js';

export { SandboxError } from './client/error.js';
export { connect, SandboxClient } from './client/sandbox.js';
export { OwnedWorld } from './client/owned-world.js';
export { WorldClient } from './client/world.js';
export type { CoverageQuery, FindingsQuery } from './client/world.js';
export type { ReportFormat, ReportQuery } from './client/report.js';
export type { CallOptions, Control } from './client/caller.js';
export type { ClockHandle, Distance } from './client/clock.js';
export type { ConnectOptions, Connection } from './client/connection.js';
export type { EventQuery, EventStream } from './client/events.js';
export type { AccountHandle, AssetHandle } from './client/handles/account.js';
export type { OperationHandle } from './client/handles/operation.js';
export type { DeliveryHandle, FaultHandle, QuoteHandle, SnapshotHandle, SubscriptionHandle } from './client/handles/removable.js';
export type { BeneficiaryHandle, DocumentHandle, PaymentInstructionHandle, UboHandle } from './client/handles/reviewed.js';
export type { RequestsHandle, RequestsQuery } from './client/handles/requests.js';
export type { ScenarioHandle, SettingsHandle, StateHandle } from './client/handles/settings.js';
export type { Inbox, InboxWait } from './client/inbox.js';
export type { Listening, ListenOptions, Receiver } from './client/listening.js';
export type { ListQuery, Paged } from './client/paged.js';
export type * from './client/types.js';
export type { WaitOptions } from './client/waiting.js';
export type { StartOptions } from './server/options.js';

/** What a server within this process has. */
interface Server {
  readonly url: string;
  readonly controlUrl: string;
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** A sandbox within this process. */
export class RunningSandbox extends SandboxClient {
  readonly #server: Server;

  constructor(server: Server, token: string | null) {
    const { url, controlUrl } = server;
    super({ url, controlUrl, token, timeoutMs: 600_000, fetch: (request) => answerOf(server, request) });
    this.#server = server;
  }

  /** Answers a call of the API or the control plane without a connection, as an application's own `fetch` would. */
  fetch(request: Request): Promise<Response> {
    return this.#server.fetch(request);
  }

  /** Ends it, with all its worlds. */
  close(): Promise<void> {
    return this.#server.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** The answer to a call, as long as its signal lets it wait. */
async function answerOf(server: Server, request: Request): Promise<Response> {
  const { signal } = request;
  signal.throwIfAborted();
  let stop = () => {};
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([server.fetch(request), stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/**
 * Starts a sandbox within this process: on a free port, in memory, silent, whatever the environment says. It takes no signals and never
 * ends the process.
 * @throws Error with one line for each setting that is wrong, or when a test has taken the timers away that it lives on
 */
export async function startSandbox(options: StartOptions = {}): Promise<RunningSandbox> {
  // What @sinonjs/fake-timers, by which vitest and Jest fake them, marks its own with.
  if (Object.hasOwn(setImmediate, 'clock')) {
    throw new Error(
      'The timers of this process are faked, and a sandbox within it would stand still. Have the global setup start one ' +
        '(crossborder-sandbox/vitest/setup, crossborder-sandbox/jest/setup): it runs elsewhere, and tests may fake what they like.',
    );
  }
  const { startInProcess } = await import('./cli/start.js');
  return new RunningSandbox(await startInProcess(options), options.controlToken ?? null);
}
