import { tokensIn } from '../../../tokens-in-text.js';
import type { WorldFacts } from '../../rule.js';

/** A secret that is shorter stands in texts by accident. */
export const minSecret = 8;

type Claims = Readonly<Record<string, unknown>>;

/** What a text of JWT form says of itself; nothing when there is none. */
export function claimsIn(text: string): Claims {
  const [token] = tokensIn(text);
  return token ? claimsOf(text.slice(token.start, token.end)) : {};
}

function claimsOf(token: string): Claims {
  try {
    const value: unknown = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Claims) : {};
  } catch {
    return {};
  }
}

/** Which of a world's credentials a text has in it; null when none. */
export function credentialIn(text: string, { clientSecret, incarnation }: Pick<WorldFacts, 'clientSecret' | 'incarnation'>): string | null {
  if (clientSecret.length >= minSecret && text.includes(clientSecret)) return 'the client secret';
  const isOurs = (token: string) => String(claimsOf(token)['jti']).startsWith(`${incarnation}.`);
  return tokensIn(text).some(({ start, end }) => isOurs(text.slice(start, end))) ? 'an access token' : null;
}

/** The value of a header as its reader takes it: what Basic credentials are. */
export function openedBasic(value: string): string {
  const basic = /^basic +(\S+)$/i.exec(value)?.[1];
  return basic === undefined ? value : Buffer.from(basic, 'base64').toString();
}

/** A text with its percent signs resolved, as far as they can be. */
export function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Names of parameters that are there for secrets. */
export const secretNames: ReadonlySet<string> = new Set(['access_token', 'token', 'client_secret', 'secret', 'password', 'key', 'sig']);
