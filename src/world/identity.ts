import { customAlphabet, nanoid } from 'nanoid';
import { deriveCode, deriveUuid } from './ids.js';
import type { ClockSetting, IdentityRecord } from './rows.js';

/** Name and credentials of the default world, identical in every sandbox. */
export const defaultWorld = { name: 'default', clientId: 'sandbox', clientSecret: 'sandbox-secret' } as const;

export interface WorldRequest {
  readonly name?: string | undefined;
  readonly seed?: string | undefined;
  readonly scenario?: string | undefined;
  readonly fixtures?: 'default' | 'empty' | undefined;
  readonly clock?: ClockSetting | undefined;
  readonly ttlMs?: number | undefined;
}

/** The value of `seed` in a request for a random seed. */
const drawnSeed = 'random';

/** Returns a random name for a world that is created without a name. */
export const randomWorldName = customAlphabet('abcdefghijklmnopqrstuvwxyz0123456789', 10);

/** Returns random credentials, which clients cannot derive from the name of the world. */
export function randomCredentials(): Pick<IdentityRecord, 'clientId' | 'clientSecret'> {
  return { clientId: `client-${nanoid()}`, clientSecret: nanoid(40) };
}

/** Returns the owner and parameters of a new world. */
export function identityOf(request: WorldRequest & { name: string; seed: string; scenario: string }): IdentityRecord {
  const { name, scenario } = request;
  const isDrawn = request.seed === drawnSeed;
  const seed = isDrawn ? nanoid() : request.seed;
  const isDefault = name === defaultWorld.name;
  return {
    id: 'identity',
    name,
    customerId: deriveUuid(seed, name, 'customer'),
    companyId: deriveUuid(seed, name, 'company'),
    clientId: isDefault ? defaultWorld.clientId : `client-${name}`,
    clientSecret: isDefault ? defaultWorld.clientSecret : deriveCode(32, seed, name, 'clientSecret'),
    seed,
    ...(isDrawn ? { isSeedDrawn: true } : {}),
    incarnation: nanoid(),
    scenario,
    fixtures: request.fixtures ?? 'default',
    clock: request.clock ?? { mode: 'RUNNING' },
    ...(request.ttlMs === undefined ? {} : { ttlMs: request.ttlMs }),
  };
}
