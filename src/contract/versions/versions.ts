import { type SentEventType, isDefinedEvent } from '../shared/event-types.js';
import { version1 } from './v1/version.js';
import type { Version } from './version.js';

/** All versions, newest first. */
export const versions: readonly Version[] = [version1];

/** The version of subscriptions that do not have one. */
export const firstVersion = '1';

/** Returns the version with a name. @throws Error if the version does not exist */
export function versionNamed(known: readonly Version[], name: string): Version {
  const version = known.find((each) => each.name === name);
  if (!version) throw new Error(`There is no API version "${name}". Versions: ${known.map((each) => each.name).join(', ')}.`);
  return version;
}

/** Returns the version in a header; the default one if the header is missing, empty or unknown. */
export function resolveVersion(header: string | undefined, known: readonly Version[], defaultVersion: Version): Version {
  return known.find((each) => each.name === header?.trim()) ?? defaultVersion;
}

/** Returns the JSON of a webhook in the wording of its subscription's version. Bodies of undefined event types stay unchanged. @param payload the JSON in the newest wording */
export function eventIn(known: readonly Version[], versionName: string | undefined, eventType: SentEventType, payload: string): string {
  const { eventOut } = known.find(({ name }) => name === (versionName ?? firstVersion)) ?? {};
  return eventOut && isDefinedEvent(eventType) ? JSON.stringify(eventOut(eventType, JSON.parse(payload))) : payload;
}
