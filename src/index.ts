import { SandboxClient } from './client/sandbox.js';
import type { StartOptions } from './server/options.js';

export { SandboxError } from './client/error.js';
export { connect, SandboxClient } from './client/sandbox.js';
export { ReconciliationError } from './client/reconcile.js';
export type { ReconcileOptions } from './client/reconcile.js';
export { OwnedWorld } from './client/owned-world.js';
export { WorldClient } from './client/world.js';
export type { CoverageQuery, FindingsQuery } from './client/world.js';
export type { ReportFormat, ReportQuery } from './client/report.js';
export type { CallOptions, Control } from './client/caller.js';
export type { ClockHandle, Distance } from './client/clock-handle.js';
export type { ConnectOptions, Connection } from './client/connection.js';
export type { WorldEnvironment } from './client/environment.js';
export { ExplorationError } from './client/explore/explore.js';
export type { ClientProcess, ExploreOptions, ExploreProgress, JourneyContext } from './client/explore/options.js';
export type { EventQuery, EventStream } from './client/events.js';
export type { AccountHandle, AssetHandle } from './client/handles/account.js';
export type { OperationHandle } from './client/handles/operation.js';
export type { DeliveryHandle, FaultHandle, QuoteHandle, SnapshotHandle, SubscriptionHandle } from './client/handles/removable.js';
export type { BeneficiaryHandle, DocumentHandle, PaymentInstructionHandle, UboHandle } from './client/handles/reviewed.js';
export type { HttpArchive, RequestsHandle, RequestsQuery } from './client/handles/requests.js';
export type { ScenarioHandle, SettingsHandle, StateHandle } from './client/handles/settings.js';
export type { Inbox, InboxWait } from './client/inbox.js';
export type { Listening, ListenOptions, Receiver } from './client/listening.js';
export type { ListQuery, Paged } from './client/paged.js';
export type * from './client/types.js';
export type { WaitOptions } from './client/waiting.js';
export type { StartOptions } from './server/options.js';

/** The server of a {@link RunningSandbox}. */
interface Server {
  readonly url: string;
  readonly controlUrl: string;
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/** A sandbox that runs in this process. */
export class RunningSandbox extends SandboxClient {
  readonly #server: Server;

  constructor(server: Server, token: string | null) {
    const { url, controlUrl } = server;
    super({ url, controlUrl, token, timeoutMs: 600_000, fetch: (request) => answerOf(server, request) });
    this.#server = server;
  }

  /** Handles a request to the API or the control API without a network connection. */
  fetch(request: Request): Promise<Response> {
    return this.#server.fetch(request);
  }

  /** Stops the sandbox and deletes its worlds. */
  close(): Promise<void> {
    return this.#server.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** Returns the response of a server to a request. Rejects when the signal of the request aborts. */
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
 * Starts a sandbox in this process. Default: on a free port, in memory, without log output. The sandbox ignores environment variables and
 * signals, and never ends the process.
 * @throws Error with one line for each invalid setting, or if the timers of this process are faked
 */
export async function startSandbox(options: StartOptions = {}): Promise<RunningSandbox> {
  // vitest and Jest fake timers with @sinonjs/fake-timers, which sets this property.
  if (Object.hasOwn(setImmediate, 'clock')) {
    throw new Error(
      'The timers of this process are faked, so a sandbox in it would not run. Use the global setup ' +
        '(crossborder-sandbox/vitest/setup or crossborder-sandbox/jest/setup): its sandbox runs in another process.',
    );
  }
  const { startInProcess } = await import('./cli/start.js');
  return new RunningSandbox(await startInProcess(options), options.controlToken ?? null);
}
