import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';

/** What went wrong last, at the foot of the page until somebody closes it. */
export function Trouble({ value }: { readonly value: Signal<string | null> }): JSX.Element {
  return (
    <div class="trouble" role="alert">
      {value.value !== null && (
        <p>
          {value.value}
          <button type="button" class="button" onClick={() => (value.value = null)}>
            Close
          </button>
        </p>
      )}
    </div>
  );
}
