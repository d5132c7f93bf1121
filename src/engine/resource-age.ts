import type { View } from '../world/view.js';

/** The tables of resources whose ids can end a path, and whose rows have a creation time. */
const tables = ['operations', 'accounts', 'beneficiaries', 'documents', 'subscriptions', 'executionLogs'] as const;

/**
 * Returns the age of the resource that a path ends with, in milliseconds of world time; null if there is none.
 * @param at world time at which the age is measured
 */
export function resourceAgeMs(view: View, path: string, at = view.now): number | null {
  const id = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  for (const table of tables) {
    const row = view.get(table, id);
    if (row) return Date.parse(at) - Date.parse(row.createdAt);
  }
  return null;
}
