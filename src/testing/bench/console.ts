import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { builtFile, builtScripts } from '../../api/plane/built-page.js';
import { executablePath, launchBrowser } from '../chromium.js';
import { LoadClients, type LoadRequest } from '../load.js';
import { SandboxProcess, tokenFor } from '../process.js';
import { quantile, rowOf, type Row } from './row.js';

/** Budget of the console page. */
const goals = { kilobytes: 60, firstRowMs: 300, frameMs: 50, nodes: 1500, rows: 5000 } as const;
const rounds = 7;
/** Number of requests before a page is opened. */
const pastCalls = 10_000;
const eventsPerSecond = 500;
const seconds = 10;
/** Numbers of events after which the heap of the page is measured. The first is reached at {@link eventsPerSecond}. */
const heapMarks = [eventsPerSecond * seconds, 20_000, 40_000, 60_000] as const;
const connections = 10;
/** Time between two groups of requests, in milliseconds. */
const stepMs = 20;
/** Time that a page gets to show the last events, in milliseconds. */
const settleMs = 1500;
/** Rate of the events between two measurements of the heap. */
const fillingPerSecond = 1000;

/** Returns the script of the console and the scripts that it imports at the start. Other scripts are loaded on demand. */
const consoleScripts = () => ['console.js', ...builtScripts('console-chunk')];

const kilobytes = (files: readonly string[]) => files.reduce((sum, file) => sum + gzipSync(builtFile(file), { level: 9 }).length, 0) / 1000;

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

/** Returns a function that measures the heap of a page after garbage collection, in megabytes. */
async function heapOf(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  return async () => {
    await page.waitForTimeout(settleMs);
    await session.send('HeapProfiler.collectGarbage');
    return (await session.send('Runtime.getHeapUsage')).usedSize / 1e6;
  };
}

/**
 * Sends reads at an even rate, each of which causes one event. Opens its own connections, because the server closes idle ones.
 * @param perSecond `Infinity` to send as fast as possible
 */
async function drive(url: string, shot: () => LoadRequest, count: number, perSecond: number): Promise<void> {
  const clients = await LoadClients.open(url, connections);
  const begun = performance.now();
  const perStep = Math.min(count, (perSecond * stepMs) / 1000);
  for (let sent = 0; sent < count; sent += perStep) {
    await clients.send(perStep, shot);
    await wait(Math.max(0, begun + ((sent + perStep) * 1000) / perSecond - performance.now()));
  }
  clients.close();
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
  if (executablePath === undefined) {
    process.stderr.write('Chromium was not found: only the sizes of the console are measured.\n');
    return sizes;
  }
  const server = await SandboxProcess.start(['--data', 'memory', '--log-level', 'error']);
  const browser = await launchBrowser();
  try {
    const headers = { authorization: `Bearer ${await tokenFor(server.url)}` };
    let sent = 0;
    const read = (): LoadRequest => ({ method: 'GET', path: `/api/accounts?limit=${1 + (sent++ % 50)}`, headers });
    await drive(server.url, read, pastCalls, Infinity);
    const url = `${server.url}/_sandbox/console/default/timeline`;
    const firstRows: number[] = [];
    const firstWorks: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const page = await watched(browser, 'about:blank');
      const work = await workOf(page);
      await page.goto(url, { waitUntil: 'commit' });
      await page.waitForSelector('.row');
      const workMs = await work();
      const { firstRowMs } = await seenBy(page);
      if (round > 0) {
        // The first round is a warm-up.
        firstRows.push(firstRowMs ?? Infinity);
        firstWorks.push(workMs);
      }
      await page.close();
    }
    const idle = await watched(browser, 'about:blank');
    await idle.evaluate('measure()');
    const page = await watched(browser, `${url}?reads=all`);
    await page.waitForSelector('.live.live');
    await page.evaluate('measure()');
    const work = await workOf(page);
    const begunMs = performance.now();
    await drive(server.url, read, heapMarks[0], eventsPerSecond);
    const tookMs = performance.now() - begunMs;
    const workMs = await work();
    const { frames, scriptMs, nodes } = await seenBy(page);
    const rows = Number(await page.getAttribute('.list', 'aria-rowcount'));
    const { frames: idleFrames } = await seenBy(idle);
    await idle.close();
    const heap = await heapOf(page);
    const heaps = [await heap()];
    for (const [index, mark] of heapMarks.slice(1).entries()) {
      await drive(server.url, read, mark - heapMarks[index]!, fillingPerSecond);
      heaps.push(await heap());
    }
    const longShare = (of: readonly number[]) => (100 * of.filter((ms) => ms > goals.frameMs).length) / of.length;
    const during = `console at ${Math.round(heapMarks[0] / (tookMs / 1000))} events a second`;
    return [
      ...sizes,
      rowOf(0, `console, first row of the timeline after ${pastCalls} requests, ms (against: the budget)`, firstRows, [goals.firstRowMs]),
      rowOf(0, 'console, work of the main thread until then, ms (against: the budget)', firstWorks, [goals.firstRowMs]),
      rowOf(0, `${during}, median frame, ms (against: an empty page meanwhile)`, [quantile(frames)], [quantile(idleFrames)]),
      rowOf(
        0,
        `${during}, frames over ${goals.frameMs} ms, % (against: an empty page meanwhile)`,
        [longShare(frames)],
        [longShare(idleFrames)],
      ),
      rowOf(
        0,
        `${during}, work of the main thread for each of ten updates a second, ms (against: the budget of a frame)`,
        [workMs / (tookMs / 100)],
        [goals.frameMs],
      ),
      rowOf(
        0,
        `${during}, 99th percentile of frames, ms (against: an empty page meanwhile)`,
        [quantile(frames, 0.99)],
        [quantile(idleFrames, 0.99)],
      ),
      rowOf(0, `${during}, longest frame, ms (against: an empty page meanwhile)`, [Math.max(...frames)], [Math.max(...idleFrames)]),
      rowOf(
        0,
        `${during}, most that its scripts had of a frame over 50 ms, 0 without one, ms (against: the budget of a frame)`,
        [Math.max(0, ...scriptMs)],
        [goals.frameMs],
      ),
      rowOf(0, `${during}, most nodes (against: the budget)`, [nodes], [goals.nodes]),
      rowOf(0, `console after ${heapMarks[0]} events, rows kept (against: the budget)`, [rows], [goals.rows]),
      ...heaps.map((megabytes, index) =>
        rowOf(0, `console after ${heapMarks[index]} events, heap, MB (against: after ${heapMarks[0]})`, [megabytes], [heaps[0]!]),
      ),
    ];
  } finally {
    await browser.close();
    await server.end('SIGTERM');
  }
}
