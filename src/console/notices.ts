import { signal } from '@preact/signals';
import { ApiError } from './api.js';
import type { Address } from './router.js';
import { grouped } from './parts/words.js';

/** The result of an action: a message, and how to undo the action if possible. */
export interface Outcome {
  readonly text: string;
  /** Undoes the action. */
  readonly undo?: () => Promise<unknown>;
  /** The address that shows what the action caused. */
  readonly caused?: Partial<Address>;
}

/** The outcome of an action, or its error. */
export interface Notice extends Outcome {
  readonly isError: boolean;
}

/** The notices at the bottom of the page, newest first. */
export const notices = signal<readonly Notice[]>([]);

/** Maximum number of notices at the same time, except those with an undo: an undo can be the only copy of what was deleted. */
const mostNotices = 3;
/** Milliseconds after which a message without an undo leaves. */
const shownMs = 8000;

export function close(notice: Notice): void {
  notices.value = notices.peek().filter((each) => each !== notice);
}

/** Shows a notice. Errors, and messages with an undo, stay until the user closes them; other messages leave by themselves. */
export function showNotice(notice: Notice): void {
  notices.value = [notice, ...notices.peek()].filter(({ undo }, index) => index < mostNotices || undo !== undefined);
  if (notice.isError || notice.undo) return;
  const timer = setInterval(() => {
    // A button must not disappear under the pointer: the click would go to the control below.
    if (document.querySelector('.notice:hover, .notice:focus-within')) return;
    clearInterval(timer);
    close(notice);
  }, shownMs);
}

/** The message to show after an action, or a function that returns the message. */
export type SuccessMessage<T> = string | ((result: T) => string | Outcome);

/** Returns the message of an action unchanged, for actions that return their message. */
export const unchanged = (message: string | Outcome): string | Outcome => message;

function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

function textOf(error: unknown): string {
  if (error instanceof ApiError) return `${error.code}: ${error.message}`;
  return error instanceof TypeError ? 'The sandbox does not respond.' : (error as Error).message;
}

/**
 * Runs an action of the user, and shows its message or its error in place of earlier notices, except those with an undo.
 * @returns whether the action succeeded
 */
export async function runAction<T>(act: () => Promise<T>, done?: SuccessMessage<T>): Promise<boolean> {
  notices.value = notices.peek().filter(({ undo }) => undo);
  try {
    const result = await act();
    const said = typeof done === 'function' ? done(result) : done;
    if (said !== undefined) showNotice({ isError: false, ...(typeof said === 'string' ? { text: said } : said) });
    return true;
  } catch (error) {
    if (!isAborted(error)) showNotice({ text: textOf(error), isError: true });
    return false;
  }
}

/** Loads data without an action of the user. Never replaces or clears a shown error. @returns whether the data was loaded */
export async function loadQuietly(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    const isKnown = isAborted(error) || error instanceof TypeError || (error instanceof ApiError && error.isExplained);
    if (!isKnown && !notices.peek().some(({ isError }) => isError)) showNotice({ text: textOf(error), isError: true });
    return false;
  }
}

/** A count with its noun: `1 timer`, `3 timers`. */
export const countText = (count: number, noun: string): string => `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
