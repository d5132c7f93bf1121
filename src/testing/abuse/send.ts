import { Agent, request, type ClientRequest, type IncomingHttpHeaders } from 'node:http';
import { connectTo } from '../unfinished-requests.js';
import type { Body, Case } from './cases.js';

/** A response. */
export interface SentResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Maximum time that a hostile client waits for a response, in milliseconds. */
const patienceMs = 20_000;

const agent = new Agent({ keepAlive: true });

/**
 * Sends a case and resolves with the response. Null without a response, which can be correct for invalid bytes, and for an endless body
 * that the sandbox rejects and stops reading.
 */
export function send(url: string, hostile: Case): Promise<SentResponse | null> {
  return 'bytes' in hostile ? sendBytes(url, hostile.bytes) : sendRequest(url, hostile);
}

function sendRequest(url: string, { method, path, headers, body }: Exclude<Case, { bytes: Buffer }>): Promise<SentResponse | null> {
  const length = typeof body === 'string' || Buffer.isBuffer(body) ? { 'content-length': String(Buffer.byteLength(body)) } : {};
  const target = new URL(url);
  return new Promise((resolve, reject) => {
    const call = request(
      { agent, host: target.hostname, port: target.port, method, path, headers: { ...headers, ...length } },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('end', () => {
          resolve({ status: answer.statusCode!, headers: answer.headers, text });
          if (!call.writableFinished) call.destroy();
        });
        answer.on('error', reject);
      },
    );
    call.setTimeout(patienceMs, () => call.destroy(new Error(`no answer within ${patienceMs} ms`)));
    call.on('error', (error: NodeJS.ErrnoException) => {
      const isCutOff = typeof body === 'function' && /^(EPIPE|ECONNRESET)$/.test(error.code ?? '');
      if (isCutOff) resolve(null);
      else reject(error);
    });
    void write(body, call);
  });
}

/** Writes a body while the receiver reads. */
async function write(body: Body | undefined, call: ClientRequest): Promise<void> {
  let isAnswered = false;
  let goOn: () => void = () => undefined;
  call.on('drain', () => goOn()).on('close', () => goOn());
  call.on('response', () => {
    isAnswered = true;
    goOn();
  });
  if (typeof body === 'function') {
    for (const piece of body()) {
      if (call.destroyed || isAnswered) break;
      if (!call.write(piece)) await new Promise<void>((resolve) => (goOn = resolve));
    }
  } else if (body !== undefined) call.write(body);
  if (!call.destroyed) call.end();
}

async function sendBytes(url: string, bytes: Buffer): Promise<SentResponse | null> {
  const socket = connectTo(url);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(bytes);
  // If the connection stays open, the sandbox waits for more requests; this client sends none.
  socket.setTimeout(100, () => socket.destroy());
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  const said = Buffer.concat(chunks).toString('utf8');
  const [head = '', ...body] = said.split('\r\n\r\n');
  const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1];
  if (status === undefined) return null;
  const headers = Object.fromEntries(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => [line.split(':')[0]!.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { status: Number(status), headers, text: body.join('\r\n\r\n') };
}
