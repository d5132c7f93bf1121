import { expect, it } from 'vitest';
import type { Change } from './state.js';
import { CommitWatch, maxWaits } from './watch.js';
import type { World } from './world.js';

const world = {} as World;
const message = (inbox: string, seq: number): Change => ({
  table: 'inboxMessages',
  id: `${inbox}/${seq}`,
  row: { id: `${inbox}/${seq}`, seq, inbox, headers: {}, body: '', signatureValid: true, createdAt: '2026-11-21T12:00:00.000Z' },
});

it('a commit wakes only requests that wait for its changes', async () => {
  const watch = new CommitWatch();
  const looks: string[] = [];
  const waiting = (name: string, awaited: Parameters<CommitWatch['until']>[1]) =>
    watch.until(world, awaited, () => (looks.push(name), looks.length > 5 ? name : null), 60_000);
  const all = [
    waiting('orders', { inbox: 'orders' }),
    waiting('others', { inbox: 'others' }),
    waiting('operation', { table: 'operations', id: 'a' }),
  ];
  looks.length = 0;
  watch.notify(world, { changes: [message('orders', 1), { table: 'operations', id: 'b', row: null }], causeId: 'test', undo: [], atMs: 0 });
  expect(looks).toEqual(['orders']);
  watch.notify(world, { changes: [{ table: 'operations', id: 'a', row: null }], causeId: 'test', undo: [], atMs: 0 });
  expect(looks).toEqual(['orders', 'operation']);
  watch.notify(world); // Without a commit: the whole state was replaced.
  expect(looks).toHaveLength(5);
  watch.notify(world);
  expect(await Promise.all(all)).toEqual(['orders', 'others', 'operation']);
});

it('a change for which `isNews` returns false causes no check of the waiting request', async () => {
  const watch = new CommitWatch();
  let [looks, came] = [0, 0];
  const wait = watch.until(
    world,
    { inbox: 'in' },
    () => ((looks += 1), came === 3 ? 'enough' : null),
    60_000,
    () => (came += 1) === 3,
  );
  for (const seq of [1, 2, 3]) watch.notify(world, { changes: [message('in', seq)], causeId: 'test', undo: [], atMs: 0 });
  expect([await wait, looks]).toEqual(['enough', 2]);
});

it('the number of waiting requests in a world is limited; a finished request makes room', async () => {
  const watch = new CommitWatch();
  let isOver = false;
  const wait = () => watch.until(world, { inbox: 'in' }, () => (isOver ? true : null), 60_000);
  const all = Array.from({ length: maxWaits }, wait);
  await expect(wait()).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', details: { maximum: maxWaits } });
  isOver = true;
  watch.notify(world);
  await Promise.all(all);
  isOver = false;
  const next = wait();
  isOver = true;
  watch.notify(world);
  expect(await next).toBe(true);
});
