import type { JSX } from 'preact';
import { attempt, notice } from '../notices.js';

/** The outcome of the last action at the bottom of the page, until the user closes it or starts another action. */
export function NoticeBar(): JSX.Element {
  const shown = notice.value;
  const undo = shown?.undo;
  const text = shown !== null && (
    <p class={shown.isError ? 'bad' : 'ok'}>
      <span aria-hidden="true">{shown.isError ? '✕' : '✓'}</span>
      <span class="grow">{shown.text}</span>
      {undo && (
        <button type="button" class="button" onClick={() => void attempt(undo, 'Undone.')}>
          Undo
        </button>
      )}
      <button type="button" class="button" onClick={() => (notice.value = null)}>
        Close
      </button>
    </p>
  );
  return (
    <>
      <div class="notice" role="alert">
        {shown?.isError === true && text}
      </div>
      <div class="notice" role="status">
        {shown?.isError === false && text}
      </div>
    </>
  );
}
