/** A response with its parsed body. */
export interface TestResponse {
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

/** Calls an API and parses its response, JSON or empty. */
export async function call(app: App, method: string, path: string, options: CallOptions): Promise<TestResponse> {
  const response = await responseOf(app, method, path, options);
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text), headers: response.headers };
}

/** Calls an API with JSON, a form, bytes, or a stream of JSON. Omits headers with an empty value. */
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

/** A body as sent, and its media type. */
interface Sent {
  readonly content: string | Uint8Array | ReadableStream | null;
  readonly type: string | null;
}

/** Returns bytes unchanged, a stream as JSON, and everything else serialised as JSON. */
function sent(body: unknown): Sent {
  if (body === undefined) return { content: null, type: null };
  if (body instanceof Uint8Array) return { content: body, type: null };
  return { content: typeof body === 'string' || body instanceof ReadableStream ? body : JSON.stringify(body), type: 'application/json' };
}

/** Returns a form as bytes, because Node.js 24 fails if an unread form is discarded. */
async function encoded(form: FormData): Promise<Sent> {
  const response = new Response(form);
  return { content: new Uint8Array(await response.arrayBuffer()), type: response.headers.get('content-type') };
}
