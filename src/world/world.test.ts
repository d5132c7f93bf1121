import { beforeEach, expect, it } from 'vitest';
import { DomainError } from '../domain/errors.js';
import { noServices } from '../testing/services.js';
import { bareWorld, logTo, type LoggedCommit } from '../testing/storage.js';
import { defaultRetention } from './retention.js';
import type { State } from './state.js';
import { tableNames } from './tables.js';
import { World } from './world.js';

/** A world whose commits succeed or fail as the test decides, by `commits`. */
let world: World;
let state: State;
let isReadOnly: boolean;
let realMs: number;
let commits: { readonly commit: LoggedCommit; readonly keep: () => void; readonly fail: (error: Error) => void }[];

beforeEach(() => {
  state = bareWorld('w');
  state.counters.set('old', { id: 'old', value: 1 });
  isReadOnly = false;
  commits = [];
  realMs = 1000;
  world = new World(
    {
      realNow: () => realMs,
      services: noServices,
      retention: defaultRetention,
      committed: () => undefined,
    },
    logTo(
      'w',
      (commit) =>
        isReadOnly ? Promise.reject(new Error('The disk is full.')) : new Promise((keep, fail) => commits.push({ commit, keep, fail })),
      () => isReadOnly,
    ),
    0,
    state,
  );
});

const rows = () => tableNames.map((name) => [name, [...state[name].values()]]);
const put = (id: string, value: number) => world.write('test', (uow) => uow.put('counters', { id, value })).kept;

it('a write that throws changes no rows, not even the rows that it wrote before', () => {
  const before = rows();
  const verb = () =>
    world.write('test', (uow) => {
      uow.put('counters', { id: 'new', value: uow.count('drawn') });
      uow.delete('counters', 'old');
      throw new DomainError('QUOTE_EXPIRED', 'Too late.');
    });
  expect(verb).toThrow('Too late.');
  expect([rows(), commits]).toEqual([before, []]);
});

it('commits that cannot be stored are undone together: puts, changes and deletions of rows', async () => {
  const first = put('kept', 1);
  commits[0]!.keep();
  await first;
  const before = rows();
  const lost = [put('old', 2), put('old', 3), put('new', 1), world.write('test', (uow) => uow.delete('counters', 'kept')).kept];
  expect(state.counters.get('old')?.value).toBe(3);
  expect([state.counters.has('new'), state.counters.has('kept')]).toEqual([true, false]);
  for (const { fail } of commits.slice(1)) fail(new Error('The disk is full.'));
  for (const each of lost) await expect(each).rejects.toThrow('The disk is full.');
  expect(new Set(rows().flat(2))).toEqual(new Set(before.flat(2)));
});

it('the old state is restored if its replacement cannot be stored', async () => {
  const replaced = world.replace(bareWorld('w'));
  commits[0]!.fail(new Error('The disk is full.'));
  await expect(replaced).rejects.toThrow('The disk is full.');
  expect(world.state).toBe(state);
});

it('a read-only world does not change, not even temporarily', async () => {
  const before = rows();
  isReadOnly = true;
  const kept = put('new', 1);
  expect(rows()).toEqual(before);
  await expect(kept).rejects.toThrow('The disk is full.');
  expect(rows()).toEqual(before);
});

it('world time continues from the latest time when the real clock is set back', async () => {
  expect(world.nowMs()).toBe(1000);
  realMs = 400;
  expect(world.nowMs()).toBe(1000);
  realMs = 450;
  expect(world.nowMs()).toBe(1050);
  const kept = put('new', 1);
  commits[0]!.keep();
  await kept;
  realMs = 460;
  const rest = world.rest();
  expect(commits).toHaveLength(1); // Nothing to store: the commit contains the latest time that was read.
  await rest;
  realMs = 470;
  expect(world.nowMs()).toBe(1070);
  void world.rest();
  const again = new World(
    {
      realNow: () => realMs,
      services: noServices,
      retention: defaultRetention,
      committed: () => undefined,
    },
    logTo('w', () => Promise.resolve()),
    0,
    state,
  );
  realMs = 100;
  expect(again.nowMs()).toBe(1070);
  realMs = 130;
  expect(again.nowMs()).toBe(1100);
  again.write('test', (uow) => uow.put('clock', { id: 'clock', mode: 'RUNNING', offsetMs: 2000 }));
  expect(again.nowMs()).toBe(2130);
});
