import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { executablePath, launchBrowser } from '../chromium.js';
import { connect, SandboxProcess } from '../process.js';
import { quantile, rowOf, type Row } from './row.js';

/** Budget of the console page. */
const goals = { kilobytes: 60, firstRowMs: 300, frameMs: 50, nodes: 1500, rows: 5000 } as const;
const rounds = 5;
/** Number of requests before a page is opened. */
const pastCalls = 300;
const eventsPerSecond = 500;
const seconds = 12;

/** Returns the script of the console and the scripts that it imports at the start. Other scripts are loaded on demand. */
function consoleScripts(): string[] {
  const imported = readFileSync('dist/console.js', 'utf8').matchAll(/(?:from|import)"\.\/(console-[\w-]+\.js)"/g);
  return ['console.js', ...new Set(Array.from(imported, ([, name]) => name!))];
}

const kilobytes = (files: readonly string[]) =>
  files.reduce((sum, file) => sum + gzipSync(readFileSync(`dist/${file}`), { level: 9 }).length, 0) / 1000;

/**
 * Runs in the page before its script: measures the time of the first row, frame times, script time in frames above 50 ms, and the number
 * of nodes.
 */
const watch = `
  window.seen = { firstRowMs: null, frames: [], scriptMs: [], nodes: 0 };
  new PerformanceObserver((list) => {
    for (const { scripts } of list.getEntries()) seen.scriptMs.push(scripts.reduce((sum, { duration }) => sum + duration, 0));
  }).observe({ type: 'long-animation-frame' });
  new MutationObserver((_, observer) => {
    if (!document.querySelector('.row')) return;
    seen.firstRowMs = performance.now();
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });
  window.measure = () => {
    seen.scriptMs.length = 0;
    let last = performance.now();
    const frame = (now) => {
      seen.frames.push(now - last);
      seen.nodes = Math.max(seen.nodes, document.querySelectorAll('*').length);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  };`;

interface Seen {
  readonly firstRowMs: number | null;
  readonly frames: readonly number[];
  readonly scriptMs: readonly number[];
  readonly nodes: number;
}

async function watched(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript(watch);
  await page.goto(url);
  return page;
}

const seenBy = (page: Page) => page.evaluate<Seen>('seen');

/**
 * Returns a function that measures the processor time of a page's main thread, in milliseconds. This time excludes other work of the
 * machine.
 */
async function workOf(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const taken = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
  const before = await taken();
  return async () => (await taken()) - before;
}

/** Sends reads at an even rate for some seconds. */
async function drive(api: Awaited<ReturnType<typeof connect>>): Promise<void> {
  const begun = performance.now();
  const stepMs = 20;
  for (let step = 1; step <= (seconds * 1000) / stepMs; step += 1) {
    const reads = (eventsPerSecond * stepMs) / 1000;
    await Promise.all(Array.from({ length: reads }, (_, index) => api('GET', `/api/accounts?limit=${1 + ((step + index) % 50)}`)));
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, begun + step * stepMs - performance.now())));
  }
}

/** Measures the cost of the console in a browser against its budget. */
export async function measureConsole(): Promise<Row[]> {
  const sizes = [
    rowOf(0, 'console, first load, kB gzipped (against: the budget)', [kilobytes([...consoleScripts(), 'console.css'])], [goals.kilobytes]),
    rowOf(
      0,
      'documentation, first load without the contracts, kB gzipped (against: the budget of the console)',
      [kilobytes(['docs.js', 'docs.css'])],
      [goals.kilobytes],
    ),
  ];
  if (executablePath === undefined) return sizes;
  const server = await SandboxProcess.start(['--data', 'memory', '--log-level', 'error']);
  const browser = await launchBrowser();
  try {
    const api = await connect(server.url);
    for (let call = 0; call < pastCalls; call += 1) await api('GET', `/api/accounts?limit=${1 + (call % 50)}`);
    const url = `${server.url}/_sandbox/console/default/timeline`;
    const firstRows: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const page = await watched(browser, url);
      await page.waitForSelector('.row');
      firstRows.push((await seenBy(page)).firstRowMs ?? Infinity);
      await page.close();
    }
    const idle = await watched(browser, 'about:blank');
    await idle.evaluate('measure()');
    const page = await watched(browser, `${url}?reads=all`);
    await page.waitForSelector('.live.live');
    await page.evaluate('measure()');
    const work = await workOf(page);
    await drive(api);
    const workMs = await work();
    const { frames, scriptMs, nodes } = await seenBy(page);
    const rows = Number(await page.getAttribute('.list', 'aria-rowcount'));
    const { frames: idleFrames } = await seenBy(idle);
    return [
      ...sizes,
      rowOf(0, 'console, first row of the timeline, ms (against: the budget)', firstRows, [goals.firstRowMs]),
      rowOf(
        0,
        `console at ${eventsPerSecond} events a second, work of the main thread for each of ten updates a second, ms (against: the budget of a frame)`,
        [workMs / (seconds * 10)],
        [goals.frameMs],
      ),
      rowOf(
        0,
        `console at ${eventsPerSecond} events a second, 99th percentile of frames, ms (against: an empty page meanwhile)`,
        [quantile(frames, 0.99)],
        [quantile(idleFrames, 0.99)],
      ),
      rowOf(
        0,
        `console at ${eventsPerSecond} events a second, longest frame, ms (against: an empty page meanwhile)`,
        [Math.max(...frames)],
        [Math.max(...idleFrames)],
      ),
      rowOf(
        0,
        `console at ${eventsPerSecond} events a second, most that its scripts had of a frame over 50 ms, 0 without one, ms (against: the budget of a frame)`,
        [Math.max(0, ...scriptMs)],
        [goals.frameMs],
      ),
      rowOf(0, `console at ${eventsPerSecond} events a second, most nodes (against: the budget)`, [nodes], [goals.nodes]),
      rowOf(0, `console after ${seconds * eventsPerSecond} events, rows kept (against: the budget)`, [rows], [goals.rows]),
    ];
  } finally {
    await browser.close();
    await server.end('SIGTERM');
  }
}
