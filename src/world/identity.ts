import { customAlphabet, nanoid } from 'nanoid';
import { deriveCode, deriveUuid } from './ids.js';
import type { ClockSetting, IdentityRecord } from './rows.js';

/** The world of the credentials that every sandbox has. */
export const defaultWorld = { name: 'default', clientId: 'sandbox', clientSecret: 'sandbox-secret' } as const;

/** What a new world may be asked to be. */
export interface WorldRequest {
  readonly name?: string | undefined;
  readonly seed?: string | undefined;
  readonly scenario?: string | undefined;
  readonly fixtures?: 'default' | 'empty' | undefined;
  readonly clock?: ClockSetting | undefined;
  readonly ttlMs?: number | undefined;
}

/** A name for a world that was asked for without one. */
export const randomWorldName = customAlphabet('abcdefghijklmnopqrstuvwxyz0123456789', 10);

/** Credentials that nobody can compute. */
export function randomCredentials(): Pick<IdentityRecord, 'clientId' | 'clientSecret'> {
  return { clientId: `client-${nanoid()}`, clientSecret: nanoid(40) };
}

/** Who a new world belongs to, and what it is created as. */
export function identityOf(request: WorldRequest & { name: string; seed: string; scenario: string }): IdentityRecord {
  const { name, seed, scenario } = request;
  const isDefault = name === defaultWorld.name;
  return {
    id: 'identity',
    name,
    customerId: deriveUuid(seed, name, 'customer'),
    companyId: deriveUuid(seed, name, 'company'),
    clientId: isDefault ? defaultWorld.clientId : `client-${name}`,
    clientSecret: isDefault ? defaultWorld.clientSecret : deriveCode(32, seed, name, 'clientSecret'),
    seed,
    incarnation: nanoid(),
    scenario,
    fixtures: request.fixtures ?? 'default',
    clock: request.clock ?? { mode: 'RUNNING' },
    ...(request.ttlMs === undefined ? {} : { ttlMs: request.ttlMs }),
  };
}
