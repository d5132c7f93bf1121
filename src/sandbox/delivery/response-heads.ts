import type { Socket } from 'node:net';

/** Maximum length of the status line and headers to examine, in bytes. The client rejects longer ones. */
const maxHeadBytes = 16 * 1024;

/** Maximum number of interim responses (1xx): an endless series would keep the process busy until the deadline. */
const maxInterim = 32;

const start = Buffer.from('HTTP/1.');
const nothing = Buffer.alloc(0);

/** True if bytes can be the beginning of an HTTP/1 response. */
const isHttp = (bytes: Buffer) => bytes.subarray(0, start.length).equals(start.subarray(0, bytes.length));

/** Returns the position after the blank line that ends the headers; -1 without one. @param from where to search for its first line end */
function endOfHead(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf('\n', from); at >= 0; at = bytes.indexOf('\n', at + 1)) {
    if (bytes[at + 1] === 0x0a) return at + 2;
    if (bytes[at + 1] === 0x0d && bytes[at + 2] === 0x0a) return at + 3;
  }
  return -1;
}

/** Returns headers with one Content-Length instead of several equal ones. */
function withOneLength(head: string): string {
  const name = 'content-length:';
  const lines = head.split('\n');
  const isLength = (line: string) => line.slice(0, name.length).toLowerCase() === name;
  const lengths = lines.filter(isLength).flatMap((line) =>
    line
      .slice(name.length)
      .split(',')
      .map((each) => each.trim()),
  );
  if (lengths.length < 2 || new Set(lengths).size > 1 || !/^[0-9]+$/.test(lengths[0]!)) return head;
  const first = lines.findIndex(isLength);
  return lines.flatMap((line, index) => (!isLength(line) ? [line] : index === first ? [`${name} ${lengths[0]}\r`] : [])).join('\n');
}

/** Filters the bytes of one connection: the status lines and headers of its responses, not their bodies. */
class ResponseHeads {
  #isInHead = true;
  #pending: Buffer = nothing;
  #interim = 0;

  /** Begins with the next response, because a request is being sent. */
  restart(): void {
    if (this.#isInHead) return;
    this.#isInHead = true;
    this.#interim = 0;
  }

  /**
   * Returns the received bytes without interim responses, and with one Content-Length. Keeps incomplete headers for the next call.
   * @throws Error for a change of the protocol, and for too many interim responses
   */
  filter(chunk: Buffer): Buffer {
    if (!this.#isInHead) return chunk;
    let from = Math.max(0, this.#pending.length - 2);
    let bytes = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    for (;;) {
      const end = isHttp(bytes) ? endOfHead(bytes, from) : 0;
      if (end < 0 && bytes.length <= maxHeadBytes) {
        this.#pending = bytes;
        return nothing;
      }
      const head = bytes.toString('latin1', 0, Math.max(end, 0));
      const status = Number(/^HTTP\/1\.[01] +([0-9]{3})/.exec(head)?.[1]);
      if (!(status >= 100 && status < 200)) {
        this.#isInHead = false;
        this.#pending = nothing;
        const plain = withOneLength(head);
        return plain === head ? bytes : Buffer.concat([Buffer.from(plain, 'latin1'), bytes.subarray(end)]);
      }
      this.#interim += 1;
      if (status === 101) throw new Error('The endpoint changed to another protocol (status 101), which the request did not ask for.');
      if (this.#interim > maxInterim)
        throw new Error(`The endpoint sent more than ${maxInterim} interim responses (1xx) and no final response.`);
      bytes = bytes.subarray(end);
      from = 0;
    }
  }
}

/**
 * Makes a connection skip interim responses, of which the HTTP client rejects 100, and accept several equal Content-Length headers.
 * @param socket a connection of the HTTP client, which calls `read` and sends no request before the previous response is complete
 */
export function acceptRealResponses(socket: Socket): void {
  const heads = new ResponseHeads();
  const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  socket.read = (size?: number): Buffer | null => {
    for (let chunk = read(size); chunk !== null; chunk = read(size)) {
      try {
        const bytes = heads.filter(chunk);
        if (bytes.length > 0) return bytes;
      } catch (error) {
        socket.destroy(error as Error);
        return null;
      }
    }
    return null;
  };
  socket.write = (...args: unknown[]): boolean => {
    heads.restart();
    return write(...args);
  };
}
