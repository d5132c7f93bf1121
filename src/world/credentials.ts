import { nanoid } from 'nanoid';
import type { IdentityRecord } from './rows.js';

/** The credentials of a world: the present client secret, or the one before the last rotation while it is still valid. */
export interface WorldCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** First part of the ids of the access tokens that were issued with this secret. */
  readonly incarnation: string;
}

/** Returns the valid credentials of a world, the present ones first. @param realMs real time in Unix milliseconds */
export function validCredentials({ clientId, clientSecret, incarnation, former }: IdentityRecord, realMs: number): WorldCredentials[] {
  const present = { clientId, clientSecret, incarnation };
  return former && realMs < former.untilMs ? [present, { ...former, clientId }] : [present];
}

/**
 * Returns the credentials that sign webhooks: after a rotation the former ones while they are valid, because a receiver cannot know the
 * new secret before the rotation.
 * @param realMs real time in Unix milliseconds
 */
export function signingCredentials(identity: IdentityRecord, realMs: number): WorldCredentials {
  return validCredentials(identity, realMs).at(-1)!;
}

/**
 * Returns the identity of a world with a new client secret, which ends an earlier rotation's former secret.
 * @param untilMs end of the present secret, real time in Unix milliseconds; null: now
 */
export function withNewSecret({ former: _former, ...identity }: IdentityRecord, untilMs: number | null): IdentityRecord {
  const { clientSecret, incarnation } = identity;
  return {
    ...identity,
    clientSecret: nanoid(40),
    incarnation: nanoid(),
    ...(untilMs === null ? {} : { former: { clientSecret, incarnation, untilMs } }),
  };
}
