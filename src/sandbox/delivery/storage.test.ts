import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Harness, sharedTokenKey } from '../../testing/harness.js';
import { pixBeneficiary } from '../../testing/withdrawals.js';
import { StorageDirectory } from '../../testing/storage.js';
import { WatchedDisk, type DiskCall } from '../../testing/watched-disk.js';
import { FileStorage } from '../../storage/file/file-storage.js';
import { fireEvent } from '../../services/webhooks/deliveries.js';

let directory: StorageDirectory;
beforeEach(() => {
  directory = new StorageDirectory();
});
afterEach(() => directory.remove());

/** Fails the calls to the disk that store a commit, as a full disk does. */
function full({ name }: DiskCall): void {
  if (name === 'handle.write') throw Object.assign(new Error('ENOSPC: injected'), { code: 'ENOSPC' });
}

/** Opens a sandbox with the stored data in `directory`. */
async function opened() {
  const disk = new WatchedDisk(directory);
  const storage = await FileStorage.open(directory.path, { files: disk.files });
  const harness = await new Harness().open(await sharedTokenKey(), { storage });
  const world = harness.sandbox.world('default');
  return { disk, harness, world };
}

async function subscribed({ harness }: { harness: Harness }) {
  await harness.control('PUT', '/clock', { mode: 'FROZEN' });
  await harness.control('PUT', '/scenario', { name: 'manual' });
  const body = { url: 'http://localhost:9000/', includeAll: true, allowRetry: true };
  expect(await harness.api('POST', '/api/subscriptions', { body })).toMatchObject({ status: 201 });
}

const register = (harness: Harness) => harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary() });
const sentIds = (harness: Harness) => harness.attempts.map((each) => each.headers['x-message-id']);

it('an event that could not be stored is not sent', async () => {
  const { disk, harness } = await opened();
  await subscribed({ harness });
  disk.before = full;
  expect((await register(harness)).body.code).toBe('SERVICE_UNAVAILABLE');
  await expect(harness.quiet()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect([harness.attempts, harness.internalErrors]).toEqual([[], []]);
  await harness.sandbox.close();
});

it('deliveries stop when a result cannot be stored, and all are sent in order after a restart', async () => {
  const { disk, harness } = await opened();
  await subscribed({ harness });
  let answer = (_result: { httpStatus: number; error: null }): void => undefined;
  harness.receive = () => new Promise((resolve) => (answer = resolve));
  for (let count = 0; count < 3; count += 1) expect((await register(harness)).status).toBe(201);
  expect(harness.attempts.length).toBe(1);
  const flushed = harness.control('POST', '/deliveries/flush');
  await nextTurn();
  disk.before = full;
  answer({ httpStatus: 500, error: null });
  // The flush waited for attempts that are no longer sent.
  expect((await flushed).status).toBe(200);
  expect(harness.sandbox.world('default').isReadOnly).toBe(true);
  expect((await harness.control('POST', '/clock/advance', { by: 'PT1H' })).body.code).toBe('SERVICE_UNAVAILABLE');
  expect([harness.attempts.length, harness.internalErrors]).toEqual([1, []]);
  const [first] = sentIds(harness);
  const outbox = [...harness.sandbox.world('default').state.outbox.values()];
  const pending = outbox.toSorted((a, b) => a.order - b.order).map((each) => each.messageId);
  expect([pending.length, pending[0]]).toEqual([3, first]);
  await harness.sandbox.close();

  const again = await opened();
  await again.harness.quiet();
  expect(sentIds(again.harness)).toEqual(pending);
  await again.harness.sandbox.close();
});

it('time does not advance past a timer whose result cannot be stored', async () => {
  const { disk, harness, world } = await opened();
  await subscribed({ harness });
  harness.receive = () => Promise.resolve({ httpStatus: 500, error: null });
  // More jobs than run in one turn of the event loop.
  for (let count = 0; count < 400; count += 1) world.write('test', (uow) => fireEvent(uow, { eventType: 'OPERATION_FAILED' }));
  await harness.quiet();
  const before = new Set(world.state.jobs.keys());
  expect(before.size).toBe(400);
  disk.before = full;
  for (const goal of [{ by: 'PT1H' }, { untilIdle: true }, { by: 'PT1H' }]) {
    expect((await harness.control('POST', '/clock/advance', goal)).body.code).toBe('SERVICE_UNAVAILABLE');
  }
  expect([harness.attempts.length, new Set(world.state.jobs.keys())]).toEqual([400, before]);
  await harness.sandbox.close();
});

it('an event after the restore of a snapshot is not sent if it could not be stored', async () => {
  const { disk, harness, world } = await opened();
  await subscribed({ harness });
  await world.settled();
  // During the write of the new state, fires an event, and fails all later writes.
  disk.before = ({ name }) => {
    if (name === 'stat') return; // Looks for the journal before the write.
    disk.before = full;
    world.write('test', (uow) => fireEvent(uow, { eventType: 'OPERATION_FAILED' })).kept.catch(() => undefined);
  };
  await world.replace(world.state);
  await expect(world.settled()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await new Promise((resolve) => setImmediate(resolve));
  expect([harness.attempts, world.state.deliveries.size]).toEqual([[], 0]);
  await harness.sandbox.close();
});
