import type { Remembered } from '../../lru-map.js';
import { defineRule, type Retractable } from '../../rule.js';
import { ask, token } from '../../script.js';

/** Consecutive tokens that were each used once, though they were valid for longer. */
interface Series {
  wasted: number;
  reported: Retractable | null;
}

/** The newest token of a connection. */
interface Connection extends Remembered {
  readonly token: string;
  /** Expiry of the token, in milliseconds of world time. */
  readonly endsMs: number;
  /** The wasted tokens before this token. */
  readonly series: Series;
  readonly test: string | null;
}

/** The uses of a token. */
interface Use extends Remembered {
  times: number;
  /** The series that counts the token as wasted; null while the token is the newest of its connection. */
  series: Series | null;
}

const least = 5;
/** Minimum remaining validity of a wasted token, in milliseconds. */
const goodMs = 300_000;

/** Names of clients that share one connection. */
const turns = ['one', 'two', 'three', 'four', 'five', 'six'];

export const perRequest = defineRule({
  id: 'token.per-request',
  confidence: 'LIKELY',
  severity: 'WARNING',
  title: 'Each request used a new token',
  advice:
    'Reuse a token until shortly before it expires, and share it. A token is valid for an hour, and a token request takes longer than most requests.',
  alternativeExplanation: 'Several short-lived processes share one connection.',
  examples: {
    invalid: Array.from({ length: 5 }, () => [token(), ask('listAccounts')]).flat(),
    valid: [
      ...Array.from({ length: 5 }, (_each, index) => [
        token('token', `process ${index}`),
        ask('listAccounts', { connection: `process ${index}` }),
      ]).flat(),
      ...turns.flatMap((each) => [token(each), ask('listAccounts', { token: each })]),
      ...turns.map((each) => ask('listAccounts', { token: each })),
    ],
  },
  create({ lruMap, report }) {
    const connections = lruMap<Connection>(60);
    const calls = lruMap<Use>(24);
    return {
      exchange(call) {
        const { record, id, operationId, token: given } = call;
        if (record.connection === null || given === null || operationId === 'createToken' || record.status === 401) return;
        const use = calls.get(given);
        if (use) {
          use.times += 1;
          // The token was reused after all, for example by one of several clients on the connection.
          if (use.series) {
            use.series.reported?.retract();
            Object.assign(use.series, { wasted: 0, reported: null });
            use.series = null;
          }
          return;
        }
        calls.set(given, { ref: id, times: 1, series: null });
        // A process that ends with its connection cannot keep its token, so only requests over one connection are compared.
        const own = String(record.connection);
        const last = connections.get(own);
        const before = last?.test === call.test ? last : undefined;
        const endsMs = record.tokenEndsMs;
        const { worldMs } = record.began;
        if (endsMs === null || worldMs === null) return connections.delete(own);
        const lastUse = before && calls.get(before.token);
        const isWasted = before !== undefined && before.endsMs - worldMs > goodMs && lastUse?.times === 1;
        const series = isWasted ? before.series : { wasted: 0, reported: null };
        if (isWasted) {
          series.wasted += 1;
          lastUse.series = series;
        }
        connections.set(own, { ref: id, token: given, endsMs, series, test: call.test });
        if (series.wasted < least - 1 || series.reported) return;
        series.reported = report({
          ...call.place,
          evidence: [
            { ref: before!.ref, what: 'This was the only request with a token that was valid for longer.' },
            { ref: id, what: `The next request of the same client uses new token number ${series.wasted + 1} in a row.` },
          ],
        });
      },
    };
  },
});
