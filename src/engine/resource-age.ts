import type { View } from '../world/view.js';

/** The tables of resources whose ids can end a path, and whose rows have a creation time. */
const tables = ['operations', 'accounts', 'beneficiaries', 'documents', 'subscriptions', 'executionLogs'] as const;

/** Returns the age of the resource that a path ends with, in milliseconds of world time; null if there is none. */
export function resourceAgeMs(view: View, path: string): number | null {
  const id = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  for (const table of tables) {
    const row = view.get(table, id);
    if (row) return Date.parse(view.now) - Date.parse(row.createdAt);
  }
  return null;
}
