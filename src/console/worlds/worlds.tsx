import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { call, callIn, isPartner, urlPath } from '../api.js';
import { runAction, countText } from '../notices.js';
import { Button, CopyButton, DangerButton } from '../parts/button.js';
import { download } from '../parts/download.js';
import { ask } from '../parts/question.js';
import { NextTimers } from '../next-timers.js';
import { useLoaded } from '../parts/loaded.js';
import { usePages, useSettled } from '../parts/pages.js';
import { go, world } from '../router.js';
import { hasMoreWorlds, refreshWorlds, worlds, type World } from '../store.js';
import { deleteWorld, withSnapshot } from '../undo.js';
import { Differences } from './differences.js';

interface Snapshot {
  readonly name: string;
  readonly createdAt: string;
}

const pageSize = 25;

/** The worlds of this sandbox, with the snapshots and timers of the open world. */
export function Worlds(): JSX.Element {
  const [name, setName] = useState('');
  const [search, setSearch] = useState('');
  const wanted = useSettled(search);
  const names = wanted === '' ? '' : urlPath`&name=${`*${wanted}*`}`;
  const { rows: found, error, more, reload } = usePages<World>(`/worlds?limit=${pageSize}${names}`);
  const again = async () => {
    await refreshWorlds();
    reload();
  };
  const create = () =>
    runAction(
      async () => {
        const { name: created } = await call<{ name: string }>('POST', '/worlds', name === '' ? {} : { name });
        await again();
        setName('');
        return created;
      },
      (created) => `Created the world ${created}.`,
    );
  return (
    <div class="scroll sheet" tabIndex={0} role="region" aria-label="Worlds">
      <section>
        <h2>{isPartner() ? 'Your world' : 'Worlds'}</h2>
        {(hasMoreWorlds.value || worlds.value.length > pageSize) && (
          <div class="moves">
            <input
              type="text"
              aria-label="Find a world"
              placeholder="Find a world by a part of its name"
              class="filter"
              value={search}
              onInput={({ currentTarget }) => setSearch(currentTarget.value)}
            />
          </div>
        )}
        {error !== null && <p class="bad-text">{error}</p>}
        {found?.length === 0 && <p role="status">No world has this in its name.</p>}
        <ul class="cards">
          {(found ?? []).map(({ name: each, rows, credentials }) => (
            <li key={each} aria-current={each === world.value ? 'true' : undefined}>
              <b>{each}</b> <span class="dim">{countText(rows, 'record')}</span> <Credentials of={credentials} world={each} />
              <span class="acts">
                {each === world.value ? (
                  <span class="dim">open</span>
                ) : (
                  <Button act={async () => go({ world: each })} done={null} label={`Open ${each}`}>
                    Open
                  </Button>
                )}
                <ResetButton name={each} done={again} />
                {!isPartner() && <DeleteButton name={each} done={again} />}
              </span>
            </li>
          ))}
        </ul>
        {more !== null && (
          <div class="moves">
            <Button act={more} done={null}>
              More worlds
            </Button>
          </div>
        )}
        {!isPartner() && (
          <form class="moves" onSubmit={(event) => (event.preventDefault(), void create())}>
            <input
              type="text"
              aria-label="Name of a new world"
              placeholder="ci-worker-7"
              value={name}
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
            <button type="submit" class="button">
              Create a world
            </button>
          </form>
        )}
      </section>
      <Snapshots />
      <section>
        <h2>Timers</h2>
        <NextTimers />
      </section>
    </div>
  );
}

/** The client id and the secret of a world. The secret is shown after a click, in the place of dots of equal width. */
function Credentials({ of, world: name }: { readonly of: World['credentials']; readonly world: string }): JSX.Element {
  const [isShown, setShown] = useState(false);
  return (
    <span class="command">
      <span class="dim">client id</span> <code>{of.clientId}</code> <span class="dim">secret</span>{' '}
      <code>{isShown ? of.clientSecret : '•'.repeat(of.clientSecret.length)}</code>
      <button
        type="button"
        class="quiet"
        aria-label={`Show the secret of ${name}`}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
      >
        show
      </button>
      <CopyButton text={() => of.clientSecret} label={`Copy the secret of ${name}`}>
        Copy the secret
      </CopyButton>
    </span>
  );
}

interface WorldAction {
  readonly name: string;
  /** Called after the action and after its undo. */
  readonly done: () => Promise<void>;
}

function ResetButton({ name, done }: WorldAction): JSX.Element {
  const text =
    'The initial data replaces all data of the world. A snapshot is taken first, so you can undo this. Recorded requests and findings stay.';
  return (
    <DangerButton
      label={`Reset ${name}`}
      question={{ title: `Reset the world ${name}`, text, verb: 'Reset the world', typed: name }}
      act={async () => {
        const outcome = await withSnapshot('reset', `Reset the world ${name}.`, () => callIn(name, 'POST', '/reset'), name);
        await done();
        return outcome;
      }}
    >
      Reset…
    </DangerButton>
  );
}

function DeleteButton({ name, done }: WorldAction): JSX.Element {
  const text =
    'The data, snapshots, access tokens, recorded requests and findings are deleted. This page keeps the state, so you can create the world again with one click, but without its recorded requests and findings.';
  return (
    <DangerButton
      label={`Delete ${name}`}
      question={{ title: `Delete the world ${name}`, text, verb: 'Delete the world', typed: name }}
      act={async () => {
        const { text: said, undo } = await deleteWorld(name);
        await done();
        return {
          text: said,
          undo: async () => {
            await undo!();
            await done();
          },
        };
      }}
    >
      Delete…
    </DangerButton>
  );
}

/** A file input that replaces the state of the open world by the state in a file. */
function ImportState(): JSX.Element {
  const choose = (input: HTMLInputElement) =>
    runAction(async () => {
      const file = input.files?.[0];
      input.value = ''; // Allows the user to choose the same file again.
      if (file === undefined) return;
      const state = stateIn(file.name, await file.text());
      const name = world.peek();
      ask(
        {
          title: `Import ${file.name}`,
          text: `The state of the world ${name} is replaced by the state in ${file.name}. A snapshot is taken first, so you can undo this. Recorded requests and findings stay.`,
          verb: 'Import the state',
          typed: name,
        },
        () => withSnapshot('import', `Imported ${file.name} into ${name}.`, () => callIn(name, 'PUT', '/state', state), name),
      );
    });
  return (
    <label>
      Import a state <input type="file" accept=".json,application/json" onChange={({ currentTarget }) => void choose(currentTarget)} />
    </label>
  );
}

/** Parses a state file. @throws Error that names the file and the JSON error */
function stateIn(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is not JSON: ${(error as Error).message}. Choose a file from "Export the state".`, { cause: error });
  }
}

function Snapshots(): JSX.Element {
  const { value, reload } = useLoaded<{ data: Snapshot[] }>('/snapshots', ['CONTROL', 'WORLD']);
  const [name, setName] = useState('');
  const of = world.value;
  const take = () => runAction(() => call('POST', '/snapshots', { name }).then(reload), `Took the snapshot ${name}.`);
  const exportState = async () => {
    const state = await call('GET', '/state');
    download(`${world.peek()}.json`, 'application/json', JSON.stringify(state));
  };
  return (
    <>
      <section>
        <h2>Snapshots of {of}</h2>
        <ul class="cards">
          {(value?.data ?? []).map((each) => (
            <li key={each.name}>
              <b>{each.name}</b> <span class="dim">{each.createdAt}</span>
              <span class="acts">
                <DangerButton
                  label={`Restore ${each.name}`}
                  question={{
                    title: `Restore ${each.name}`,
                    text: `The state of the world ${of} is replaced by the state of ${each.createdAt}. A snapshot is taken first, so you can undo this. Recorded requests and findings stay.`,
                    verb: 'Restore the snapshot',
                    typed: of,
                  }}
                  act={() =>
                    withSnapshot(
                      'restore',
                      `Restored the snapshot ${each.name}.`,
                      () => callIn(of, 'POST', urlPath`/snapshots/${each.name}/restore`),
                      of,
                    )
                  }
                >
                  Restore…
                </DangerButton>
                <DangerButton
                  label={`Delete ${each.name}`}
                  question={{
                    title: `Delete the snapshot ${each.name}`,
                    text: 'The world does not change. The snapshot cannot be restored afterwards: this cannot be undone.',
                    verb: 'Delete the snapshot',
                  }}
                  act={async () => {
                    await callIn(of, 'DELETE', urlPath`/snapshots/${each.name}`);
                    reload();
                    return `Deleted the snapshot ${each.name}.`;
                  }}
                >
                  Delete…
                </DangerButton>
              </span>
            </li>
          ))}
        </ul>
        <form class="moves" onSubmit={(event) => (event.preventDefault(), void take())}>
          <input
            type="text"
            aria-label="Name of a new snapshot"
            placeholder="before-payout"
            value={name}
            required
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
          <button type="submit" class="button">
            Take a snapshot
          </button>
          <Button act={exportState} done={`Exported the state of ${world.value}.`}>
            Export the state
          </Button>
          <ImportState />
        </form>
      </section>
      <Differences snapshots={(value?.data ?? []).map((each) => each.name)} />
    </>
  );
}
