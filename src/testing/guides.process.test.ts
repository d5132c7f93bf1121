import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorCodes } from '../contract/shared/error-codes.js';
import { helpPath } from '../api/control/help.js';
import { rules } from '../analysis/project/findings/rules.js';
import { root } from './root.js';
import { SandboxProcess } from './process.js';

let sandbox: SandboxProcess;
/** HTML of each guide by path. */
const pages = new Map<string, string>();

beforeAll(async () => {
  sandbox = await SandboxProcess.start(['--data', 'memory', '--log-level', 'silent']);
  const contents = (await (await fetch(`${sandbox.url}/docs/guides.json`)).json()) as { name: string }[];
  for (const { name } of contents) {
    const response = await fetch(`${sandbox.url}/docs/guides/${name}`);
    if (response.headers.get('content-type') === 'text/html; charset=utf-8') pages.set(`/docs/guides/${name}`, await response.text());
  }
});
afterAll(() => sandbox.end('SIGTERM'));

/** True if the sandbox serves this path and its page contains the anchor. */
async function exists(address: string): Promise<boolean> {
  const [path = '', anchor] = address.split('#');
  const page = pages.get(path) ?? (await pageAt(path));
  return page !== null && (anchor === undefined || path === '/docs' || page.includes(`id="${anchor}"`));
}

async function pageAt(path: string): Promise<string | null> {
  const response = await fetch(sandbox.url + path, { headers: { accept: 'text/html' } });
  return response.ok ? response.text() : null;
}

describe('the served guides', () => {
  it('contain every page of docs, except those for contributors and recipes', () => {
    const files = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
    const names = files.filter((file) => file.endsWith('.md') && !/^(contributing|recipes)\//.test(file));
    expect(pages.size).toBe(names.length + 2); // README and CHANGELOG
    for (const file of names) expect(pages.has(`/docs/guides/${file.replace(/^.*\//, '').replace('.md', '')}`), file).toBe(true);
  });

  it('have a page and an anchor for the help of every error code, and for every rule', async () => {
    const addresses = [...errorCodes.map(helpPath), ...rules.map(({ id }) => `/docs/guides/checks#${id}`)];
    const found = await Promise.all(addresses.map(exists));
    expect(addresses.filter((_, index) => !found[index])).toEqual([]);
  });

  it('contain only links to existing pages and anchors', async () => {
    const links = new Set([...pages].flatMap(([, page]) => [...page.matchAll(/(?:href|src)="(\/[^"]*)"/g)].map(([, address]) => address!)));
    expect(links.size).toBeGreaterThan(100);
    const addresses = [...links];
    const found = await Promise.all(addresses.map(exists));
    expect(addresses.filter((_, index) => !found[index])).toEqual([]);
  });

  it('are also served as Markdown, with working links', async () => {
    for (const path of pages.keys()) {
      const response = await fetch(`${sandbox.url}${path}.md`);
      expect([path, response.headers.get('content-type')]).toEqual([path, 'text/markdown; charset=utf-8']);
      const text = (await response.text()).replace(/^```[^]*?^```$/gm, '');
      const links = [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, address]) => address!);
      for (const address of links)
        expect(await exists(address.replace(/^(\/docs\/guides\/[a-z-]+)\.md/, '$1')), `${path} links ${address}`).toBe(true);
    }
  });

  it('escape HTML in Markdown, and contain no scripts', () => {
    for (const [path, page] of pages) expect(page.includes('<script') || page.includes('javascript:'), path).toBe(false);
    expect(pages.get('/docs/guides/cli')).toContain('&lt;id&gt;');
  });

  it('are listed for programs in llms.txt', async () => {
    const text = await (await fetch(`${sandbox.url}/llms.txt`)).text();
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, address]) => address!);
    for (const address of links) expect(await exists(address.replace(/^(\/docs\/guides\/[a-z-]+)\.md$/, '$1')), address).toBe(true);
    const others = new Set(['readme', 'index', 'changelog'].map((name) => `/docs/guides/${name}`));
    for (const path of pages.keys()) if (!others.has(path)) expect(links).toContain(`${path}.md`);
    const guide = await (await fetch(`${sandbox.url}/docs/guides/use-coding-agents.md`)).text();
    const [, facts] = /^## Facts that prevent most mistakes\n\n([^]+?)\n\n## /m.exec(guide)!;
    expect(text).toContain(facts);
    expect(text.length).toBeLessThan(12_000);
  });

  it('are joined in llms-full.txt for programs, each with its path', async () => {
    const text = await (await fetch(`${sandbox.url}/llms-full.txt`)).text();
    const addresses = [...text.matchAll(/^<!-- (\/docs\/guides\/[a-z-]+)\.md -->$/gm)].map(([, address]) => address);
    expect(addresses).toEqual([...pages.keys()]);
    const page = await (await fetch(`${sandbox.url}/docs/guides/settings.md`)).text();
    expect(text).toContain(page.trim());
  });

  it('include no other files: an unknown path gets a 404 response that names the path', async () => {
    for (const path of ['/docs/guides/nothing', '/docs/guides/constructor', '/docs/files/../package.json', '/docs/files/__proto__']) {
      const response = await fetch(sandbox.url + path);
      expect([path, response.status]).toEqual([path, 404]);
    }
    const body: unknown = await (await fetch(`${sandbox.url}/docs/guides/nothing`)).json();
    expect(body).toMatchObject({ code: 'ROUTE_NOT_FOUND', message: expect.stringContaining('There is no /docs/guides/nothing.') });
  });

  it('are found from /docs/guides, and from the misspelt name of one, which is a page with status 404 for a browser', async () => {
    for (const path of ['/docs/guides', '/docs/guides/']) {
      const response = await fetch(sandbox.url + path, { redirect: 'manual' });
      expect([path, response.status, response.headers.get('location')]).toEqual([path, 302, '/docs/guides/index']);
    }
    const path = `${sandbox.url}/docs/guides/first-paymnet`;
    const page = await fetch(path, { headers: { accept: 'text/html,*/*' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('Did you mean <a href="/docs/guides/first-payment">');
    expect(await (await fetch(path)).json()).toMatchObject({
      message: expect.stringContaining('Did you mean /docs/guides/first-payment?'),
    });
    const hostile = await fetch(`${sandbox.url}/docs/guides/%3Cscript%3E`, { headers: { accept: 'text/html' } });
    expect([hostile.status, (await hostile.text()).includes('<script')]).toEqual([404, false]);
  });

  it('have an icon, and a file that keeps search engines away', async () => {
    const icon = await fetch(`${sandbox.url}/favicon.ico`);
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/x-icon']);
    expect([...new Uint8Array(await icon.arrayBuffer())].slice(0, 8)).toEqual([0, 0, 1, 0, 1, 0, 16, 16]); // An ICO file, 16 by 16.
    expect(await (await fetch(`${sandbox.url}/robots.txt`)).text()).toBe('User-agent: *\nDisallow: /\n');
  });

  it('are linked in `details.help` of errors of the control API, but not of the payments API', async () => {
    const control = await fetch(`${sandbox.url}/_sandbox/scenario`, {
      method: 'PUT',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect(await control.json()).toMatchObject({ code: 'INVALID_DATA', details: { help: '/docs/guides/errors#INVALID_DATA' } });
    const payments = (await (await fetch(`${sandbox.url}/api/accounts`)).json()) as { details: object };
    expect(payments.details).toEqual({});
  });
});
