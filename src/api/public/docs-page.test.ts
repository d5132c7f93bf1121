import { describe, expect, it } from 'vitest';
import { startServer } from '../../server/server.js';
import { readSettings } from '../../server/options.js';
import { useHarness } from '../../testing/harness.js';

const harness = useHarness();

/** Starts a server with these options and gets the documentation page. */
async function docs(...args: string[]) {
  const server = await startServer(readSettings(['--port', '0', '--data', 'memory', '--log-level', 'silent', ...args], {}));
  try {
    const page = await fetch(`${server.url}/docs`);
    return { headers: page.headers, text: await page.text() };
  } finally {
    await server.close();
  }
}

describe('the documentation page', () => {
  it('loads only its own script and no external files', async () => {
    const { headers, text } = await docs();
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'/);
    expect(headers.get('x-request-id')).not.toBeNull();
    expect(text).not.toMatch(/<script>|<style|(src|href)="(https?:)?\/\//);
  });

  it.each<[string, string[], boolean, boolean]>([
    ['no token', [], true, true],
    ['a control token', ['--control-token', 'secret-of-control'], false, true],
    ['its own port', ['--control-port', '0'], true, false],
  ])('shows default credentials only if the control API requires no token: control API with %s', async (_what, args, tells, hasControl) => {
    const { text } = await docs(...args);
    expect(text.includes('sandbox-secret')).toBe(tells);
    expect(text).toContain(`&quot;hasControl&quot;:${hasControl}`);
    expect(text).not.toContain('secret-of-control');
  });

  it.each([
    ['host', 'evil.example', 'HOST_NOT_ALLOWED'],
    ['host', 'localhost.evil.example:4010', 'HOST_NOT_ALLOWED'],
    ['origin', 'https://evil.example', 'ORIGIN_NOT_ALLOWED'],
    ['origin', 'http://localhost:9999', 'ORIGIN_NOT_ALLOWED'],
    ['origin', 'null', 'ORIGIN_NOT_ALLOWED'],
    ['sec-fetch-site', 'same-site', 'ORIGIN_NOT_ALLOWED'],
  ])('is not served for a request with the header %s: %s', async (header, value, code) => {
    const answer = await harness.api('GET', '/docs', { headers: { [header]: value } });
    expect(answer).toMatchObject({ status: 403, body: { code } });
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
  });
});
