import type { UrlPolicy } from '../contract/scenario/settings.js';
import type { Version } from '../contract/versions/version.js';
import { baseSettings, pricingOf, settingsInForce } from '../engine/settings-in-force.js';
import type { Surroundings } from '../world/view.js';
import type { JWK } from 'jose';
import type { ScenarioCatalogue } from '../scenario/catalogue.js';
import type { Transport } from './delivery/deliverer.js';
import type { Probe } from './delivery/probe.js';
import type { ReferenceData } from '../fixtures/reference-data.js';
import type { Storage } from '../storage/storage.js';
import type { IdentityRecord } from '../world/rows.js';
import type { Retention } from '../world/retention.js';
import type { Witness } from '../world/witness.js';

/** How much one world may take. With them nobody learns of another world. */
export interface WorldLimits {
  readonly rows: number;
  /** How many bytes its rows may take, about, as JSON. */
  readonly bytes: number;
  readonly subscriptions: number;
  /** How many calls may wait in it at a time. */
  readonly waits: number;
}

/** What a sandbox is made of. */
export interface SandboxOptions {
  /** Real time, in milliseconds since 1970. */
  readonly realNow: () => number;
  readonly storage: Storage;
  /** Tells of all worlds where several nodes share them: there none is held before it is called, and nobody can compute its credentials. */
  readonly hosted?: {
    /** @param after the name behind which the list begins, in the order of names */
    heads(after: string): AsyncIterable<IdentityRecord & { readonly rowCount: number }>;
    /** Answers a call of the control plane, by whichever node has its world. Its body comes beside it, so that it can be sent again. */
    readonly post: (request: Request, body: Buffer) => Promise<Response>;
  };
  readonly transport: Transport;
  /** Tries whether the transport would reach an endpoint. */
  readonly probe: Probe;
  readonly data: ReferenceData;
  readonly scenarios: ScenarioCatalogue;
  /** The private key that tokens are signed with, or that it will be there. */
  readonly tokenKey: JWK | Promise<JWK>;
  /** The seed of worlds that name none. */
  readonly seed: string;
  /** The scenario of worlds that name none. */
  readonly scenario: string;
  /** Which webhook URLs are allowed in worlds where nothing else is said. */
  readonly urlPolicy: UrlPolicy;
  /** How many worlds there can be at once. */
  readonly maxWorlds: number;
  /** How many rows all worlds may have together before calls that would add some are refused. */
  readonly maxRows: number;
  /** How many bytes the rows of all worlds may take together, about, as JSON; no bound if absent. */
  readonly maxBytes?: number;
  /** How much one world may take of what all share; as much as all unless told otherwise. */
  readonly worldLimits?: WorldLimits;
  /** How much of the past each world keeps; the default unless told otherwise. */
  readonly retention?: Retention;
  /** The versions of the public API, newest first. Default: those of the contract */
  readonly versions?: readonly Version[];
  /** Those who look on at all that happens; nobody unless told otherwise. */
  readonly witnesses?: readonly Witness[];
  /** The ports at which the sandbox listens; a webhook to one of them is refused, unless it is to an inbox. */
  readonly ownPorts: () => readonly number[];
  /** Told of what an operator should know. */
  readonly warn?: (message: string) => void;
  /** Told of faults of the program itself. */
  readonly onFault: (error: unknown, what: string) => void;
}

/** What the worlds of a sandbox have around them. */
export function surroundingsOf({ data, urlPolicy, scenarios, hosted }: SandboxOptions): Surroundings {
  const { documents, pricing } = data;
  const base = baseSettings(pricing, urlPolicy);
  // Partners change the settings of their worlds, in more ways than one, and none of these leads into the network of whoever hosts them.
  const held = hosted && urlPolicy === 'strict' ? { urlPolicy } : null;
  return {
    scenarios,
    documents,
    settings: (view) => (held ? { ...settingsInForce(view, base), ...held } : settingsInForce(view, base)),
    pricing: (view) => pricingOf(view.settings, pricing.usdValues),
  };
}
