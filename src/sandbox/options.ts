import type { UrlPolicy } from '../contract/scenario/settings.js';
import type { Version } from '../contract/versions/version.js';
import { baseSettings, pricingOf, settingsInForce } from '../engine/settings-in-force.js';
import type { SharedServices } from '../world/view.js';
import type { JWK } from 'jose';
import type { ScenarioCatalogue } from '../scenario/catalogue.js';
import type { HoldAttempt, Transport } from './delivery/deliverer.js';
import type { Probe } from './delivery/probe.js';
import type { ReferenceData } from '../fixtures/reference-data.js';
import type { Storage } from '../storage/storage.js';
import type { IdentityRecord } from '../world/rows.js';
import type { Retention } from '../world/retention.js';
import type { Observer } from '../world/observer.js';

/** Limits of one world. Errors about them reveal nothing about other worlds. */
export interface WorldLimits {
  readonly rows: number;
  /** Approximate bytes of its rows as JSON. */
  readonly bytes: number;
  readonly subscriptions: number;
  /** Maximum concurrent waiting requests. */
  readonly waits: number;
}

/** The parts of a sandbox. */
export interface SandboxOptions {
  /** Returns real time in Unix milliseconds. */
  readonly realNow: () => number;
  readonly storage: Storage;
  /** Set if several nodes share the worlds. A node then loads a world on its first request, and credentials are random. */
  readonly hosted?: {
    /** @param after lists the names that follow this one in order */
    heads(after: string): AsyncIterable<IdentityRecord & { readonly rowCount: number }>;
    /** Handles a request of the control API on the node that owns its world. The body is separate, so that it can be sent again. */
    readonly post: (request: Request, body: Buffer) => Promise<Response>;
  };
  readonly transport: Transport;
  /** Holds each attempt until a replay comes to it. Default: attempts are made at once. */
  readonly holdAttempt?: HoldAttempt | undefined;
  /** Tests whether the transport can reach an endpoint. */
  readonly probe: Probe;
  readonly data: ReferenceData;
  readonly scenarios: ScenarioCatalogue;
  /** The private key that signs tokens. */
  readonly tokenKey: JWK | Promise<JWK>;
  /** Default seed of new worlds. */
  readonly seed: string;
  /** Default scenario of new worlds. */
  readonly scenario: string;
  /** Default policy for webhook URLs. */
  readonly urlPolicy: UrlPolicy;
  /** Maximum number of worlds. */
  readonly maxWorlds: number;
  /** Maximum rows of all worlds. Requests that would exceed it are rejected. */
  readonly maxRows: number;
  /** Maximum approximate bytes of all rows as JSON. Default: no limit. */
  readonly maxBytes?: number;
  /** Limits of one world. Default: those of all worlds together. */
  readonly worldLimits?: WorldLimits;
  /** Limits of past data in each world. Default: `defaultRetention`. */
  readonly retention?: Retention;
  /** The versions of the public API, newest first. Default: those of the contract */
  readonly versions?: readonly Version[];
  /** Observers of all events. Default: none. */
  readonly observers?: readonly Observer[];
  /** Returns the ports on which the sandbox listens; webhooks to them are rejected unless they go to an inbox or listener. */
  readonly ownPorts: () => readonly number[];
  /** Called with warnings for the operator. */
  readonly warn?: (message: string) => void;
  /** Called on internal errors. */
  readonly onInternalError: (error: unknown, what: string) => void;
}

/** Returns the services that the worlds of a sandbox share. */
export function surroundingsOf({ data, urlPolicy, scenarios, hosted }: SandboxOptions): SharedServices {
  const { documents, directory, pricing, calendars } = data;
  const base = baseSettings(pricing, urlPolicy);
  // Clients can change the settings of their worlds in several ways, but must never reach the network of the host.
  const held = hosted && urlPolicy === 'strict' ? { urlPolicy } : null;
  return {
    scenarios,
    documents,
    directory,
    calendars,
    settings: (view) => (held ? { ...settingsInForce(view, base), ...held } : settingsInForce(view, base)),
    pricing: (view) => pricingOf(view, pricing.usdValues),
  };
}
