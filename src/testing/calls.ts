/** An answer as tests look at it. */
export interface Answered {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read bodies of many shapes; the contract check types them
  readonly body: any;
  readonly headers: Headers;
}

export interface CallOptions {
  readonly body?: unknown;
  readonly key?: string;
  readonly headers?: Record<string, string>;
}

type App = { request: (url: string, init: RequestInit & { duplex?: 'half' }) => Response | Promise<Response> };

/** Calls a plane and reads what it answers, JSON or nothing. */
export async function call(app: App, method: string, path: string, options: CallOptions): Promise<Answered> {
  const response = await responseOf(app, method, path, options);
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text), headers: response.headers };
}

/** Calls a plane with JSON, a form, bytes, or a stream that brings JSON; an empty header is left out. */
export async function responseOf(app: App, method: string, path: string, options: CallOptions): Promise<Response> {
  const headers = new Headers({ host: 'localhost:4010' });
  const { content: body, type } = options.body instanceof FormData ? await encoded(options.body) : sent(options.body);
  if (type !== null) headers.set('content-type', type);
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    if (value === '') headers.delete(name);
    else headers.set(name, value);
  }
  if (typeof body === 'string') headers.set('content-length', String(Buffer.byteLength(body)));
  if (body instanceof ReadableStream) headers.set('transfer-encoding', 'chunked');
  return app.request(`http://localhost:4010${path}`, { method, headers, body, duplex: 'half' });
}

/** A body as it is sent, and its media type. */
interface Sent {
  readonly content: string | Uint8Array | ReadableStream | null;
  readonly type: string | null;
}

/** Bytes as they are, a stream as JSON that it brings, everything else as JSON. */
function sent(body: unknown): Sent {
  if (body === undefined) return { content: null, type: null };
  if (body instanceof Uint8Array) return { content: body, type: null };
  return { content: typeof body === 'string' || body instanceof ReadableStream ? body : JSON.stringify(body), type: 'application/json' };
}

/** A form as bytes, since Node 24 fails when one that nobody reads is thrown away. */
async function encoded(form: FormData): Promise<Sent> {
  const response = new Response(form);
  return { content: new Uint8Array(await response.arrayBuffer()), type: response.headers.get('content-type') };
}
