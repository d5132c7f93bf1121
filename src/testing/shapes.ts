import { expect } from 'vitest';

/** Matches any id. */
export const id = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as string;

/** Matches any timestamp in a response. */
export const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

/** Returns an amount as the API shows it. */
export function amount(value: string, asset: string, decimals: number) {
  return { value, asset, decimals };
}

/** Returns a state as the API shows it, entered at any time. */
export function state(status: string, reason: unknown = null) {
  return { status, createdAt: instant, reason };
}

/** Owner of the first account of the fixtures. */
export const firstOwnerName = 'Aurora Comércio Exterior Ltda';
