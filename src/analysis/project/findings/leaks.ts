import type { RequestRecord } from '../../../exchange/exchange.js';
import { tokensIn } from '../../../exchange/tokens-in-text.js';
import { objectOf, textOf } from './call.js';
import type { WorldFacts } from './world-facts.js';

/** Minimum length of a secret to search for, in characters: a shorter one occurs in strings by accident. */
export const minSecret = 8;

type Claims = Readonly<Record<string, unknown>>;

function claimsOf(token: string): Claims {
  try {
    const value: unknown = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Claims) : {};
  } catch {
    return {};
  }
}

/** Returns the `incarnation` of each world whose access tokens a string contains. */
export function issuersIn(text: string): ReadonlySet<string> {
  const ids = tokensIn(text).map(({ start, end }) => String(claimsOf(text.slice(start, end))['jti']));
  return new Set(ids.filter((id) => id.includes('.')).map((id) => id.slice(0, id.lastIndexOf('.'))));
}

/** Returns the credential of a world that a string contains; null without one. */
function credentialIn(text: string, { clientSecret, incarnation }: Pick<WorldFacts, 'clientSecret' | 'incarnation'>): Leak['what'] | null {
  if (clientSecret.length >= minSecret && text.includes(clientSecret)) return 'the client secret';
  return issuersIn(text).has(incarnation) ? 'an access token' : null;
}

/** Returns the value of a header, with Basic credentials decoded. */
export function openedBasic(value: string): string {
  const basic = /^basic +(\S+)$/i.exec(value)?.[1];
  return basic === undefined ? value : Buffer.from(basic, 'base64').toString();
}

/** Decodes the percent escapes of a string; returns it unchanged if they are invalid. */
export function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A credential of a world in a request, outside of the Authorization header and the token request. */
export interface Leak {
  readonly what: 'the client secret' | 'an access token';
  readonly place: 'URL' | 'SUBSCRIPTION_URL' | 'HEADER' | 'BODY';
  readonly header?: string;
}

/** Returns the credentials of a world that a request contains in its URL, headers or body, where they do not belong. */
export function credentialsOutside(record: RequestRecord, world: Pick<WorldFacts, 'clientSecret' | 'incarnation'>): Leak[] {
  const { target, operationId, body, rawHeaders } = record;
  const { clientSecret } = world;
  const leaks: Leak[] = [];
  const url = decoded(target);
  const inTarget = credentialIn(url, world);
  if (inTarget !== null) leaks.push({ what: inTarget, place: 'URL' });
  const hook = operationId === 'createSubscription' ? textOf(objectOf(body?.value)['url']) : undefined;
  const inHook = hook === undefined ? null : credentialIn(decoded(hook), world);
  if (inHook !== null) leaks.push({ what: inHook, place: 'SUBSCRIPTION_URL' });
  if (operationId === 'createToken' || clientSecret.length < minSecret || url.includes(clientSecret)) return leaks;
  const what = 'the client secret';
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (openedBasic(rawHeaders[index + 1]!).includes(clientSecret))
      return [...leaks, { what, place: 'HEADER', header: rawHeaders[index]! }];
  // Another leak reports the URL of a subscription.
  const text = hook === undefined ? body?.text : JSON.stringify({ ...objectOf(body?.value), url: '' });
  return text?.includes(clientSecret) ? [...leaks, { what, place: 'BODY' }] : leaks;
}

/** Names of parameters that carry secrets. */
export const secretNames: ReadonlySet<string> = new Set(['access_token', 'token', 'client_secret', 'secret', 'password', 'key', 'sig']);
