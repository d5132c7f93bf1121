import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../server/options.js';
import { startServer, type RunningServer } from '../../server/server.js';
import { ReadyDocument } from './ready-document.js';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer(readSettings(['--port=0', '--data=memory', '--log-level=silent'], {}));
});
afterAll(() => server.close());

const documents = ['/openapi.json', '/openapi.yaml', '/docs', '/docs/findings', '/_sandbox/openapi.json', '/_sandbox/console'];

/** Sends a GET for a document with these headers. */
const get = (path: string, headers: Record<string, string> = {}) => fetch(`${server.url}${path}`, { headers });

describe.each(documents)('%s', (path) => {
  it('is compressed if the client accepts gzip', async () => {
    const [whole, gzipped] = [await get(path, { 'accept-encoding': 'identity' }), await get(path, { 'accept-encoding': 'br, gzip;q=0.5' })];
    expect([whole.headers.get('content-encoding'), gzipped.headers.get('content-encoding')]).toEqual([null, 'gzip']);
    expect(Number(gzipped.headers.get('content-length'))).toBeLessThan(Number(whole.headers.get('content-length')));
    expect(gzipped.headers.get('vary')).toContain('Accept-Encoding');
    expect(await gzipped.text()).toBe(await whole.text());
  });

  it('responds with 304 if the client already has the document', async () => {
    const etag = (await get(path)).headers.get('etag')!;
    const again = await get(path, { 'if-none-match': `"another", ${etag}` });
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
    expect((await get(path, { 'if-none-match': '"another"' })).status).toBe(200);
  });
});

it('a document is created once, and again only after a failure', async () => {
  let made = 0;
  const document = new ReadyDocument(() => {
    made += 1;
    if (made === 1) throw new Error('The disk is away.');
    return 'text';
  });
  await expect(document.answer(new Headers())).rejects.toThrow('The disk is away.');
  const [whole, gzipped] = [await document.answer(new Headers()), await document.answer(new Headers({ 'accept-encoding': 'gzip' }))];
  expect([whole.bytes?.toString(), gunzipSync(gzipped.bytes!).toString(), made]).toEqual(['text', 'text', 2]);
});
