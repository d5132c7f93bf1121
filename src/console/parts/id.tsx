import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { runAction } from '../notices.js';

/** Returns the first eight characters of an id, where the full id would be too long. */
export const shortId = (id: string): string => id.slice(0, 8);

/** The beginning of an id, with the full id as a tooltip, and a button that copies the full id. */
export function Id({ of }: { readonly of: string }): JSX.Element {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(of);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <span class="id" title={of}>
      <code>{shortId(of)}</code>
      <button
        type="button"
        tabIndex={-1}
        aria-label={`Copy the id ${of}`}
        onClick={(event) => (event.stopPropagation(), void runAction(copy, `Copied ${of}.`))}
      >
        {copied ? (
          '✓'
        ) : (
          <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
            <path d="M4 4h6v6H4zM2 8V2h6" />
          </svg>
        )}
      </button>
    </span>
  );
}
