import { useState } from 'preact/hooks';
import type { ComponentChildren, JSX } from 'preact';
import { runAction, type SuccessMessage, type Outcome } from '../notices.js';
import { ask, type Question } from './question.js';

interface ButtonProps<T> {
  readonly children: ComponentChildren;
  readonly act: () => Promise<T>;
  /** The message after success; null if the result is visible anyway. */
  readonly done: SuccessMessage<T> | null;
  /** Whether the action is the main one of its group. */
  readonly primary?: boolean;
  /** Whether the action ends or removes a resource. */
  readonly destructive?: boolean;
  /** Reason why the action is not possible now; undefined if it is possible. */
  readonly impossible?: string | undefined;
  readonly label?: string;
}

/** A button that runs an action. Shows that the action is in progress, then its result at the bottom of the page. */
export function Button<T>({ children, act, done, primary = false, destructive = false, impossible, label }: ButtonProps<T>): JSX.Element {
  const [busy, setBusy] = useState(false);
  const press = async () => {
    if (busy || impossible !== undefined) return;
    setBusy(true);
    await runAction(act, done ?? undefined);
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

/** A button for a destructive action, which runs only after a confirmation in a dialog. */
export function DangerButton({
  children,
  question,
  act,
  impossible,
  label,
}: {
  readonly children: ComponentChildren;
  readonly question: Question;
  /** @returns the message to show after success */
  readonly act: () => Promise<string | Outcome>;
  /** Reason why the action is not possible now; undefined if it is possible. */
  readonly impossible?: string | undefined;
  readonly label?: string;
}): JSX.Element {
  return (
    <button
      type="button"
      class="button destructive"
      aria-haspopup="dialog"
      aria-disabled={impossible !== undefined}
      aria-label={label}
      title={impossible}
      onClick={() => impossible === undefined && ask(question, act)}
    >
      {children}
    </button>
  );
}

/** A button that copies a text and then shows "Copied". */
export function CopyButton({
  text,
  children,
  label,
}: {
  readonly text: () => string;
  readonly children: ComponentChildren;
  readonly label?: string;
}): JSX.Element {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text());
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <button type="button" class="button" aria-label={label} onClick={() => void runAction(copy)}>
      {copied ? 'Copied' : children}
    </button>
  );
}
