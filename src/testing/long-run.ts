/** True under `npm run test:long`. */
export const isLong = process.env['LONG_RUNS'] !== undefined;

/** Returns `long` under `npm run test:long`, otherwise `short`. */
export function inLength<T>(short: T, long: T): T {
  return isLong ? long : short;
}
