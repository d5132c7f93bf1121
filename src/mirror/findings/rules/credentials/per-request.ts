import type { Call } from '../../call.js';
import type { Remembered } from '../../memory.js';
import { defineRule } from '../../rule.js';
import { ask, token } from '../../script.js';
import { claimsIn } from './ours.js';

/** The tokens that came over one connection, one after another. */
interface Connection extends Remembered {
  readonly token: string;
  /** When the token ends, in milliseconds of world time. */
  readonly endsMs: number;
  /** How many tokens in a row were put aside after one call, though they were good for longer. */
  readonly wasted: number;
}

const least = 5;
/** How much longer a token has to be good to be called wasted. */
const goodMs = 300_000;

/** When the token of a call ends by its own words; null when it does not say. */
function endOf({ seen }: Call): number | null {
  const { exp } = claimsIn(seen.header('authorization') ?? '');
  return typeof exp === 'number' ? exp * 1000 : null;
}

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
    mustNotFire: Array.from({ length: 5 }, (_each, index) => [
      token('token', `process ${index}`),
      ask('listAccounts', { connection: `process ${index}` }),
    ]).flat(),
  },
  watch({ shelf, sight }) {
    const connections = shelf<Connection>(60);
    const calls = shelf<Remembered & { times: number }>(16);
    return {
      exchange(call) {
        const { seen, id, operationId, token: given } = call;
        if (seen.connection === null || given === null || operationId === 'createToken' || seen.status === 401) return;
        const place = String(seen.connection);
        const use = calls.get(given);
        if (use) {
          use.times += 1;
          return;
        }
        calls.set(given, { ref: id, times: 1 });
        const before = connections.get(place);
        const endsMs = endOf(call);
        const { worldMs } = seen.began;
        if (endsMs === null || worldMs === null) return connections.delete(place);
        const isWasted = before !== undefined && before.endsMs - worldMs > goodMs && calls.get(before.token)?.times === 1;
        const wasted = isWasted ? before.wasted + 1 : 0;
        connections.set(place, { ref: id, token: given, endsMs, wasted });
        if (wasted < least - 1) return;
        sight({
          ...call.place,
          evidence: [
            { ref: before!.ref, what: 'The only call of a token that was good for longer.' },
            { ref: id, what: `The next call over the same connection has token ${wasted + 1} in a row.` },
          ],
        });
      },
    };
  },
});
