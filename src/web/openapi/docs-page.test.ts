import { describe, expect, it } from 'vitest';
import { startServer } from '../../server/server.js';
import { readSettings } from '../../server/options.js';
import { useHarness } from '../../testing/harness.js';

const harness = useHarness();

describe('the documentation page', () => {
  it('shows every operation, event and shape, with no script and nothing from elsewhere', async () => {
    const settings = readSettings(['--port', '0', '--data', 'memory', '--log-level', 'silent', '--allowed-hosts', 'docs.example'], {});
    const server = await startServer(settings);
    try {
      const page = await fetch(`${server.url}/docs`);
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(page.headers.get('x-request-id')).not.toBeNull();
      const text = await page.text();
      const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
        paths: Record<string, Record<string, { operationId: string }>>;
        components: { schemas: Record<string, unknown> };
      };
      for (const methods of Object.values(document.paths))
        for (const { operationId } of Object.values(methods)) expect(text).toContain(`id="${operationId}"`);
      for (const name of Object.keys(document.components.schemas)) expect(text).toContain(`id="schema-${name}"`);
      expect(text).not.toMatch(/<script|undefined|\[object|(src|href)="(https?:)?\/\//);
      const anchors = [...text.matchAll(/href="#([^"]+)"/g)].map((match) => match[1]);
      expect(anchors.filter((anchor) => !text.includes(`id="${anchor}"`))).toEqual([]);
    } finally {
      await server.close();
    }
  });

  it.each([
    ['host', 'evil.example', 'HOST_NOT_ALLOWED'],
    ['host', 'localhost.evil.example:4010', 'HOST_NOT_ALLOWED'],
    ['origin', 'https://evil.example', 'ORIGIN_NOT_ALLOWED'],
    ['origin', 'http://localhost:9999', 'ORIGIN_NOT_ALLOWED'],
    ['origin', 'null', 'ORIGIN_NOT_ALLOWED'],
  ])('is not shown to the %s %s', async (header, value, code) => {
    const answer = await harness.api('GET', '/docs', { headers: { [header]: value } });
    expect(answer).toMatchObject({ status: 403, body: { code } });
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
  });
});
