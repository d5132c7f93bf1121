import { createAnalysis, type Analysis, type AnalysisHost } from '../analysis/analysis.js';
import { createControlPlane } from '../api/control/app.js';
import type { ControlPlane, ControlPlaneOptions } from '../api/control/plane.js';
import { DomainError } from '../domain/errors.js';
import { createPublicPlane } from '../api/public/app.js';
import type { PublicPlane, PublicPlaneOptions } from '../api/public/plane.js';
import type { SandboxOptions } from '../sandbox/options.js';
import type { AuditLog } from '../sandbox/audit-log.js';
import { Sandbox } from '../sandbox/sandbox.js';
import type { GuardSettings } from '../api/plane/guard.js';
import type { Observer } from '../exchange/observer.js';
import type { PlaneName } from './hosted/node-proxy.js';
import type { RequestHandler } from './listen.js';
import type { World } from '../world/world.js';

/** The parts of a sandbox that differ between a process and a test. */
export interface Composition {
  /** Returns real time, in milliseconds since 1970. */
  readonly realNow: () => number;
  /** Called on internal errors, which then contain no secrets. */
  readonly onInternalError: (error: unknown, what: string) => void;
  readonly guard: GuardSettings;
  readonly sandbox: Omit<SandboxOptions, 'realNow' | 'onInternalError' | 'dispatcher' | 'hosted'>;
  /** Lists the stored worlds if several nodes share them. */
  readonly overview?: NonNullable<SandboxOptions['hosted']>['overview'] | undefined;
  /** Stores evidence with the worlds if several nodes share them. Default: it is not stored. */
  readonly storeEvidence?: NonNullable<SandboxOptions['hosted']>['storeEvidence'] | undefined;
  readonly analysis: Omit<AnalysisHost, 'realNow' | 'onInternalError' | 'secrets' | 'isApart' | 'live'>;
  /** Observers that are notified of each request immediately, not in batches. Default: none. */
  readonly observers?: readonly Observer[];
  readonly publicApi: Omit<PublicPlaneOptions, 'sandbox' | 'allowedHosts' | 'isGuarded'>;
  readonly controlApi: Omit<ControlPlaneOptions, 'sandbox' | 'analysis' | 'audit' | keyof GuardSettings>;
  /** The log of control requests. */
  readonly audit: AuditLog;
}

/** A sandbox with its analysis and both APIs. */
export interface Composed {
  readonly analysis: Analysis;
  readonly sandbox: Sandbox;
  readonly planes: { readonly public: PublicPlane; readonly control: ControlPlane };
  /** Handlers of requests to each API. Nodes that share worlds replace these handlers. */
  readonly handlers: Record<PlaneName, RequestHandler>;
}

/** Creates and connects all parts of a sandbox. @throws Error if the storage cannot be read, or the scenario or version does not exist */
export async function compose(composition: Composition): Promise<Composed> {
  const { realNow, onInternalError, guard, overview, audit, storeEvidence = () => Promise.resolve() } = composition;
  const { controlToken, allowedHosts } = guard;
  const isHosted = overview !== undefined;
  // Deliveries of shared worlds call a handler possibly before the APIs exist.
  const handlers: Record<PlaneName, RequestHandler> = { public: tooEarly, control: tooEarly };
  const onSafeError = (error: unknown, what: string) => onInternalError(analysis.record.redactorOf(null).error(error), what);
  const analysis: Analysis = createAnalysis({
    ...composition.analysis,
    live: composition.observers,
    realNow,
    onInternalError: onSafeError,
    secrets: controlToken === null ? [] : [controlToken],
    isApart: isHosted,
  });
  const sandbox = await Sandbox.open({
    ...composition.sandbox,
    realNow,
    onInternalError: onSafeError,
    dispatcher: analysis.dispatcher,
    ...(isHosted
      ? { hosted: { overview, storeEvidence, evidence: analysis.evidence, verdictOf: (world: World) => analysis.reports.verdictOf(world) } }
      : {}),
  });
  const planes = {
    public: createPublicPlane({ ...composition.publicApi, sandbox, allowedHosts, isGuarded: controlToken !== null || isHosted }),
    control: createControlPlane({ ...composition.controlApi, ...guard, sandbox, analysis, audit }),
  };
  handlers.public = (request, env) => planes.public.app.fetch(request, env);
  handlers.control = (request, env) => planes.control.app.fetch(request, env);
  return { analysis, sandbox, planes, handlers };
}

const tooEarly: RequestHandler = () => {
  throw new DomainError('SERVICE_UNAVAILABLE', 'The sandbox is starting. Retry in a second.');
};
