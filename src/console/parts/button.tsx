import { useState } from 'preact/hooks';
import type { ComponentChildren, JSX } from 'preact';
import { attempt } from '../store.js';

interface ButtonProps {
  readonly children: ComponentChildren;
  readonly act: () => Promise<unknown>;
  /** The move most likely wanted of its group. */
  readonly primary?: boolean;
  /** Cannot be taken back. */
  readonly destructive?: boolean;
  /** Why it cannot be done now. */
  readonly impossible?: string | undefined;
  readonly label?: string;
}

/** A button that does something at the sandbox; it shows that it is at it, and a refusal stands at the foot of the page. */
export function Button({ children, act, primary = false, destructive = false, impossible, label }: ButtonProps): JSX.Element {
  const [busy, setBusy] = useState(false);
  const press = async () => {
    if (busy || impossible !== undefined) return;
    setBusy(true);
    await attempt(act);
    setBusy(false);
  };
  const kind = primary ? 'primary' : destructive ? 'destructive' : '';
  return (
    <button
      type="button"
      class={`button ${kind}`}
      aria-disabled={impossible !== undefined}
      aria-busy={busy}
      aria-label={label}
      title={impossible}
      onClick={() => void press()}
    >
      {children}
    </button>
  );
}

/** Copies a text, and says so. */
export function CopyButton({ text, children }: { readonly text: () => string; readonly children: ComponentChildren }): JSX.Element {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text());
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <button type="button" class="button" onClick={() => void attempt(copy)}>
      {copied ? 'Copied' : children}
    </button>
  );
}
