import { startOf } from '../contract/shared/messages/cut.js';
import { credentialHash } from './credential-hash.js';
import { tokensIn } from './tokens-in-text.js';
import { decodedOf, decodedTexts, hasEscapes } from './decoded-text.js';
import type { KnownSecrets } from './known-secrets.js';

/** The string that replaces a secret. */
const hidden = '[secret]';

const tokenMark = (text: string) => `[token:${credentialHash(text)}]`;

/** Names of JSON members whose values are secret, in lower case without hyphens and underscores. */
const secretMembers: ReadonlySet<string> = new Set([
  'secret',
  'clientsecret',
  'accesstoken',
  'refreshtoken',
  'idtoken',
  'controltoken',
  'token',
  'password',
  'apikey',
]);
/** Names of parameters of URLs and forms whose values are secret. */
const secretParameters: ReadonlySet<string> = new Set([...secretMembers, 'key', 'sig', 'signature']);

/** Maximum length of a secret name of which every character is escaped, in characters. */
const maxName = 120;
/** Maximum length of a secret name without escapes, in characters. */
const maxPlainName = 20;

/** Every name of a secret parameter contains one of these words. Most strings contain none. */
const secretName = /secret|token|password|key|sig/i;
/** Every name of a secret JSON member contains one of these words. */
const secretMemberName = /secret|token|password|api[-_]?key/i;

const secretHeader = /key|token|secret|cookie|password/;
const openHeaders: ReadonlySet<string> = new Set(['x-idempotency-key', 'sec-websocket-key', 'x-message-signature', 'webhook-signature']);
const schemes = /^(bearer|basic|digest|token|apikey|negotiate)$/i;

/** Number of characters to examine after the shown part: more than the length of any escaped secret. */
const lookAhead = 4 * 1024;

/** A secret in a string, and its replacement. */
interface Secret {
  readonly start: number;
  readonly end: number;
  readonly shown: string;
}

type Add = (start: number, end: number, shown: string) => void;

/**
 * Removes secrets from strings that are stored, logged or shown: known secrets, and others by their names and forms, both plain and with
 * escapes. Takes linear time.
 */
export class Redactor {
  readonly #known: KnownSecrets;
  /** The headers of the last request, with their redacted lines. */
  #last: { readonly raw: readonly string[]; readonly lines: readonly string[]; readonly block: string } = { raw: [], lines: [], block: '' };

  constructor(known: KnownSecrets) {
    this.#known = known;
  }

  /**
   * Returns a string without secrets, for example a body, a URL or a name.
   * @param limit maximum number of characters to show. Secrets are searched before the cut, so that no part of one remains
   * @param wasCut true if the string was already cut, perhaps in a secret
   */
  text(given: string, limit = Infinity, wasCut = false): string {
    const text = given.length > limit + lookAhead ? given.slice(0, limit + lookAhead) : given;
    const secrets = this.#secretsIn(text, wasCut || text.length < given.length);
    if (secrets.length === 0) return startOf(text, limit);
    let [shown, at] = ['', 0];
    for (const each of secrets) {
      if (each.start >= limit) break;
      shown += text.slice(at, each.start) + each.shown;
      at = each.end;
    }
    return at < limit ? shown + startOf(text.slice(at), limit - at) : shown;
  }

  /** Returns a value as JSON, without secrets in its strings. */
  json(value: unknown): string {
    return JSON.stringify(value, (name, each: unknown) => {
      if (typeof each !== 'string') return each;
      return isSecretName(name, secretMembers) ? hidden : this.text(each);
    });
  }

  /**
   * Returns an error for the log, without secrets in its strings, also in its causes and in lists and plain objects of its fields; other
   * values unchanged.
   * @param levels maximum number of causes, lists and objects inside each other; deeper ones are left out
   */
  error(error: unknown, levels = 5): unknown {
    if (typeof error === 'string') return this.text(error);
    if (typeof error !== 'object' || error === null) return error;
    const kind = Object.getPrototypeOf(error) as object | null;
    if (!(error instanceof Error) && !Array.isArray(error) && kind !== Object.prototype) return error;
    if (levels < 0) return undefined;
    if (Array.isArray(error)) return error.map((each) => this.error(each, levels - 1));
    const shown = Object.create(kind) as object;
    for (const name of Object.getOwnPropertyNames(error)) {
      const value = isSecretName(name, secretMembers) ? hidden : this.error(error[name as keyof typeof error], levels - 1);
      Object.defineProperty(shown, name, { value, enumerable: Object.prototype.propertyIsEnumerable.call(error, name) });
    }
    return shown;
  }

  /** Returns headers without secrets, one in each line, with lower-case names. Reuses known lines, because most requests repeat headers. */
  headers(raw: readonly string[]): string {
    const before = this.#last;
    let isSame = raw.length === before.raw.length;
    const lines: string[] = [];
    for (let index = 0; index < raw.length; index += 2) {
      const isKnown = raw[index] === before.raw[index] && raw[index + 1] === before.raw[index + 1];
      isSame &&= isKnown;
      lines.push(isKnown ? before.lines[index / 2]! : this.#header(raw[index]!, raw[index + 1]!));
    }
    if (!isSame) this.#last = { raw, lines, block: lines.join('') };
    return this.#last.block;
  }

  #header(given: string, value: string): string {
    const { name, kind } = headerWithKind(given);
    const shown = this.#secretsIn(given, false).length > 0 ? hidden : name;
    if (kind === 'CREDENTIALS') return `${shown}: ${credentialsMark(value)}\n`;
    return `${shown}: ${kind === 'SECRET' ? hidden : this.text(value)}\n`;
  }

  /** Returns the secrets in a string in order, without overlaps. @param isCut true if the end of the string is missing */
  #secretsIn(text: string, isCut: boolean): Secret[] {
    const found: Secret[] = [];
    this.#look(text, isCut, (start, end, shown) => found.push({ start, end, shown }));
    if (hasEscapes(text)) {
      for (const { text: decoded, places } of decodedTexts(text)) {
        this.#look(decoded, isCut, (start, end, shown) => found.push({ start: places[start]!, end: places[end]!, shown }));
      }
    }
    return found.length < 2 ? found : merged(found);
  }

  #look(text: string, isCut: boolean, add: Add): void {
    this.#known.find(text, isCut, (start, end) => add(start, end, hidden));
    if (text.includes('yJ')) for (const { start, end } of tokensIn(text, isCut)) add(start, end, tokenMark(text.slice(start, end)));
    addUserinfo(text, isCut, add);
    const isEscaped = hasEscapes(text);
    if (isEscaped || secretMemberName.test(text)) addMembers(text, add);
    if (isEscaped || secretName.test(text)) addParameters(text, add);
  }
}

/** Joins secrets that overlap. */
function merged(found: Secret[]): Secret[] {
  const all: Secret[] = [];
  let last: Secret | undefined;
  for (const each of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (!last || each.start >= last.end) all.push((last = each));
    else if (each.end > last.end || (each.start === last.start && each.end === last.end && each.shown !== last.shown))
      all[all.length - 1] = last = { start: last.start, end: each.end, shown: hidden };
  }
  return all;
}

function isSecretName(name: string, names: ReadonlySet<string>): boolean {
  const plain = hasEscapes(name) ? decodedOf(name) : name;
  if (plain.length > maxPlainName) return false;
  // Most names fail this check. To normalise every name would take more time than the rest of the search.
  if (!secretName.test(plain) && !plain.includes('-') && !plain.includes('_')) return false;
  return names.has(plain) || names.has(plain.replaceAll(/[-_]/g, '').toLowerCase());
}

const isSpace = (character: string | undefined) => character === ' ' || character === '\n' || character === '\r' || character === '\t';

/** Returns the position of the first character that is not white space. */
function afterSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text[at])) at += 1;
  return at;
}

/** Adds the values of JSON members with secret names. The string may be cut in such a value. */
function addMembers(text: string, add: Add): void {
  for (let start = text.indexOf('"'); start >= 0;) {
    const end = text.indexOf('"', start + 1);
    if (end < 0) return;
    let at = end;
    if (end - start <= maxName && isSecretName(text.slice(start + 1, end), secretMembers)) {
      const colon = afterSpace(text, end + 1);
      at = text[colon] === ':' ? addValue(text, afterSpace(text, colon + 1), add) : colon;
    }
    start = text.indexOf('"', at);
  }
}

/** Adds a JSON value that is not an object or list. @returns the position after the value */
function addValue(text: string, start: number, add: Add): number {
  let end = start;
  if (text[start] === '"') {
    end += 1;
    while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
    end = Math.min(end, text.length);
    add(start + 1, end, hidden);
    return end + 1;
  }
  while (end < text.length && !isSpace(text[end]) && !',"}]{['.includes(text[end]!)) end += 1;
  if (end > start) add(start, end, `"${hidden}"`);
  return end;
}

/** True for a character of the name of a parameter, with or without escapes. */
function isNameCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95 || code === 45 || code === 37
  );
}

/** Characters that can precede the name of a parameter. */
const beforeName = '?&\'";';
/** Characters that end the value of a parameter. */
const afterValue = '&"\'<>#\\';

/** Adds the values of parameters with secret names in URLs and forms. */
function addParameters(text: string, add: Add): void {
  for (let equals = text.indexOf('='); equals >= 0;) {
    let start = equals;
    while (start > 0 && equals - start <= maxName && isNameCharacter(text.charCodeAt(start - 1))) start -= 1;
    let end = equals + 1;
    const isName = start === 0 || isSpace(text[start - 1]) || beforeName.includes(text[start - 1]!);
    if (isName && isSecretName(text.slice(start, equals), secretParameters)) {
      while (end < text.length && !isSpace(text[end]) && !afterValue.includes(text[end]!)) end += 1;
      if (end > equals + 1) add(equals + 1, end, hidden);
    }
    equals = text.indexOf('=', end);
  }
}

/** Adds the user and the password of URLs. */
function addUserinfo(text: string, isCut: boolean, add: Add): void {
  for (let scheme = text.indexOf('://'); scheme >= 0;) {
    const start = scheme + 3;
    let [at, end] = [-1, start];
    for (; end < text.length && !isSpace(text[end]) && !'/?#"\\'.includes(text[end]!); end += 1) if (text[end] === '@') at = end;
    if (at >= 0) add(start, at, hidden);
    else if (isCut && end === text.length) add(start, end, hidden);
    scheme = text.indexOf('://', end);
  }
}

/** The lower-case name of a header, and the kind of its value: shown, secret, or credentials with a scheme. */
interface Header {
  readonly name: string;
  readonly kind: 'OPEN' | 'SECRET' | 'CREDENTIALS';
}

/** Headers by their names as received. */
const headers = new Map<string, Header>();
const maxHeaders = 1000;

function headerWithKind(given: string): Header {
  let header = headers.get(given);
  if (!header) {
    const name = given.toLowerCase();
    const isSecret = secretHeader.test(name) && !openHeaders.has(name);
    header = { name, kind: /^(proxy-)?authorization$/.test(name) ? 'CREDENTIALS' : isSecret ? 'SECRET' : 'OPEN' };
    if (headers.size >= maxHeaders) headers.clear();
    headers.set(given, header);
  }
  return header;
}

function credentialsMark(value: string): string {
  const at = value.indexOf(' ');
  const scheme = value.slice(0, at);
  return at >= 0 && schemes.test(scheme) ? `${scheme} ${tokenMark(value.slice(at + 1).trim())}` : tokenMark(value.trim());
}
