import { signal } from '@preact/signals';
import { ApiError } from './api.js';

/** The result of an action: a message, and how to undo the action if possible. */
export interface Outcome {
  readonly text: string;
  /** Undoes the action. */
  readonly undo?: () => Promise<unknown>;
}

/** The outcome of the last action, or its error. */
export interface Notice extends Outcome {
  readonly isError: boolean;
}

/** The notice at the bottom of the page, until the user closes it or starts another action; null without one. */
export const notice = signal<Notice | null>(null);

/** The message to show after an action, or a function that returns the message. */
export type Done<T> = string | ((result: T) => string | Outcome);

function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

function textOf(error: unknown): string {
  if (error instanceof ApiError) return `${error.code}: ${error.message}`;
  return error instanceof TypeError ? 'The sandbox does not respond.' : (error as Error).message;
}

/**
 * Runs an action of the user, and replaces the notice by the message or the error of this action.
 * @returns whether the action succeeded
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

/** Loads data without an action of the user. Never replaces or clears a shown error. @returns whether the data was loaded */
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
