import type { Remembered } from '../../lru-map.js';
import { defineRule } from '../../rule.js';
import { ask, token } from '../../script.js';

/** The token requests of one client within a second. */
interface Burst extends Remembered {
  readonly realMs: number;
  /** World time of the first request. */
  readonly at: string;
  /** Order of the response with the first token. */
  readonly order: number;
  readonly test: string | null;
  readonly connections: ReadonlySet<number | null>;
}

/** Maximum length of a burst, in milliseconds of real time and of world time: a clock that advances may expire tokens. */
const spanMs = 1000;
/** Number of connections with token requests from which the rule reports. */
const least = 4;
const workers = ['one', 'two', 'three', 'four'];

export const stampede = defineRule({
  id: 'token.stampede',
  confidence: 'LIKELY',
  severity: 'WARNING',
  title: 'Several workers requested tokens at the same time although one had just been issued',
  advice: 'Let one worker request the new token while the others wait for it, and share it between all of them.',
  alternativeExplanation: 'The workers are separate processes that cannot share a token.',
  implies: ['token.per-request'],
  examples: {
    invalid: [
      ...workers.map((connection) => ask('listAccounts', { connection })),
      ...workers.map((connection) => token('token', connection)),
    ],
    valid: [
      ...workers.map((connection) => token('token', connection)),
      ...workers.map((connection) => ask('listAccounts', { connection })),
    ],
  },
  create({ lruMap, report }) {
    const bursts = lruMap<Burst>(60);
    return {
      operations: new Set(['createToken']),
      exchange(call) {
        const { record, id, test, at } = call;
        if (record.status >= 300 || !call.isDelivered) return;
        // A starting process requests its first token. This rule is about clients that have sent requests before.
        if (call.opensConnection) return;
        const client = call.userAgent;
        const burst = bursts.get(client);
        const isOver = burst && (record.began.realMs - burst.realMs > spanMs || Date.parse(at) - Date.parse(burst.at) > spanMs);
        if (!burst || burst.test !== test || isOver) {
          bursts.set(client, {
            ref: id,
            realMs: record.began.realMs,
            at,
            order: record.ended.order,
            test,
            connections: new Set([record.connection]),
          });
          return;
        }
        if (!call.isAfter(burst.order)) return;
        const connections = new Set([...burst.connections, record.connection]);
        const isNew = connections.size > burst.connections.size;
        bursts.set(client, { ...burst, connections });
        if (!isNew || connections.size !== least) return;
        report({
          ...call.place,
          evidence: [
            { ref: burst.ref, what: 'The response returned a new token.' },
            { ref: id, what: `${least} workers requested tokens within a second, after the first of them was issued.` },
          ],
        });
      },
    };
  },
});
