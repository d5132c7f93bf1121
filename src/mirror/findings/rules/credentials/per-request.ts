import type { Remembered } from '../../memory.js';
import { defineRule, type Sighted } from '../../rule.js';
import { ask, token } from '../../script.js';

/** Tokens in a row that were put aside after one call, though they were good for longer. */
interface Series {
  wasted: number;
  sighted: Sighted | null;
}

/** The tokens that came over one connection, one after another. */
interface Connection extends Remembered {
  readonly token: string;
  /** When the token ends, in milliseconds of world time. */
  readonly endsMs: number;
  /** Those before it. */
  readonly series: Series;
}

/** What a token was used for. */
interface Use extends Remembered {
  times: number;
  /** The row in which it was put aside; null as long as it is the newest of its connection. */
  series: Series | null;
}

const least = 5;
/** How much longer a token has to be good to be called wasted. */
const goodMs = 300_000;

/** Clients that take turns on one connection. */
const turns = ['one', 'two', 'three', 'four', 'five', 'six'];

export const perRequest = defineRule({
  id: 'token.per-request',
  label: 'NEAR',
  severity: 'WARNING',
  title: 'Each call brought a token of its own',
  advice:
    'Keep a token until shortly before it ends, and share it: it is good for an hour, and asking for one takes longer than most calls.',
  rival: 'Several short-lived processes share one connection.',
  records: {
    fires: Array.from({ length: 5 }, () => [token(), ask('listAccounts')]).flat(),
    mustNotFire: [
      ...Array.from({ length: 5 }, (_each, index) => [
        token('token', `process ${index}`),
        ask('listAccounts', { connection: `process ${index}` }),
      ]).flat(),
      ...turns.flatMap((each) => [token(each), ask('listAccounts', { token: each })]),
      ...turns.map((each) => ask('listAccounts', { token: each })),
    ],
  },
  watch({ shelf, sight }) {
    const connections = shelf<Connection>(60);
    const calls = shelf<Use>(24);
    return {
      exchange(call) {
        const { seen, id, operationId, token: given } = call;
        if (seen.connection === null || given === null || operationId === 'createToken' || seen.status === 401) return;
        const place = String(seen.connection);
        const use = calls.get(given);
        if (use) {
          use.times += 1;
          // It was kept after all, as by one of several clients that take turns.
          if (use.series) {
            use.series.sighted?.withdraw();
            Object.assign(use.series, { wasted: 0, sighted: null });
            use.series = null;
          }
          return;
        }
        calls.set(given, { ref: id, times: 1, series: null });
        const before = connections.get(place);
        const endsMs = seen.tokenEndsMs;
        const { worldMs } = seen.began;
        if (endsMs === null || worldMs === null) return connections.delete(place);
        const last = before && calls.get(before.token);
        const isWasted = before !== undefined && before.endsMs - worldMs > goodMs && last?.times === 1;
        const series = isWasted ? before.series : { wasted: 0, sighted: null };
        if (isWasted) {
          series.wasted += 1;
          last.series = series;
        }
        connections.set(place, { ref: id, token: given, endsMs, series });
        if (series.wasted < least - 1 || series.sighted) return;
        series.sighted = sight({
          ...call.place,
          evidence: [
            { ref: before!.ref, what: 'The only call of a token that was good for longer.' },
            { ref: id, what: `The next call over the same connection has token ${series.wasted + 1} in a row.` },
          ],
        });
      },
    };
  },
});
