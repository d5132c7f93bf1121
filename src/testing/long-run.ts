/** Returns `long` under `npm run test:long`, otherwise `short`. */
export function inLength<T>(short: T, long: T): T {
  return process.env['LONG_RUNS'] === undefined ? short : long;
}
