import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { connect, startSandbox, type RunningSandbox, type StreamItem } from '../index.js';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
}, 60_000); // The first sandbox loads the whole server.
afterAll(() => sandbox.close());

/** Returns the next `count` items. */
async function next(events: AsyncIterator<StreamItem>, count: number): Promise<StreamItem[]> {
  const items: StreamItem[] = [];
  while (items.length < count) items.push((await events.next()).value as StreamItem);
  return items;
}

it('an event stream reports events of the selected kinds after ready()', async () => {
  await using world = await sandbox.createWorld({ name: 'shown' });
  await using events = world.events({ kinds: ['SCENARIO', 'FAULT'] });
  await events.ready();
  await world.scenario.use('manual');
  await world.clock.freeze();
  await world.fault({ on: 'REQUEST', effect: { status: 503 } });
  const [first, second] = await next(events[Symbol.asyncIterator](), 2);
  expect([first?.kind, second?.kind]).toEqual(['SCENARIO', 'FAULT']);
});

it('an event stream continues after a lost connection, without gaps or duplicates', async () => {
  await using world = await sandbox.createWorld({ name: 'cut' });
  const cuts: (() => void)[] = [];
  const cutting = connect({
    url: sandbox.url,
    fetch: async (request) => {
      const answer = await fetch(request);
      if (!request.url.includes('/_sandbox/stream')) return answer;
      const cut = new AbortController();
      cuts.push(() => cut.abort(new Error('cut')));
      return new Response(answer.body!.pipeThrough(new TransformStream(), { signal: cut.signal }), answer);
    },
  });
  await using events = cutting.world('cut').events({ kinds: ['CLOCK'] });
  await events.ready();
  const seen = events[Symbol.asyncIterator]();
  const seqs: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    await (round % 2 === 0 ? world.clock.freeze() : world.clock.run());
    seqs.push((await next(seen, 1))[0]!.seq);
    cuts.at(-1)!();
  }
  await world.clock.freeze();
  const [last] = await next(seen, 1);
  expect(cuts.length).toBeGreaterThan(2);
  expect(new Set([...seqs, last!.seq]).size).toBe(5);
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
});

it('an event stream ends when its signal aborts, or when its world is deleted', async () => {
  const world = await sandbox.createWorld();
  const leaving = new AbortController();
  const left = world.events({ signal: leaving.signal, kinds: ['CLOCK'] });
  await left.ready();
  const waiting = left[Symbol.asyncIterator]().next();
  leaving.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');

  const events = world.events({ kinds: ['CLOCK'] });
  await events.ready();
  const pending = events[Symbol.asyncIterator]().next();
  await world.delete();
  await expect(pending).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
});

it('an event stream reports a lost and a restored connection', async () => {
  const stopping = await startSandbox();
  const answers: number[] = [];
  const reported: string[] = [];
  const there = connect({
    url: stopping.url,
    fetch: async (request) => {
      const answer = await fetch(request);
      if (request.url.includes('/_sandbox/stream')) answers.push(answer.status);
      return answer;
    },
  });
  const tell = (what: string) => () => void reported.push(what);
  const events = there
    .world()
    .events({ kinds: ['CLOCK'], lostMs: 20_000, onLost: tell('LOST'), onFound: tell('FOUND'), onGap: tell('GAP') });
  await events.ready();
  const seen = events[Symbol.asyncIterator]();
  const pending = seen.next();
  await stopping.close();
  await expect.poll(() => reported).toEqual(['LOST']);
  expect(answers.filter((status) => status === 200)).toEqual([200]);
  await using again = await startSandbox({ port: Number(new URL(stopping.url).port) });
  await expect.poll(() => reported).toEqual(['LOST', 'FOUND', 'GAP']);
  await again.world().clock.freeze();
  expect((await pending).value).toMatchObject({ kind: 'CLOCK' });
  events.close();
});

it('an event stream without onGap fails after a reconnect to a restarted sandbox, because events are missing', async () => {
  const stopping = await startSandbox();
  const events = connect({ url: stopping.url })
    .world()
    .events({ kinds: ['CLOCK'], lostMs: 20_000 });
  await events.ready();
  const ended = events[Symbol.asyncIterator]()
    .next()
    .catch((error: unknown) => error);
  await stopping.close();
  await using _again = await startSandbox({ port: Number(new URL(stopping.url).port) });
  expect(await ended).toMatchObject({ code: 'EVENTS_MISSED' });
});

it('an event stream reconnects if a connection closes before an event arrives', async () => {
  await using world = await sandbox.createWorld({ name: 'mute' });
  const cutter = new AbortController();
  let opened = 0;
  const mute = connect({
    url: sandbox.url,
    fetch: async (request) => {
      if (!request.url.includes('/_sandbox/stream') || (opened += 1) > 2) return fetch(request);
      if (opened === 2) return new Response('', { headers: { 'X-Request-Id': 'one' } });
      const answer = await fetch(request);
      return new Response(answer.body!.pipeThrough(new TransformStream(), { signal: cutter.signal }), answer);
    },
  });
  const reported: string[] = [];
  const tell = (what: string) => () => void reported.push(what);
  await using events = mute.world('mute').events({ kinds: ['CLOCK'], onLost: tell('LOST'), onFound: tell('FOUND') });
  await events.ready();
  const pending = events[Symbol.asyncIterator]().next();
  cutter.abort(new Error('cut'));
  await world.clock.freeze();
  expect((await pending).value).toMatchObject({ kind: 'CLOCK' });
  expect([opened, reported]).toEqual([3, ['LOST', 'FOUND']]);
});

it('an event stream reconnects if a connection is silent for too long', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    let opened = 0;
    const silent = connect({
      url: 'http://127.0.0.1:1',
      fetch: async () => {
        opened += 1;
        const ready = new TextEncoder().encode('event: ready\ndata: {}\n\n');
        return new Response(new ReadableStream({ start: (controller) => controller.enqueue(ready) }), {
          headers: { 'X-Request-Id': 'one' },
        });
      },
    });
    const events = silent.world().events();
    await events.ready();
    const pending = events[Symbol.asyncIterator]().next();
    await vi.advanceTimersByTimeAsync(44_000);
    expect(opened).toBe(1);
    await vi.advanceTimersByTimeAsync(2000);
    expect(opened).toBe(2);
    events.close();
    expect(await pending).toMatchObject({ done: true });
  } finally {
    vi.useRealTimers();
  }
});

/** A response that only confirms the connection. */
const onlyReady = () => new Response('event: ready\ndata: {}\n\n', { headers: { 'X-Request-Id': 'one' } });

it('an event stream reconnects at most four times a second', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    let opened = 0;
    const fetch = async () => ((opened += 1), onlyReady());
    const events = connect({ url: 'http://127.0.0.1:1', fetch }).world().events();
    const pending = events[Symbol.asyncIterator]().next();
    await vi.advanceTimersByTimeAsync(1100);
    expect(opened).toBe(5);
    events.close();
    await vi.advanceTimersByTimeAsync(250);
    expect(await pending).toMatchObject({ done: true });
  } finally {
    vi.useRealTimers();
  }
});

it('an event stream ends without an error if it is closed during a reconnect', async () => {
  let opened = 0;
  let isTriedAgain: () => void = () => undefined;
  const again = new Promise<void>((resolve) => (isTriedAgain = resolve));
  const fetch = (request: Request) => {
    if ((opened += 1) === 1) return Promise.resolve(onlyReady());
    isTriedAgain();
    return new Promise<Response>((_, refuse) => request.signal.addEventListener('abort', () => refuse(request.signal.reason as Error)));
  };
  const events = connect({ url: 'http://127.0.0.1:1', fetch }).world().events();
  const pending = events[Symbol.asyncIterator]().next();
  await again;
  events.close();
  expect(await pending).toMatchObject({ done: true });
});
