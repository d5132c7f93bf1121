import { signal } from '@preact/signals';
import type { z } from 'zod';
import { isOfWorld } from '../client/authorization.js';
import type { ActiveScenarioSchema } from '../contract/control/scenarios.js';
import type { ClockSchema } from '../contract/control/clock.js';
import type { WorldSchema } from '../contract/control/worlds.js';
import type { Finding, FindingsSchema } from '../contract/control/analysis/findings.js';
import type { PageMeta } from '../contract/shared/paging.js';
import type { Status } from '../contract/control/status.js';
import type { StreamItem, StreamKind } from '../contract/control/analysis/stream.js';
import { ApiError, get, token } from './api.js';
import { history, type Past } from './history.js';
import type { Item } from './item.js';
import { EventTimeline } from './course.js';
import { go, world } from './router.js';
import { fromTheBeginning, readStream, type Connection, type StreamPlace } from './stream.js';

export type Clock = z.infer<typeof ClockSchema>;
export type World = z.infer<typeof WorldSchema>;
export type ActiveScenario = z.infer<typeof ActiveScenarioSchema>;

/** What the page knows of the sandbox and of the world that is open. */
export const connection = signal<Connection>('connecting');
export const status = signal<Status | null>(null);
export const clock = signal<Clock | null>(null);
export const scenario = signal<ActiveScenario | null>(null);
export const worlds = signal<readonly World[]>([]);
export const findings = signal<readonly Finding[]>([]);
export const faults = signal<number>(0);
/** What went wrong last, for people; null when nothing did. */
export const trouble = signal<string | null>(null);

/** What happened, oldest first. */
export const items = signal<readonly Item[]>([]);
/** Where older items are; null if there are none. */
export const older = signal<string | null>(null);
/** Goes up whenever something of these kinds has happened: what a screen shows of them is to be asked for again. */
export const changes = signal<Readonly<Partial<Record<StreamKind, number>>>>({});

/** How many things that happened are kept. */
const keptItems = 5000;
const course = new EventTimeline(keptItems);
let waiting: Item[] = [];
let takingIn: ReturnType<typeof setTimeout> | undefined;

/** Takes in what has come, all at once: a screen that is made anew for each of 500 events a second would show none of them. */
function takeIn(): void {
  takingIn = undefined;
  const came = waiting;
  waiting = [];
  const counts = { ...changes.peek() };
  for (const { kind } of course.add(came)) counts[kind] = (counts[kind] ?? 0) + 1;
  items.value = course.items;
  changes.value = counts;
}

function take(item: StreamItem): void {
  if (item.kind === 'CONTROL' && item.request?.method === 'GET') return; // Looking on is no event; this page does so all the time.
  waiting.push(item);
  if (waiting.length > keptItems) waiting.shift();
  takingIn ??= setTimeout(takeIn, 100);
}

/** Does something that may be refused, and says why when it was. @returns whether it was done */
export async function attempt(act: () => Promise<unknown>): Promise<boolean> {
  trouble.value = null;
  try {
    await act();
    return true;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return false;
    trouble.value =
      error instanceof ApiError
        ? `${error.code}: ${error.message}`
        : error instanceof TypeError
          ? 'The sandbox does not answer.'
          : (error as Error).message;
    return false;
  }
}

export async function refreshClock(): Promise<void> {
  clock.value = await get<Clock>('/clock');
}

async function refreshFindings(): Promise<void> {
  findings.value = (await get<z.infer<typeof FindingsSchema>>('/findings')).data.filter(({ state }) => state === 'NEW');
}

async function refreshFaults(): Promise<void> {
  const { data } = await get<{ data: { times?: number; hits: number }[] }>('/faults');
  faults.value = data.filter(({ times = Infinity, hits }) => hits < times).length;
}

async function refreshScenario(): Promise<void> {
  scenario.value = await get<ActiveScenario>('/scenario');
}

/** The filter for deliveries of which no attempt has succeeded, whether another one follows or not. */
export const failingDeliveries = 'or(status[eq]=FAILED,and(status[eq]=WAITING,attempts[gt]=0))';
/** How many of these there are; no more than ten are counted. */
export const failedDeliveries = signal(0);

async function refreshFailedDeliveries(): Promise<void> {
  failedDeliveries.value = (
    await get<{ meta: PageMeta }>(`/deliveries?limit=10&filters=${encodeURIComponent(failingDeliveries)}`)
  ).meta.total;
}

export async function refreshWorlds(): Promise<void> {
  status.value = await get<Status>('');
  const all: World[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { data, meta }: { data: World[]; meta: { nextCursor: string | null } } = await get(`/worlds?limit=100&cursor=${cursor}`);
    all.push(...data);
    cursor = meta.nextCursor;
  }
  worlds.value = all;
  const [only] = worlds.value;
  // Whoever has the credentials of a world sees that one, whatever the address says.
  if (only && isOfWorld(token.peek()) && only.name !== world.peek()) go({ world: only.name }, { replace: true });
}

/** What has to be asked for again when something of a kind has happened. */
const askAgain: readonly [readonly StreamKind[], () => void][] = [
  [['CLOCK', 'JOB', 'RULE', 'STATE', 'WORLD'], oftenEnough(refreshClock)],
  [['FINDING', 'WORLD'], oftenEnough(refreshFindings)],
  [['FAULT', 'REQUEST', 'WORLD'], oftenEnough(refreshFaults)],
  [['SCENARIO', 'WORLD'], oftenEnough(refreshScenario)],
  [['DELIVERY', 'WORLD'], oftenEnough(refreshFailedDeliveries)],
];

/** Asks at most once in half a second, and once more after what came meanwhile. */
export function oftenEnough(ask: () => Promise<void>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = -Infinity;
  return () => {
    timer ??= setTimeout(
      () => {
        timer = undefined;
        asked = performance.now();
        void attempt(ask);
      },
      Math.max(0, asked + 500 - performance.now()),
    );
  };
}

/** Ends requests for the timeline when another world is opened. */
let ending: AbortController | undefined;

function show(past: Past): Past {
  course.add(past.items);
  items.value = course.items;
  return past;
}

/** Shows a part of the timeline. @param from where an earlier part ended; null for the newest */
async function recall(end: AbortSignal, from: string | null): Promise<Past> {
  const past = show(await history(end, from));
  older.value = past.older;
  return past;
}

/** Shows older items of the timeline. */
export async function recallOlder(): Promise<void> {
  if (ending) await recall(ending.signal, older.peek());
}

/** Adds another part of the timeline to its newest one. */
async function complete(newest: Promise<Past>, end: AbortSignal): Promise<void> {
  const { older: from } = await newest;
  if (from !== null) await recall(end, from);
}

const recallAll = (end: AbortSignal): Promise<boolean> => attempt(() => complete(recall(end, null), end));

/** Asks for all that is shown beside the rows. */
async function load(): Promise<void> {
  const asked = [refreshWorlds, refreshClock, refreshFindings, refreshFaults, refreshScenario, refreshFailedDeliveries];
  await attempt(() => Promise.all(asked.map((ask) => ask())));
}

/** Follows the world that is open; a hidden page follows nothing, since browsers allow six connections to a server. */
export function follow(): void {
  let place: StreamPlace = { last: fromTheBeginning };
  const restart = (): void => {
    ending?.abort();
    ending = undefined;
    if (document.hidden) return;
    ending = new AbortController();
    connection.value = 'connecting';
    const { signal: end } = ending;
    const newest = recall(end, null);
    const goOn = () => {
      if (end.aborted) return;
      void readStream(place, { item: take, gap: () => void recallAll(end), state: (next) => (connection.value = next) }, end);
      void attempt(() => complete(newest, end));
      void load();
    };
    // The newest rows come first: whatever is asked for together with them is answered before them, or takes of their time.
    void newest.then(
      () => setTimeout(goOn),
      () => goOn(),
    );
  };
  let open = '';
  world.subscribe((name) => {
    if (name !== open) {
      course.clear();
      items.value = waiting = [];
      older.value = null;
      place = { last: fromTheBeginning };
    }
    open = name;
    restart();
  });
  token.subscribe((value) => value !== null && connection.peek() !== 'connecting' && restart());
  document.addEventListener('visibilitychange', restart);
  let seen = changes.peek();
  changes.subscribe((now) => {
    for (const [kinds, ask] of askAgain) if (kinds.some((kind) => now[kind] !== seen[kind])) ask();
    seen = now;
  });
  let before = connection.peek();
  connection.subscribe((now) => {
    if (now === 'live' && before === 'lost' && ending) {
      void recallAll(ending.signal);
      void load();
    }
    before = now;
  });
}
