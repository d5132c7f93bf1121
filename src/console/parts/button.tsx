import { useState } from 'preact/hooks';
import type { ComponentChildren, JSX } from 'preact';
import { attempt, type Done, type Outcome } from '../notices.js';
import { ask, type Question } from './question.js';

interface ButtonProps<T> {
  readonly children: ComponentChildren;
  readonly act: () => Promise<T>;
  /** The text afterwards; null if the result is visible by itself. */
  readonly done: Done<T> | null;
  /** The move most likely wanted of its group. */
  readonly primary?: boolean;
  /** Ends or removes something. */
  readonly destructive?: boolean;
  /** Why it cannot be done now. */
  readonly impossible?: string | undefined;
  readonly label?: string;
}

/** A button that does something at the sandbox. It shows that it is busy; at the foot of the page stands what came of it. */
export function Button<T>({ children, act, done, primary = false, destructive = false, impossible, label }: ButtonProps<T>): JSX.Element {
  const [busy, setBusy] = useState(false);
  const press = async () => {
    if (busy || impossible !== undefined) return;
    setBusy(true);
    await attempt(act, done ?? undefined);
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

/** A button for what destroys something: it opens a dialog that asks, and never acts by itself. */
export function DangerButton({
  children,
  question,
  act,
  label,
}: {
  readonly children: ComponentChildren;
  readonly question: Question;
  /** @returns what is said when it is done */
  readonly act: () => Promise<string | Outcome>;
  readonly label?: string;
}): JSX.Element {
  return (
    <button type="button" class="button destructive" aria-haspopup="dialog" aria-label={label} onClick={() => ask(question, act)}>
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
