import { signal } from '@preact/signals';
import { ApiError } from './api.js';

/** The result of an action: a sentence, and how to undo it if possible. */
export interface Outcome {
  readonly text: string;
  /** Takes it back. */
  readonly undo?: () => Promise<unknown>;
}

/** The outcome of the last act, or an error. */
export interface Notice extends Outcome {
  readonly isError: boolean;
}

/** The notice at the foot of the page, until it is closed or the user acts again; null without one. */
export const notice = signal<Notice | null>(null);

/** The text after an action, or a function that returns it. */
export type Done<T> = string | ((result: T) => string | Outcome);

function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

function textOf(error: unknown): string {
  if (error instanceof ApiError) return `${error.code}: ${error.message}`;
  return error instanceof TypeError ? 'The sandbox does not respond.' : (error as Error).message;
}

/**
 * Does something that the user asked for. It replaces what the page said before: with an error if it fails, else with what was done.
 * @returns whether it was done
 */
export async function attempt<T>(act: () => Promise<T>, done?: Done<T>): Promise<boolean> {
  notice.value = null;
  try {
    const result = await act();
    const said = typeof done === 'function' ? done(result) : done;
    if (said !== undefined) notice.value = { isError: false, ...(typeof said === 'string' ? { text: said } : said) };
    return true;
  } catch (error) {
    if (!isAborted(error)) notice.value = { text: textOf(error), isError: true };
    return false;
  }
}

/** Loads something that nobody asked for just now. Its failure never replaces an error that is shown, and its success clears none. */
export async function load(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    const isKnown = isAborted(error) || error instanceof TypeError || (error instanceof ApiError && error.isExplained);
    if (!isKnown && notice.peek()?.isError !== true) notice.value = { text: textOf(error), isError: true };
    return false;
  }
}

/** A count with its noun: `1 timer`, `3 timers`. */
export const counted = (count: number, noun: string): string => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
