import type { JSX } from 'preact';
import { runAction, close, notices, type Notice } from '../notices.js';
import { go } from '../router.js';

/** The outcomes of actions below the content of the page, where they cover nothing. */
export function NoticeBar(): JSX.Element {
  const all = notices.value.map((each) => <Line key={each} of={each} />);
  const shown = (isError: boolean) => all.filter((_, index) => notices.value[index]!.isError === isError);
  return (
    <footer>
      <div class="notice" role="alert">
        {shown(true)}
      </div>
      <div class="notice" role="status">
        {shown(false)}
      </div>
    </footer>
  );
}

function Line({ of }: { readonly of: Notice }): JSX.Element {
  const { isError, text, undo, caused } = of;
  return (
    <p class={isError ? 'bad' : 'ok'}>
      <span aria-hidden="true">{isError ? '✕' : '✓'}</span>
      <span class="grow">{text}</span>
      {caused !== undefined && (
        <button type="button" class="button" onClick={() => go(caused)}>
          Show what happened
        </button>
      )}
      {undo && (
        <button type="button" class="button" onClick={() => void runAction(undo, 'Undone.').then((isDone) => isDone && close(of))}>
          Undo
        </button>
      )}
      <button type="button" class="button" onClick={() => close(of)}>
        Close
      </button>
    </p>
  );
}
