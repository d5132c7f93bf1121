/** Returns the short amount of work, or the long one under `npm run test:long`. */
export function inLength<T>(short: T, long: T): T {
  return process.env['LONG_RUNS'] === undefined ? short : long;
}
