import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { attempt } from '../notices.js';

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

/** Whether files are dragged to the page itself: an input for files takes its own. */
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
    const files = [...event.dataTransfer!.files]; // The browser empties the list after the event.
    void attempt(async () => (await import('./on-demand.js')).openReplay(files));
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
