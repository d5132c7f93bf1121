import { expect } from 'vitest';

/** Matches any id. */
export const id = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as string;

/** Matches any instant in a response. */
export const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

/** An amount as the API shows it. */
export function amount(value: string, asset: string, decimals: number) {
  return { value, asset, decimals };
}

/** A state as the API shows it, whenever it was entered. */
export function state(status: string, reason: unknown = null) {
  return { status, createdAt: instant, reason };
}

/** Who owns the first account of the fixtures. */
export const aurora = 'Aurora Comércio Exterior Ltda';
