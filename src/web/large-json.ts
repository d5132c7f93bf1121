import { Tokenizer, TokenParser, TokenType, type ParsedTokenInfo } from '@streamparser/json';
import { Pace } from '../world/turns.js';
import { JsonStructure } from './json-structure.js';

/** How much is read before it is looked whether others should have their turn, in bytes. */
const pieceBytes = 64 * 1024;

/**
 * Reads JSON of any size while it comes, a slice at a time, so that nothing else has to wait for it. What comes after something
 * that is wrong is passed over.
 * @returns its value, or why it is not acceptable
 */
export async function readLargeJson(chunks: AsyncIterable<Uint8Array>, maxKeys: number): Promise<{ value: unknown } | { why: string }> {
  const reader = new JsonReader(maxKeys);
  const pace = new Pace();
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length && reader.why === null; at += pieceBytes) {
      reader.add(chunk.subarray(at, at + pieceBytes));
      if (pace.step()) await pace.rest();
    }
  }
  return reader.end();
}

/** Puts a JSON value together piece by piece. */
class JsonReader {
  readonly #encoding = new TextDecoder('utf-8', { fatal: true });
  readonly #tokens = new Tokenizer();
  readonly #values = new TokenParser({ paths: ['$'] });
  readonly #structure: JsonStructure;
  /** The last token, which is a key when a colon follows. */
  #last: ParsedTokenInfo['value'] = null;
  #isEmpty = true;
  #value: unknown;
  #why: string | null = null;

  constructor(maxKeys: number) {
    this.#structure = new JsonStructure(maxKeys);
    this.#tokens.onToken = (token) => this.#take(token);
    this.#values.onValue = ({ value }) => (this.#value = value);
  }

  /** Why what has come is not acceptable; null while it may become so. */
  get why(): string | null {
    return this.#why;
  }

  add(bytes: Uint8Array): void {
    this.#try(() => {
      this.#checkEncoding(bytes);
      this.#tokens.write(bytes);
    });
  }

  /** The value, or why it is not acceptable, when all has come. */
  end(): { value: unknown } | { why: string } {
    this.#try(() => {
      this.#checkEncoding();
      this.#tokens.end();
      if (this.#isEmpty) throw new Error('it is empty');
      if (!this.#values.isEnded) throw new Error('it ends too early');
    });
    return this.#why === null ? { value: this.#value } : { why: this.#why };
  }

  /** Goes on as long as nothing is wrong. */
  #try(step: () => void): void {
    if (this.#why !== null) return;
    try {
      step();
    } catch (error) {
      this.#why = (error as Error).message.replace(/ in state .*/, '');
    }
  }

  #checkEncoding(bytes?: Uint8Array): void {
    try {
      this.#encoding.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw new Error('its bytes are not UTF-8');
    }
  }

  #take(token: ParsedTokenInfo): void {
    this.#isEmpty = false;
    const fault = this.#faultOf(token);
    if (fault !== null) throw new Error(fault);
    this.#values.write(token);
  }

  #faultOf({ token, value }: ParsedTokenInfo): string | null {
    const last = this.#last;
    this.#last = value;
    switch (token) {
      case TokenType.COLON:
        return this.#structure.key(String(last));
      case TokenType.LEFT_BRACE:
      case TokenType.LEFT_BRACKET:
        return this.#structure.enter();
      case TokenType.RIGHT_BRACE:
      case TokenType.RIGHT_BRACKET:
        this.#structure.leave();
        return null;
      default:
        return null;
    }
  }
}
