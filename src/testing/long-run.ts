/** How much a test does: enough for each change, or, under `npm run test:long`, as much as a release deserves. */
export function inLength<T>(short: T, long: T): T {
  return process.env['LONG_RUNS'] === undefined ? short : long;
}
