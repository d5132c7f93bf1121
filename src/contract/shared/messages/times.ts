/** Difference below which a real time and a world time count as equal, in milliseconds. */
const sameMs = 1000;

/**
 * Returns a real time, with the world time beside it if they differ; the world time alone if the real time is not recorded.
 * @param at world time; null if it is unknown
 * @param realAt real time; undefined if it is not recorded
 */
export function timesText(at: string | null, realAt: string | undefined): string {
  if (realAt === undefined) return at === null ? '' : `world time ${at}`;
  const differs = at !== null && Math.abs(Date.parse(at) - Date.parse(realAt)) >= sameMs;
  return differs ? `${realAt} (world time ${at})` : realAt;
}
