import type { World } from '../world/world.js';
import type { UrlPolicy } from '../contract/scenario/settings.js';
import type { Version } from '../contract/versions/version.js';
import { baseSettings, pricingOf, settingsInForce } from '../engine/settings-in-force.js';
import type { SharedServices } from '../world/view.js';
import type { JWK } from 'jose';
import type { ScenarioCatalogue } from '../scenario/catalogue.js';
import type { HoldAttempt, Transport } from './delivery/deliverer.js';
import type { Probe } from './delivery/probe.js';
import type { ReferenceData } from '../fixtures/reference-data.js';
import type { WorldVerdict } from '../contract/control/worlds.js';
import type { NewEvidence, Storage, StoredOverview, WorldFilter } from '../storage/storage.js';
import type { Retention } from '../world/retention.js';
import type { EventDispatcher } from '../exchange/event-dispatcher.js';

/** Limits of one world. If they are set, errors about limits reveal nothing about other worlds. */
export interface WorldLimits {
  readonly rows: number;
  /** Approximate number of bytes of all rows of the world as JSON. */
  readonly bytes: number;
  readonly subscriptions: number;
  /** Maximum number of requests that wait at one time for a change in the world. */
  readonly waits: number;
}

/** Options of a sandbox: its services, data, defaults and limits. */
export interface SandboxOptions {
  /** Returns real time in Unix milliseconds. */
  readonly realNow: () => number;
  readonly storage: Storage;
  /** Set if several nodes share the worlds. A node then loads a world at the first request to the world, and credentials are random. */
  readonly hosted?: {
    /** Returns up to `count` matching worlds whose names follow `after`, in the order of names. */
    overview(after: string, filter: WorldFilter, count: number): Promise<StoredOverview[]>;
    /** The evidence about clients, which is stored with the worlds. */
    readonly evidence: {
      /** Returns the worlds whose evidence has changed since the last call. */
      changed(): World[];
      stored(world: World): Promise<string>;
      /** Returns these worlds with the next changed ones, because their evidence could not be stored. */
      retry(worlds: readonly World[]): void;
    };
    /** Returns the verdict on the client of a world, which is stored with the evidence. */
    verdictOf(world: World): WorldVerdict;
    /** Stores the evidence of worlds. @param isFinal true if this node releases the worlds */
    storeEvidence(evidence: readonly NewEvidence[], isFinal: boolean): Promise<void>;
  };
  readonly transport: Transport;
  /** Holds each delivery attempt until the replay reaches its recorded time. Default: attempts are sent immediately. */
  readonly holdAttempt?: HoldAttempt | undefined;
  /** Whether due jobs of a world may run by themselves now, without an advance of its clock. Default: always. */
  readonly mayRunJobs?: ((world: World) => boolean) | undefined;
  /**
   * Returns the recorded world time of a commit or an advance of a request in a replay, in milliseconds since 1970; undefined for the present time. Default:
   * the present time.
   */
  readonly instantMs?: ((causeId: string, index: number) => number | undefined) | undefined;
  /** Holds a request that a rule or fault delays until the replay reaches the end of its delay. Default: requests wait in real time. */
  readonly holdCall?: ((causeId: string) => Promise<void>) | undefined;
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
  /** Maximum number of rows of all worlds. Requests that would exceed this maximum are rejected. */
  readonly maxRows: number;
  /** Maximum number of bytes of all rows as JSON (approximate). Default: no limit. */
  readonly maxBytes?: number;
  /** Limits of one world. Default: only the limits of all worlds together. */
  readonly worldLimits?: WorldLimits;
  /** Limits for past data, for example logs, that each world keeps. Default: `defaultRetention`. */
  readonly retention?: Retention;
  /** The versions of the public API, newest first. Default: the versions of the contract. */
  readonly versions?: readonly Version[];
  /** Receives all requests, attempts and changes of worlds. Default: none. */
  readonly dispatcher?: EventDispatcher;
  /** Returns the ports on which the sandbox listens. Webhooks to these ports are rejected unless they go to an inbox or listener. */
  readonly ownPorts: () => readonly number[];
  /** Called with warnings for the operator. */
  readonly warn?: (message: string) => void;
  /** Called on internal errors. */
  readonly onInternalError: (error: unknown, what: string) => void;
}

/** Returns the services that the worlds of a sandbox share. */
export function sharedServicesOf({ data, urlPolicy, scenarios, hosted }: SandboxOptions): SharedServices {
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
