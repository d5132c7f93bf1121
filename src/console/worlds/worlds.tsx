import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '../api.js';
import { Button } from '../parts/button.js';
import { NextTimers } from '../next-timers.js';
import { useLoaded } from '../parts/loaded.js';
import { go, world } from '../router.js';
import { attempt, refreshWorlds, worlds } from '../store.js';

interface Snapshot {
  readonly name: string;
  readonly createdAt: string;
}

/** The worlds of this sandbox, and what can be done with the one that is open. */
export function Worlds(): JSX.Element {
  const [name, setName] = useState('');
  const [sure, setSure] = useState<string | null>(null);
  const create = () =>
    attempt(async () => {
      await call('POST', '/worlds', name === '' ? {} : { name });
      await refreshWorlds();
      setName('');
    });
  const certain = (what: string, act: () => Promise<unknown>) => async () => {
    if (sure !== what) return setSure(what);
    setSure(null);
    await act();
    await refreshWorlds();
  };
  return (
    <div class="scroll sheet" tabIndex={0} role="region" aria-label="Worlds">
      <section>
        <h2>Worlds</h2>
        <ul class="cards">
          {worlds.value.map(({ name: each, rows, credentials }) => (
            <li key={each} aria-current={each === world.value ? 'true' : undefined}>
              <b>{each}</b> <span class="mono dim">{credentials.clientId}</span> <span class="dim">{rows} rows</span>
              <span class="acts">
                <Button
                  act={async () => go({ world: each })}
                  impossible={each === world.value ? 'It is open.' : undefined}
                  label={`Open ${each}`}
                >
                  Open
                </Button>
                <Button act={certain(`reset ${each}`, () => call('POST', `/reset?world=${each}`))} destructive>
                  {sure === `reset ${each}` ? 'Reset it now' : 'Reset…'}
                </Button>
                <Button act={certain(`delete ${each}`, () => call('DELETE', `/worlds/${each}`))} destructive>
                  {sure === `delete ${each}` ? 'Delete it now' : 'Delete…'}
                </Button>
              </span>
            </li>
          ))}
        </ul>
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
      </section>
      <Snapshots />
      <section>
        <h2>Timers</h2>
        <NextTimers />
      </section>
    </div>
  );
}

function Snapshots(): JSX.Element {
  const { value, reload } = useLoaded<{ data: Snapshot[] }>('/snapshots', ['CONTROL', 'WORLD']);
  const [name, setName] = useState('');
  const take = () => attempt(() => call('POST', '/snapshots', { name }).then(reload));
  const download = async () => {
    const url = URL.createObjectURL(new Blob([JSON.stringify(await call('GET', '/state'))], { type: 'application/json' }));
    const link = Object.assign(document.createElement('a'), { href: url, download: `${world.peek()}.json` });
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <section>
      <h2>Snapshots of {world.value}</h2>
      <ul class="cards">
        {(value?.data ?? []).map((each) => (
          <li key={each.name}>
            <b>{each.name}</b> <span class="dim">{each.createdAt}</span>
            <span class="acts">
              <Button act={() => call('POST', `/snapshots/${each.name}/restore`)}>Restore</Button>
              <Button act={() => call('DELETE', `/snapshots/${each.name}`).then(reload)} destructive>
                Delete
              </Button>
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
        <Button act={download}>Export the state</Button>
      </form>
    </section>
  );
}
