import { credentialHash } from '../../web/bearer.js';

/** What stands in the place of a secret. */
const hidden = '[secret]';

const tokenMark = (text: string) => `[token:${credentialHash(text)}]`;

/** Anything of the form of a JWT. */
const jwt = /eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*)?/g;

/** Members of JSON whose values are secret by their names, whatever the value is; the text may be cut in it. */
const secretMember =
  /"((?:client[_-]?)?secret|(?:access|refresh|id|control)[_-]?token|token|password|api[_-]?key)"(\s*:\s*)(?:"(?:[^"\\]|\\.)*"?|[^\s,"}\]]+)/gi;

/** Parameters that are secret by their names, in URLs and forms. */
const secretParameter = /(^|[?&\s"'])((?:access_?token|token|client_?secret|secret|password|(?:api_?)?key|sig|signature)=)[^&\s"'<>#\\]+/gi;
const secretParameterName = /^(access_?token|token|client_?secret|secret|password|(api_?)?key|sig|signature)$/i;

/** A part of each of these names: most texts have none, which is soon seen. */
const secretName = /secret|token|password|key|sig/i;

/** Who a URL says it is asked by. */
const userinfo = /(:(?:\\?\/){2})[^/\s"\\@?#]*@/g;

const secretHeader = /key|token|secret|cookie|password/;
const openHeaders: ReadonlySet<string> = new Set(['x-idempotency-key', 'sec-websocket-key', 'x-message-signature', 'webhook-signature']);
const schemes = /^(bearer|basic|digest|token|apikey|negotiate)$/i;

/** A client whose secret must not be kept. */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** How a secret may be written; as `whsec_` has it, too. */
function spellings(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '');
  return [...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), base64])];
}

/** Letters as JSON may escape them. */
const escapedLetter = /\\u00([2-7][0-9a-f])/gi;
const openedLetter = (text: string, code: string) => {
  const letter = String.fromCharCode(Number.parseInt(code, 16));
  return letter === '"' || letter === '\\' || letter === '\x7f' ? text : letter;
};

/** How HTTP's Basic scheme writes credentials, whatever follows them. */
function basicSpelling({ clientId, clientSecret }: Credentials): string {
  const bytes = Buffer.from(`${clientId}:${clientSecret}`);
  return bytes.subarray(0, bytes.length - (bytes.length % 3)).toString('base64');
}

/** How the secrets of clients may be written. A call that came to no world is looked through for those of all. */
const spellingsOfClients = new WeakMap<Credentials, readonly string[]>();

function spellingsOf(client: Credentials): readonly string[] {
  let all = spellingsOfClients.get(client);
  if (!all) spellingsOfClients.set(client, (all = [basicSpelling(client), ...spellings(client.clientSecret)]));
  return all;
}

/** Takes secrets out of what is written down: known ones wherever they stand, others by their names and forms. */
export class Redactor {
  readonly #known: readonly string[];
  /** The headers that were met last, and what was made of them. */
  #last: { readonly raw: readonly string[]; readonly lines: readonly string[]; readonly block: string } = { raw: [], lines: [], block: '' };

  /** @param others secrets besides those of clients, as they are */
  constructor(clients: Iterable<Credentials>, others: readonly string[]) {
    const known: string[] = [];
    for (const client of clients) known.push(...spellingsOf(client));
    for (const other of others) known.push(...spellings(other));
    this.#known = known;
  }

  /** Any text: a body, a block of headers, a URL. */
  text(given: string): string {
    const text = this.plainText(given);
    const hasParameter = text.includes('=');
    if (!(hasParameter || text.includes('"')) || !secretName.test(text)) return text;
    const shown = text.replace(secretMember, `"$1"$2"${hidden}"`);
    return hasParameter ? shown.replace(secretParameter, `$1$2${hidden}`) : shown;
  }

  /** A text that names no secret but in URLs. */
  plainText(given: string): string {
    let text = given;
    if (text.includes('\\u00')) {
      const opened = text.replace(escapedLetter, openedLetter);
      if (this.#known.some((secret) => opened.includes(secret))) text = opened;
    }
    for (const secret of this.#known) if (text.includes(secret)) text = text.replaceAll(secret, hidden);
    if (text.includes('yJ')) text = text.replace(jwt, tokenMark);
    if (text.includes('@')) text = text.replace(userinfo, `$1${hidden}@`);
    if (text.includes('?')) text = text.replace(secretParameter, `$1$2${hidden}`);
    return text;
  }

  /** Path and query. A value may be escaped beyond recognition, so that it is looked at as its reader does. */
  target(given: string): string {
    const at = given.indexOf('?');
    if (at < 0) return this.plainText(given);
    const pairs = given.slice(at + 1).split('&');
    const shown = pairs.map((pair) => {
      const [name, value] = split(pair, '=');
      if (value === undefined || value === '') return pair;
      const plain = unescaped(value);
      return secretParameterName.test(unescaped(name)) || this.text(plain) !== plain ? `${name}=${hidden}` : pair;
    });
    return this.text(`${given.slice(0, at)}?${shown.join('&')}`);
  }

  /** Headers as they came, one a line, with their names in lower case. Most calls bring those of the one before, but for one or two. */
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
    const { name, kind } = headerOf(given);
    if (kind === 'CREDENTIALS') return `${name}: ${credentialsMark(value)}\n`;
    return this.text(`${name}: ${kind === 'SECRET' ? hidden : value}\n`);
  }
}

/** A header by its name in lower case, and what of it may be shown. */
interface Header {
  readonly name: string;
  readonly kind: 'OPEN' | 'SECRET' | 'CREDENTIALS';
}

/** Headers by their names as they came. */
const headers = new Map<string, Header>();
const maxHeaders = 1000;

function headerOf(given: string): Header {
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
  const [scheme, rest] = split(value, ' ');
  return rest !== undefined && schemes.test(scheme) ? `${scheme} ${tokenMark(rest.trim())}` : tokenMark(value.trim());
}

/** The parts before and behind the first mark. */
function split(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** A part of a query as its reader takes it, or as it is. */
function unescaped(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return part;
  }
}
