import type { JSX } from 'preact';
import { closeDialog, dialog, keys, keysAreOn, switchKeys } from './keys.js';
import { Dialog } from './parts/dialog.js';
import { ThemeChoice } from './parts/theme-choice.js';
import { screens } from './screens.js';

/** The help button, and the dialog that lists the keys. */
export function Help(): JSX.Element {
  return (
    <>
      <button type="button" class="button" aria-label="Help: keys" onClick={() => (dialog.value = 'help')}>
        ?
      </button>
      <Dialog title="Keys" open={dialog.value === 'help'} close={() => closeDialog('help')}>
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
            <dd>close the inspector</dd>
          </div>
          <div>
            <dt>
              <kbd>Ctrl</kbd> <kbd>K</kbd>
            </dt>
            <dd>commands</dd>
          </div>
        </dl>
        <p>
          <ThemeChoice />
        </p>
        <p>
          The <a href="/docs">documentation</a> explains the screens and the words.
        </p>
        <label>
          <input type="checkbox" checked={keysAreOn.value} onChange={({ currentTarget }) => switchKeys(currentTarget.checked)} /> Use
          single-key shortcuts
        </label>
      </Dialog>
    </>
  );
}
