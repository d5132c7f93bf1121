import { describe, expect, it } from 'vitest';
import { useHarness } from '../../../testing/harness.js';
import { fractions } from '../../../testing/chance.js';
import { requestOf } from '../../../testing/request-record.js';
import { inLength } from '../../../testing/long-run.js';
import { Session } from '../../../world/session.js';
import type { RequestRecord } from '../../../exchange/exchange.js';
import type { World } from '../../../world/world.js';
import { DomainError } from '../../../domain/errors.js';
import type { VerifyRequest } from '../../../contract/control/analysis/verify.js';
import { TestMarkers } from '../../project/test-markers.js';
import { CallRecord } from '../../views/record.js';
import { Verification } from './verify.js';

const harness = useHarness();

/** An entry of a complete log of the requests, without eviction. */
interface Logged {
  readonly operationId: string;
  readonly amount: string;
}

/** Returns a finished request; its body may be long enough to be cut. */
function callOf({ operationId, amount }: Logged, padding: number): RequestRecord {
  if (operationId === 'listAccounts') return requestOf({ operationId });
  const text = JSON.stringify({ accountId: 'x'.repeat(padding), quoteId: amount });
  const body = { mediaType: 'application/json', size: text.length, text, value: undefined, file: null };
  return requestOf({ operationId, method: 'POST', body });
}

/** Returns the result of a verification: satisfied, failed, or unknown. */
async function verdictOf(
  record: CallRecord,
  testMarkers: TestMarkers,
  world: World,
  request: VerifyRequest,
): Promise<'MATCH' | 'NO_MATCH' | 'UNKNOWN'> {
  const session = new Session(world, 'test', {
    overtaken: () => new Error('overtaken'),
    admit: () => undefined,
    admitBytes: () => undefined,
    ended: () => undefined,
  });
  try {
    await new Verification(record, testMarkers, session, request).run();
    return 'MATCH';
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'VERIFICATION_FAILED') throw error;
    return error.details['reason'] === 'INCONCLUSIVE' ? 'UNKNOWN' : 'NO_MATCH';
  }
}

/** Returns the expected result of a verification, computed from the complete log. */
function truth(log: readonly Logged[], { match, count, atLeast, atMost, noOthers, sequence }: VerifyRequest): boolean {
  const fits = (each: Logged, wanted: Readonly<Record<string, unknown>>) =>
    (wanted['operationId'] === undefined || wanted['operationId'] === each.operationId) &&
    (wanted['body.quoteId'] === undefined || (each.operationId !== 'listAccounts' && wanted['body.quoteId'] === each.amount));
  if (sequence) {
    let at = 0;
    for (const each of log) if (at < sequence.length && fits(each, sequence[at]!)) at += 1;
    return at === sequence.length;
  }
  const found = log.filter((each) => fits(each, match!)).length;
  const least = count ?? atLeast ?? (atMost === undefined ? 1 : 0);
  return found >= least && found <= (count ?? atMost ?? Infinity) && (!noOthers || found === log.length);
}

describe('a verification with evicted entries', () => {
  it('agrees with a log of all requests, or is inconclusive', async () => {
    const chance = fractions(11);
    const draw = <T>(values: readonly T[]): T => values[Math.floor(chance() * values.length)]!;
    const world = harness.sandbox.world('default');
    const verdicts = { MATCH: 0, NO_MATCH: 0, UNKNOWN: 0 };
    for (let round = 0; round < inLength(60, 1000); round += 1) {
      const testMarkers = new TestMarkers();
      const bound = draw([40, 100, 100_000]) * 1024;
      const record = new CallRecord({ testMarkers, maxBytes: bound, secrets: [], realNow: Date.now });
      const log: Logged[] = [];
      for (let left = Math.floor(chance() * 40); left > 0; left -= 1) {
        const logged = { operationId: draw(['createWithdrawal', 'createDeposit', 'listAccounts']), amount: draw(['1.00', '2.00']) };
        log.push(logged);
        record.responded(world, callOf(logged, draw([10, 3000, 20_000])));
      }
      const condition = () => ({
        ...(chance() < 0.8 ? { operationId: draw(['createWithdrawal', 'createDeposit']) } : {}),
        ...(chance() < 0.5 ? { 'body.quoteId': draw(['1.00', '2.00']) } : {}),
        status: 200,
      });
      for (let question = 0; question < 8; question += 1) {
        const number = Math.floor(chance() * 8);
        const request: VerifyRequest = draw([
          { match: condition(), count: number },
          { match: condition(), atLeast: number },
          { match: condition(), atMost: number },
          { match: condition(), noOthers: true },
          { sequence: [condition(), condition(), condition()] },
        ]);
        const verdict = await verdictOf(record, testMarkers, world, request);
        verdicts[verdict] += 1;
        const isTrue = truth(log, request) ? 'MATCH' : 'NO_MATCH';
        expect([isTrue, 'UNKNOWN'], `round ${round}: ${JSON.stringify(request)} of ${log.length}`).toContain(verdict);
        if (bound > 1_000_000 && !JSON.stringify(request).includes('body')) expect(verdict).toBe(isTrue);
      }
    }
    // Each of the three results occurs.
    expect(Math.min(...Object.values(verdicts))).toBeGreaterThan(20);
  });

  /** Adds more reads (lists) or writes (deposits) than a world stores. */
  const forget: Readonly<Record<'reads' | 'writes', (record: CallRecord, world: World) => void>> = {
    reads: (record, world) => {
      const response = { headers: {}, body: JSON.stringify('x'.repeat(4000)), value: undefined };
      for (let count = 0; count < 700; count += 1) record.responded(world, requestOf({ operationId: 'listAccounts', response }));
    },
    writes: (record, world) => {
      for (let count = 0; count < 700; count += 1)
        record.responded(world, callOf({ operationId: 'createDeposit', amount: '1.00' }, 15_000));
    },
  };
  const paid = { operationId: 'createWithdrawal' };

  it.each<[string, 'reads' | 'writes', VerifyRequest, 'MATCH' | 'NO_MATCH' | 'UNKNOWN']>([
    ['exactly one payment', 'reads', { match: paid, count: 1 }, 'MATCH'],
    ['no payment, although there is one,', 'reads', { match: paid, count: 0 }, 'NO_MATCH'],
    ['a swap that was never requested', 'reads', { match: { operationId: 'createSwap' } }, 'NO_MATCH'],
    ['a webhook that was never sent', 'reads', { match: { eventType: 'OPERATION_COMPLETED' } }, 'NO_MATCH'],
    ['at most 700 lists', 'reads', { match: { operationId: 'listAccounts' }, atMost: 700 }, 'UNKNOWN'],
    ['at most 1000 requests of any operation', 'reads', { match: { status: 200 }, atMost: 1000 }, 'UNKNOWN'],
    ['only POST requests, although there is a GET request,', 'reads', { match: { method: 'POST' }, noOthers: true }, 'NO_MATCH'],
    ['two payments without a request between them', 'reads', { sequence: [paid, paid], strict: true }, 'UNKNOWN'],
    ['two payments in order, although there is one,', 'reads', { sequence: [paid, paid] }, 'NO_MATCH'],
    ['exactly one payment', 'writes', { match: paid, count: 1 }, 'UNKNOWN'],
    ['a swap that may be evicted', 'writes', { match: { operationId: 'createSwap' } }, 'UNKNOWN'],
    ['no webhook of a type', 'writes', { match: { eventType: 'OPERATION_COMPLETED' }, count: 0 }, 'UNKNOWN'],
    ['exactly one list', 'writes', { match: { operationId: 'listAccounts' }, count: 1 }, 'MATCH'],
  ])('for %s has the right result after %s were evicted', async (_what, sort, request, expected) => {
    const world = harness.sandbox.world('default');
    const testMarkers = new TestMarkers();
    const record = new CallRecord({ testMarkers, maxBytes: 64 * 1024 * 1024, secrets: [], realNow: Date.now });
    forget[sort](record, world);
    record.responded(world, callOf({ operationId: 'createWithdrawal', amount: '1.00' }, 10));
    if (sort === 'writes') record.responded(world, requestOf({ operationId: 'listAccounts' }));
    expect(record.of(world).gone[sort].count).toBeGreaterThan(0);
    expect(await verdictOf(record, testMarkers, world, request)).toBe(expected);
  });

  it.each(['reads', 'writes'] as const)('is conclusive if only %s before its scope were evicted', async (sort) => {
    const world = harness.sandbox.world('default');
    const testMarkers = new TestMarkers();
    const record = new CallRecord({ testMarkers, maxBytes: 64 * 1024 * 1024, secrets: [], realNow: Date.now });
    forget[sort](record, world);
    const last = requestOf({ operationId: 'listAccounts' });
    record.responded(world, last);
    record.responded(world, callOf({ operationId: 'createWithdrawal', amount: '1.00' }, 10));
    expect(await verdictOf(record, testMarkers, world, { match: { status: 200 }, count: 1, noOthers: true, since: last.id })).toBe('MATCH');
  });
});
