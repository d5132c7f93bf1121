/** A client whose secret must not be stored. */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Called with the start and the end of a secret in a string. */
export type Report = (start: number, end: number) => void;

/** Known secrets, which can be found in a string. */
export interface KnownSecrets {
  /** @param isCut true if the string was cut at its end, perhaps in a secret */
  find(text: string, isCut: boolean, report: Report): void;
}

/** Minimum number of first characters by which a cut secret is recognised. */
const minBeginning = 4;

/** Returns bytes in base64 without padding, in both alphabets. */
function base64Of(bytes: Buffer): string[] {
  const text = bytes.toString('base64').replaceAll('=', '');
  return [text, text.replaceAll('+', '-').replaceAll('/', '_')];
}

/** Returns the spellings of a secret without escapes: plain, with + for spaces, and in base64 as after `whsec_`. */
function spellingsOf(secret: string): string[] {
  return [secret, secret.replaceAll(' ', '+'), ...base64Of(Buffer.from(secret))];
}

/**
 * Returns credentials in base64, as in the Basic scheme of HTTP: whole, and without the last characters, which depend on the bytes after
 * them.
 */
function basicSpellings({ clientId, clientSecret }: Credentials): string[] {
  const bytes = Buffer.from(`${clientId}:${clientSecret}`);
  return [...base64Of(bytes), ...base64Of(bytes.subarray(0, bytes.length - (bytes.length % 3)))];
}

/** Returns all spellings of the credentials of a client. */
function spellingsOfClient(client: Credentials): string[] {
  if (client.clientSecret === '') return [];
  return [...new Set([...basicSpellings(client), ...spellingsOf(client.clientSecret)])];
}

function findSpelling(spelling: string, text: string, report: Report): void {
  for (let at = text.indexOf(spelling); at >= 0; at = text.indexOf(spelling, at + spelling.length)) report(at, at + spelling.length);
}

/** The secrets of one world. */
export class FewSecrets implements KnownSecrets {
  readonly #others: readonly string[];
  #spellings: readonly string[] = [];

  /** @param others secrets that belong to no client */
  constructor(clients: readonly Credentials[], others: readonly string[]) {
    this.#others = others;
    this.replace(clients);
  }

  replace(clients: readonly Credentials[]): void {
    this.#spellings = [...new Set([...clients.flatMap(spellingsOfClient), ...this.#others.flatMap(spellingsOf)])];
  }

  find(text: string, isCut: boolean, report: Report): void {
    for (const spelling of this.#spellings) {
      findSpelling(spelling, text, report);
      if (!isCut) continue;
      let length = Math.min(spelling.length - 1, text.length);
      while (length >= minBeginning && !text.endsWith(spelling.slice(0, length))) length -= 1;
      if (length >= minBeginning) report(text.length - length, text.length);
    }
  }
}

/** Number of last characters by which a secret is looked up, because credentials in base64 have similar first characters. */
const endLength = 8;

/** Number of hashes of three characters. */
const hashes = 0x10000;
const hashOf = (first: number, second: number, third: number) => (first * 961 + second * 31 + third) % hashes;

function hashAtEnd(text: string): number {
  const { length } = text;
  return hashOf(text.charCodeAt(length - 3), text.charCodeAt(length - 2), text.charCodeAt(length - 1));
}

/**
 * The secrets of all worlds, to search unattributed requests. The search takes linear time, regardless of the number of worlds. The search
 * does not find cut secrets: unattributed requests are searched before they are cut.
 */
export class AllSecrets implements KnownSecrets {
  /** Spellings by their last characters. */
  readonly #byEnd = new Map<string, string[]>();
  /**
   * Number of spellings for each hash of three last characters. Most positions of a string have a hash without spellings, so the search
   * skips them.
   */
  readonly #counts = new Uint32Array(hashes);
  /**
   * Spellings that are too short for a lookup by their last characters, each as often as it was added. Only hand-edited files have such
   * secrets.
   */
  readonly #short: string[] = [];

  /** @param others secrets that belong to no client */
  constructor(others: readonly string[]) {
    for (const spelling of others.flatMap(spellingsOf)) this.#add(spelling);
  }

  add(client: Credentials): void {
    for (const spelling of spellingsOfClient(client)) this.#add(spelling);
  }

  remove(client: Credentials): void {
    for (const spelling of spellingsOfClient(client)) this.#remove(spelling);
  }

  find(text: string, _isCut: boolean, report: Report): void {
    for (const spelling of this.#short) findSpelling(spelling, text, report);
    let [first, second] = [text.charCodeAt(endLength - 3), text.charCodeAt(endLength - 2)];
    for (let end = endLength; end <= text.length; end += 1) {
      const third = text.charCodeAt(end - 1);
      const isPossible = this.#counts[hashOf(first, second, third)]! > 0;
      first = second;
      second = third;
      if (!isPossible) continue;
      for (const spelling of this.#byEnd.get(text.slice(end - endLength, end)) ?? []) {
        const start = end - spelling.length;
        if (start >= 0 && text.startsWith(spelling, start)) report(start, end);
      }
    }
  }

  #add(spelling: string): void {
    if (spelling.length < endLength) {
      if (spelling !== '') this.#short.push(spelling);
      return;
    }
    const end = spelling.slice(-endLength);
    const alike = this.#byEnd.get(end);
    if (alike) alike.push(spelling);
    else this.#byEnd.set(end, [spelling]);
    this.#counts[hashAtEnd(spelling)]! += 1;
  }

  #remove(spelling: string): void {
    const end = spelling.slice(-endLength);
    const alike = spelling.length < endLength ? this.#short : this.#byEnd.get(end);
    const at = alike?.indexOf(spelling) ?? -1;
    if (!alike || at < 0) return;
    alike.splice(at, 1);
    if (spelling.length < endLength) return;
    if (alike.length === 0) this.#byEnd.delete(end);
    this.#counts[hashAtEnd(spelling)]! -= 1;
  }
}
