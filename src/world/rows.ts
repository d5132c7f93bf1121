import type { z } from '@hono/zod-openapi';
import type * as rows from './row-schemas.js';

/** A row of a world. Its schema describes its fields. */
type RowOf<S extends z.ZodType> = ReadonlyRow<z.output<S>>;
type ReadonlyRow<R> = R extends unknown ? { readonly [K in keyof R]: R[K] extends (infer E)[] ? readonly E[] : R[K] } : never;

export type IdentityRecord = RowOf<typeof rows.IdentityRowSchema>;
/** A requested clock, frozen or running from `now`. Default: real time. */
export type ClockSetting = Readonly<IdentityRecord['clock']>;
export type ClockRecord = RowOf<typeof rows.ClockRowSchema>;
export type JobRecord = RowOf<typeof rows.JobRowSchema>;
export type PlanRecord = RowOf<typeof rows.PlanRowSchema>;
export type TraceRecord = RowOf<typeof rows.TraceRowSchema>;
export type ScenarioRecord = RowOf<typeof rows.ScenarioRowSchema>;
export type SettingsRecord = RowOf<typeof rows.SettingsRowSchema>;
export type FaultRecord = RowOf<typeof rows.FaultRowSchema>;
export type IdempotencyRecord = RowOf<typeof rows.IdempotencyRowSchema>;
export type OutboxRecord = RowOf<typeof rows.OutboxRowSchema>;
export type SnapshotRecord = RowOf<typeof rows.SnapshotRowSchema>;
export type SnapshotPartRecord = RowOf<typeof rows.SnapshotPartRowSchema>;

/** Returns the id of a part, by its index from 0. */
export const partId = (snapshot: string, index: number) => `${snapshot}/${index}`;
