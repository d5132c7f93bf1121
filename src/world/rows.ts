import type { FaultRequest, Scenario, ScenarioStep } from '../contract/scenario/scenario.js';
import type { ResourceTrigger } from '../contract/shared/kinds.js';
import type { ScenarioSettings } from '../contract/scenario/settings.js';
import type { AttemptKind } from '../domain/webhooks/delivery.js';
import type { DeliveryEffect } from '../domain/webhooks/delivery-effect.js';

/** Who a world belongs to and what it was created as. A reset keeps this row and makes all others anew from it. */
export interface IdentityRecord {
  readonly id: 'identity';
  readonly name: string;
  readonly customerId: string;
  readonly companyId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly seed: string;
  /** Tells this world from an earlier one of the same name, whose tokens are void. */
  readonly incarnation: string;
  readonly scenario: string;
  readonly fixtures: 'default' | 'empty';
  readonly clock: ClockSetting;
  /** How long it outlives its last call, in milliseconds of real time; absent: for good. */
  readonly ttlMs?: number;
}

/** A clock as it is asked for: frozen at an instant or running from it; without an instant, from the real time. */
export interface ClockSetting {
  readonly mode: 'RUNNING' | 'FROZEN';
  readonly now?: string;
}

/** World time: real time plus an offset, not before the instant that was seen last (in milliseconds since 1970), or an instant at which it stands still. */
export type ClockRecord =
  | { readonly id: 'clock'; readonly mode: 'RUNNING'; readonly offsetMs: number; readonly seenMs?: number }
  | { readonly id: 'clock'; readonly mode: 'FROZEN'; readonly at: string };

/** Something that happens later. Due jobs run by due time, then order. */
export interface JobRecord {
  readonly id: string;
  readonly dueAt: string;
  readonly order: number;
  readonly verb: 'step' | 'retry' | 'release';
  /** The plan whose step is due, the delivery to try again, or the attempt to let go. */
  readonly subject: string;
}

/** The course that a scenario fixed for a resource when it was triggered. It stays when it has come to its end. */
export interface PlanRecord {
  readonly id: string;
  readonly on: ResourceTrigger;
  readonly scenario: string;
  readonly rule: string;
  readonly steps: readonly ScenarioStep[];
  /** Index of the step that comes next; the number of steps when none does. */
  readonly next: number;
  /** Steps (from 1) that were not legal when they came, in the status at that time. */
  readonly skipped: readonly { readonly step: number; readonly at: string; readonly status: string }[];
  /** The job that will take it; null while the plan waits for a `resume` or `next`. */
  readonly jobId: string | null;
}

/** The scenario of a world: one of the files, or one of its own. */
export interface ScenarioRecord {
  readonly id: 'scenario';
  readonly name: string;
  readonly inline: Scenario | null;
  /** When it was chosen; the `ttl` of its rules counts from here. */
  readonly since: string;
}

/** What control calls changed of a world's settings. */
export interface SettingsRecord extends ScenarioSettings {
  readonly id: 'settings';
}

/** A rule of this world alone, for requests or deliveries. */
export interface FaultRecord {
  readonly id: string;
  readonly seq: number;
  readonly request: FaultRequest;
  readonly createdAt: string;
}

/** The stored answer of a request that took effect or was refused by a rule. */
export interface IdempotencyRecord {
  readonly id: string;
  readonly fingerprint: string;
  readonly status: number;
  readonly body: string;
  readonly createdAt: string;
  /** The header of that name; absent if the answer had none. */
  readonly location?: string;
}

/** An attempt that is owed. */
export interface OutboxRecord {
  readonly id: string;
  readonly messageId: string;
  readonly subscriptionId: string;
  readonly kind: AttemptKind;
  /** Its place among the attempts of its subscription. */
  readonly order: number;
  /** What rules and faults do to it: null for nothing, absent while they have not been asked. */
  readonly effect?: DeliveryEffect | null;
  /** Whether an effect holds it back; the job of its name lets it go. */
  readonly held?: true;
  /** The attempt whose end lets go of this reordered one; absent until there is one. */
  readonly behind?: string;
}

/** A world as it was, under a name. */
export interface SnapshotRecord {
  readonly id: string;
  readonly clock: { readonly mode: ClockRecord['mode']; readonly now: string };
  /** How many parts its rows were divided into, so that none takes long to write or to read. */
  readonly parts: number;
}

/** Some of the rows of a snapshot; its `id` is that of the snapshot and its number, from 0. */
export interface SnapshotPartRecord {
  readonly id: string;
  /** The table's name. */
  readonly table: string;
  /** The rows as a JSON array, compressed, in base64. */
  readonly packed: string;
}

/** The id of a part of a snapshot, by its number, from 0. */
export const partId = (snapshot: string, index: number) => `${snapshot}/${index}`;
