import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { call } from './api.js';
import { advance, freezeOrRun, move, nextTimer } from './clock.js';
import { dialog, keys, keysAreOn, switchKeys } from './keys.js';
import { attempt } from './notices.js';
import { Dialog } from './parts/dialog.js';
import { ThemeChoice } from './parts/theme-choice.js';
import { go } from './router.js';
import { screens } from './screens.js';

/** Notes that a dialog has closed, which the browser tells of a little later: another one may be open by then. */
function closed(which: 'help' | 'commands'): void {
  if (dialog.peek() === which) dialog.value = null;
}

/** What the keys do. */
export function Help(): JSX.Element {
  return (
    <>
      <button type="button" class="button" aria-label="Help: keys" onClick={() => (dialog.value = 'help')}>
        ?
      </button>
      <Dialog title="Keys" open={dialog.value === 'help'} close={() => closed('help')}>
        <dl class="keys">
          {Object.entries(keys).map(([key, [what]]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
          {screens.map(
            ({ key, title }) =>
              key !== null && (
                <div key={title}>
                  <dt>
                    <kbd>g</kbd> <kbd>{key}</kbd>
                  </dt>
                  <dd>{title}</dd>
                </div>
              ),
          )}
          <div>
            <dt>
              <kbd>Enter</kbd>
            </dt>
            <dd>show the row</dd>
          </div>
          <div>
            <dt>
              <kbd>Esc</kbd>
            </dt>
            <dd>close what is shown</dd>
          </div>
          <div>
            <dt>
              <kbd>Ctrl</kbd> <kbd>K</kbd>
            </dt>
            <dd>commands</dd>
          </div>
        </dl>
        <p>
          <label>
            Colours <ThemeChoice />
          </label>
        </p>
        <label>
          <input type="checkbox" checked={keysAreOn.value} onChange={({ currentTarget }) => switchKeys(currentTarget.checked)} /> Single
          keys do something
        </label>
      </Dialog>
    </>
  );
}

function takeSnapshot(): Promise<boolean> {
  const name = `console-${Date.now()}`;
  return attempt(() => call('POST', '/snapshots', { name }), `Took the snapshot ${name}.`);
}

/** What can be done from anywhere, by its words. */
const commands: readonly (readonly [string, () => unknown])[] = [
  ...screens.map(({ name, title }) => [`Go to ${title}`, () => go({ screen: name, id: null })] as const),
  ['Freeze the clock, or let it run', () => move(freezeOrRun)],
  ['Advance to the next timer', () => move(nextTimer)],
  ['Advance by a minute', () => move(() => advance({ by: 'PT1M' }))],
  ['Advance until no timer is left', () => move(() => advance({ untilIdle: true }))],
  ['Take a snapshot', takeSnapshot],
  [
    'Deliver all webhooks that are due',
    () => attempt(() => call('POST', '/deliveries/flush', {}), 'All webhooks that were due are delivered.'),
  ],
];

/** A list of commands that is found by typing. */
export function Commands(): JSX.Element {
  const [text, setText] = useState('');
  const found = commands.filter(([words]) => words.toLowerCase().includes(text.toLowerCase()));
  const run = (act: (() => unknown) | undefined) => {
    if (act === undefined) return;
    closed('commands');
    setText('');
    act();
  };
  return (
    <Dialog title="Commands" open={dialog.value === 'commands'} close={() => closed('commands')}>
      <form onSubmit={(event) => (event.preventDefault(), run(found[0]?.[1]))}>
        <input
          type="text"
          aria-label="Command"
          autocomplete="off"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </form>
      <ul class="commands">
        {found.map(([words, act]) => (
          <li key={words}>
            <button type="button" class="button" onClick={() => run(act)}>
              {words}
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
