import { signal } from '@preact/signals';
import type { z } from 'zod';
import type { ActiveScenarioSchema } from '../contract/control/scenarios.js';
import type { ClockSchema } from '../contract/control/clock.js';
import type { WorldSchema } from '../contract/control/worlds.js';
import type { Finding, FindingsSchema } from '../contract/control/analysis/findings.js';
import type { Status } from '../contract/control/status.js';
import type { FaultSchema } from '../contract/scenario/scenario.js';
import type { StreamItem, StreamKind } from '../contract/control/analysis/stream.js';
import { get, isPartner, missingWorld, token, urlPath } from './api.js';
import { readTimelinePart, type TimelinePart } from './history.js';
import type { Item } from './item.js';
import { EventTimeline } from './event-timeline.js';
import { loadQuietly, showNotice } from './notices.js';
import { goTo, isNamed, address, world } from './router.js';
import { fromTheBeginning, readStream, type Connection, type StreamPlace } from './stream.js';

export type Clock = z.infer<typeof ClockSchema>;
export type Fault = z.infer<typeof FaultSchema>;
export type World = z.infer<typeof WorldSchema>;
export type ActiveScenario = z.infer<typeof ActiveScenarioSchema>;

/** The state of the connection to the sandbox and its open world. */
export const connection = signal<Connection>('connecting');
export const status = signal<Status | null>(null);
export const clock = signal<Clock | null>(null);
export const scenario = signal<ActiveScenario | null>(null);
export const worlds = signal<readonly World[]>([]);
export const findings = signal<readonly Finding[]>([]);
/** The faults of the world; null while they are not loaded. */
export const faults = signal<readonly Fault[] | null>(null);
/** Counter of restarts of the sandbox. Screens reload their data when the counter rises. */
export const restarts = signal(0);

/** The items of the timeline, oldest first. */
export const items = signal<readonly Item[]>([]);
/** Whether the page has loaded all items that the sandbox still stores, or {@link keptItems} items. */
export const isComplete = signal(false);
/** Counters of received items by kind. A screen reloads its data when the counter of one of its kinds rises. */
export const changes = signal<Readonly<Partial<Record<StreamKind, number>>>>({});

/** Maximum number of items that the page keeps. */
const keptItems = 5000;
const course = new EventTimeline(keptItems);
let waiting: Item[] = [];
let takingIn: ReturnType<typeof setTimeout> | undefined;

/** Adds all waiting items at once: a page that renders after each of 500 items a second would show none of them. */
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
  if (item.kind === 'CONTROL' && item.request?.method === 'GET') return; // Not shown: this page itself reads all the time.
  waiting.push(item);
  if (waiting.length > keptItems) waiting.shift();
  takingIn ??= setTimeout(takeIn, 100);
}

/** Aborts the requests and the stream when another world is opened or the page is hidden. */
let ending: AbortController | undefined;

/** Sends a GET about the open world, which is aborted when another world is opened. */
const read = <T>(path: string): Promise<T> => get<T>(path, ending?.signal);

export async function refreshClock(): Promise<void> {
  clock.value = await read<Clock>('/clock');
}

/** Number of items that the sandbox stores for the open world; the page keeps the newest of them. */
export const stored = signal(0);

async function refreshStored(): Promise<void> {
  const { meta } = await read<{ meta: { total: number | null } }>('/timeline?generation=all&limit=1&counts=total');
  stored.value = meta.total ?? 0;
}

async function refreshFindings(): Promise<void> {
  findings.value = (await read<z.infer<typeof FindingsSchema>>('/findings?generation=all')).data.filter(({ state }) => state === 'NEW');
}

export async function refreshFaults(): Promise<void> {
  faults.value = (await read<{ data: Fault[] }>('/faults')).data;
}

async function refreshScenario(): Promise<void> {
  scenario.value = await read<ActiveScenario>('/scenario');
}

/** The filter for failing deliveries: no attempt has succeeded, regardless of whether a retry is planned. */
export const failingDeliveries = 'or(status[eq]=FAILED,and(status[eq]=WAITING,attempts[gt]=0))';
/** Number of failing deliveries. */
export const failedDeliveries = signal(0);

async function refreshFailedDeliveries(): Promise<void> {
  const { total } = await read<{ total: number }>(urlPath`/counts/deliveries?filters=${failingDeliveries}`);
  failedDeliveries.value = total;
}

/** Number of worlds in the list of the header. The screen Worlds finds the others. */
export const listedWorlds = 50;
/** Whether there are more worlds than {@link worlds}. */
export const hasMoreWorlds = signal(false);

/** Loads the first worlds, and the open one. Without a world in the address, and without a world `default`, opens the first. */
export async function refreshWorlds(): Promise<void> {
  status.value = await read<Status>('');
  const { data, meta } = await read<{ data: World[]; meta: { nextCursor: string | null } }>(`/worlds?limit=${listedWorlds}`);
  const name = world.peek();
  const isOther = data.every((each) => each.name !== name);
  const open = isOther && meta.nextCursor !== null ? await read<World>(urlPath`/worlds/${name}`).catch(() => null) : null;
  worlds.value = open === null ? data : [...data, open];
  hasMoreWorlds.value = meta.nextCursor !== null;
  const [first] = data;
  // With the credentials of a world, the page shows this world regardless of the address.
  const isWrong = isOther && open === null && (isPartner() || !isNamed.peek());
  if (first !== undefined && isWrong) goTo({ ...address.peek(), world: first.name }, { replace: true });
}

/** Minimum milliseconds between two equal requests for which the server looks at many items. */
export const slowGapMs = 2000;

/** The data to reload after an item of one of these kinds. */
const askAgain: readonly [readonly StreamKind[], () => void][] = [
  [['CLOCK', 'JOB', 'RULE', 'STATE', 'WORLD'], throttled(refreshClock)],
  [['FINDING', 'WORLD'], throttled(refreshFindings)],
  [['FAULT', 'REQUEST', 'ATTEMPT', 'WORLD'], throttled(refreshFaults)],
  [['SCENARIO', 'WORLD'], throttled(refreshScenario)],
  [['DELIVERY', 'WORLD'], throttled(refreshFailedDeliveries, slowGapMs)],
  [['REQUEST', 'CONTROL', 'JOB', 'DELIVERY', 'WORLD'], throttled(refreshStored, 10_000)],
];

/** Returns a function that calls `ask` at most once per `gapMs`. Calls in between are combined into one call at the end. */
export function throttled(ask: () => Promise<void>, gapMs = 500): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = -Infinity;
  return () => {
    timer ??= setTimeout(
      () => {
        timer = undefined;
        asked = performance.now();
        void loadQuietly(ask);
      },
      Math.max(0, asked + gapMs - performance.now()),
    );
  };
}

function show(past: TimelinePart): TimelinePart {
  course.add(past.items);
  items.value = course.items;
  return past;
}

/** Shows the newest part of the timeline. @returns this part with the cursor of older items */
const recallNewest = async (end: AbortSignal): Promise<TimelinePart> => show(await readTimelinePart(end, null));

/** Adds older parts of the timeline until the page has {@link keptItems} items, or there are no older ones. */
async function recallOlder(newest: Promise<TimelinePart>, end: AbortSignal): Promise<void> {
  isComplete.value = false;
  let { older } = await newest;
  while (older !== null && course.items.length < keptItems && !end.aborted) ({ older } = show(await readTimelinePart(end, older)));
  if (!end.aborted) isComplete.value = true;
}

const recallAll = (end: AbortSignal): Promise<boolean> => loadQuietly(() => recallOlder(recallNewest(end), end));

/** Loads all data that the page shows next to the timeline. */
async function loadRest(): Promise<void> {
  const asked = [refreshWorlds, refreshClock, refreshFindings, refreshFaults, refreshScenario, refreshFailedDeliveries, refreshStored];
  await Promise.all(asked.map((ask) => loadQuietly(ask)));
}

/** Deletes the loaded items. */
function forget(): void {
  course.clear();
  items.value = waiting = [];
  stored.value = 0;
  isComplete.value = false;
}

/** Boot id of the sandbox process whose items the page shows; null while unknown. */
let process: string | null = null;

/** Reloads all data if the sandbox was restarted: the item ids of a new process begin again. */
async function checkProcess(place: StreamPlace, end: AbortSignal): Promise<void> {
  const now = await get<Status>('', end);
  const before = process;
  status.value = now;
  process = now.bootId ?? null;
  if (before === null || process === null || before === process) return;
  forget();
  place.last = fromTheBeginning;
  restarts.value += 1;
  showNotice({
    text: `The sandbox was restarted at ${now.startedAt?.slice(11, 19) ?? 'an unknown time'} UTC. The page shows the new state.`,
    isError: false,
  });
  await recallNewest(end);
  void loadQuietly(() => recallOlder(readTimelinePart(end, null), end));
  void loadRest();
}

/**
 * Follows the open world. A hidden page closes its stream, because browsers allow only six connections to a server.
 * @returns ends when the newest items are loaded, or cannot be loaded
 */
export function followWorld(): Promise<unknown> {
  let first: Promise<unknown> = Promise.resolve();
  let place: StreamPlace = { last: fromTheBeginning };
  const restart = (): void => {
    ending?.abort();
    ending = undefined;
    if (document.hidden) return;
    ending = new AbortController();
    connection.value = 'connecting';
    const { signal: end } = ending;
    const newest = recallNewest(end);
    first = newest.catch(() => null);
    const goOn = () => {
      if (end.aborted) return;
      const reader = {
        item: take,
        gap: () => void recallAll(end),
        state: (next: Connection) => {
          connection.value = next;
          if (next === 'live') missingWorld.value = null;
        },
        opening: () => checkProcess(place, end),
      };
      void readStream(place, reader, end);
      void loadQuietly(() => recallOlder(newest, end));
      void loadRest();
    };
    // The newest rows load first: other requests at the same time would delay them.
    void newest.then(
      () => setTimeout(goOn),
      () => goOn(),
    );
  };
  let open = '';
  world.subscribe((name) => {
    if (name !== open) {
      forget();
      clock.value = scenario.value = faults.value = missingWorld.value = null;
      findings.value = [];
      failedDeliveries.value = 0;
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
    if (now === 'live' && (before === 'lost' || before === 'refused') && ending) {
      void recallAll(ending.signal);
      void loadRest();
    }
    before = now;
  });
  return first;
}
