import type { TraceContext } from '../domain/webhooks/trace-context.js';
import type { FaultRequest, Scenario, ScenarioStep } from '../contract/scenario/scenario.js';
import type { ResourceTrigger } from '../contract/shared/kinds.js';
import type { ScenarioSettings } from '../contract/scenario/settings.js';
import type { AttemptKind } from '../domain/webhooks/delivery.js';
import type { DeliveryEffect } from '../domain/webhooks/delivery-effect.js';

/** The owner of a world and its creation parameters. A reset keeps this row and recreates all others from it. */
export interface IdentityRecord {
  readonly id: 'identity';
  readonly name: string;
  readonly customerId: string;
  readonly companyId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly seed: string;
  /** True if the sandbox drew the seed, so that its random decisions could not be foreseen. */
  readonly isSeedDrawn?: true;
  /** Random id that differs from earlier worlds of the same name, whose access tokens are invalid. */
  readonly incarnation: string;
  readonly scenario: string;
  readonly fixtures: 'default' | 'empty';
  readonly clock: ClockSetting;
  /** Time to live after the last request, in milliseconds of real time; absent: unlimited. */
  readonly ttlMs?: number;
  /** Number of the newest id series. Each reset with fresh ids begins a new one; absent before the first. */
  readonly lastIdSeries?: number;
}

/** A requested clock, frozen or running from `now`. Default: real time. */
export interface ClockSetting {
  readonly mode: 'RUNNING' | 'FROZEN';
  readonly now?: string;
}

/** World time. RUNNING: real time plus an offset, but at least `seenMs` (Unix milliseconds). FROZEN: the fixed time `at`. */
export type ClockRecord =
  | { readonly id: 'clock'; readonly mode: 'RUNNING'; readonly offsetMs: number; readonly seenMs?: number }
  | { readonly id: 'clock'; readonly mode: 'FROZEN'; readonly at: string };

/** A scheduled action. Due jobs run in the order of `dueAt`, then `order`. */
export interface JobRecord {
  readonly id: string;
  readonly dueAt: string;
  readonly order: number;
  readonly verb: 'step' | 'retry' | 'release' | 'expire';
  /** Id of the plan to continue, the delivery to retry, the attempt to release, or the deposit to expire. */
  readonly subject: string;
  /** True if an advance until no timer is left runs this job after all others. */
  readonly whenIdle?: true;
}

/** The steps that a scenario scheduled for a resource when it was created. A plan is kept after its last step. */
export interface PlanRecord {
  readonly id: string;
  readonly on: ResourceTrigger;
  readonly scenario: string;
  readonly rule: string;
  readonly steps: readonly ScenarioStep[];
  /** Index of the next step; after the last step, the number of steps. */
  readonly next: number;
  /** Steps (numbered from 1) that were skipped, because the status of the resource did not allow them. */
  readonly skipped: readonly { readonly step: number; readonly at: string; readonly status: string }[];
  /** The limit that set the due time of the next step, as a sentence; absent without one. */
  readonly note?: string;
  /** Id of the job for the next step; null while the plan waits for a `resume` or `next`. */
  readonly jobId: string | null;
}

/** The trace context of the request that created a resource, by the id of the resource. */
export interface TraceRecord extends TraceContext {
  readonly id: string;
}

/** The scenario of a world, from a file or inline. */
export interface ScenarioRecord {
  readonly id: 'scenario';
  readonly name: string;
  readonly inline: Scenario | null;
  /** Time at which the scenario was set; the `ttl` of its rules starts then. */
  readonly since: string;
}

/** The settings of a world, as far as control requests have changed them. */
export interface SettingsRecord extends ScenarioSettings {
  readonly id: 'settings';
}

/** A rule of one world for requests or deliveries. */
export interface FaultRecord {
  readonly id: string;
  readonly seq: number;
  readonly request: FaultRequest;
  readonly createdAt: string;
}

/** The stored response to a request that took effect or was rejected by a rule. */
export interface IdempotencyRecord {
  readonly id: string;
  readonly fingerprint: string;
  readonly status: number;
  readonly body: string;
  readonly createdAt: string;
  /** The `Location` header; absent if the response had none. */
  readonly location?: string;
}

/** A pending attempt of a delivery. */
export interface OutboxRecord {
  readonly id: string;
  readonly messageId: string;
  readonly subscriptionId: string;
  readonly kind: AttemptKind;
  /** Order among the attempts of its subscription. */
  readonly order: number;
  /** The effect of rules and faults: null for none, absent before they are applied. */
  readonly effect?: DeliveryEffect | null;
  /** True while an effect delays the attempt; a job with this subject releases it. */
  readonly held?: true;
  /** Key of the attempt that ends the delay; absent if only a job ends it, or without a delay. */
  readonly awaits?: string;
  /** Id of the attempt whose end releases this one; absent before there is one. */
  readonly behind?: string;
  /** True if the attempt is sent at the same time as the next attempt of its subscription. */
  readonly beside?: true;
}

/** A named copy of a world. */
export interface SnapshotRecord {
  readonly id: string;
  readonly clock: { readonly mode: ClockRecord['mode']; readonly now: string };
  /** Number of parts; each is fast to write and read. */
  readonly parts: number;
}

/** Compressed rows of one table in a snapshot. Its `id` contains the id of the snapshot and the index of the part, from 0. */
export interface SnapshotPartRecord {
  readonly id: string;
  /** Name of the table. */
  readonly table: string;
  /** The rows: JSON array, deflated, base64. */
  readonly packed: string;
}

/** Returns the id of a part, by its index from 0. */
export const partId = (snapshot: string, index: number) => `${snapshot}/${index}`;
