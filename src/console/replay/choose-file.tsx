import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { runAction } from '../notices.js';

const open = (files: readonly File[]): void => void runAction(async () => (await import('./opened.js')).openReplay(files));

/** Milliseconds after which a file is no longer dragged over the page. Browsers send an event at least every 350 ms. */
const stillMs = 500;

/** Whether the user drags a file over the page. */
const isDragging = signal(false);
let still: ReturnType<typeof setTimeout> | undefined;

function setDragging(is: boolean): void {
  clearTimeout(still);
  isDragging.value = is;
  if (is) still = setTimeout(() => setDragging(false), stillMs);
}

/** Whether files are dragged over the page, and not over a file input, which takes its files itself. */
const isForPage = ({ dataTransfer, target }: DragEvent): boolean =>
  dataTransfer?.types.includes('Files') === true && !(target instanceof HTMLInputElement && target.type === 'file');

/** Opens a replay file that is dropped anywhere on the page. Otherwise the browser would leave the page to show the file. */
export function listenForFiles(): void {
  addEventListener('dragover', (event) => {
    if (!isForPage(event)) return;
    event.preventDefault();
    event.dataTransfer!.dropEffect = 'copy';
    setDragging(true);
  });
  addEventListener('drop', (event) => {
    if (!isForPage(event)) return;
    event.preventDefault();
    setDragging(false);
    open([...event.dataTransfer!.files]); // Copied, because the browser empties the list after the event.
  });
}

/** Says that a dropped file will be opened, while a file is dragged over the page. */
export function DropHint(): JSX.Element | null {
  if (!isDragging.value) return null;
  return (
    <div class="drop-hint" aria-hidden="true">
      <p>Drop a replay file to open it. It stays in this browser.</p>
    </div>
  );
}

/** The input whose dialog chooses a file. Kept, because some browsers delete an input that is not in the page. */
let input: HTMLInputElement | undefined;

/** Shows the dialog of the browser to choose a replay file. It opens at once, because browsers allow it only soon after a key or a click. */
export function chooseReplay(): void {
  if (input === undefined) {
    const made = document.createElement('input');
    made.type = 'file';
    made.accept = '.json,.gz,application/json,application/gzip';
    made.addEventListener('change', () => {
      const files = [...(made.files ?? [])];
      made.value = ''; // Allows the user to choose the same file again.
      if (files.length > 0) open(files);
    });
    input = made;
  }
  input.click();
}
