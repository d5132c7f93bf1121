import type { Reconciliation } from '../../../contract/control/analysis/reconcile.js';
import type { RecordedCall } from '../../../contract/control/analysis/record.js';
import type { Interruptible } from '../../../domain/interruptible.js';
import type { World } from '../../../world/world.js';
import type { FindingStore } from '../../project/findings/finding-store.js';
import type { CallRecord } from '../../views/record.js';
import { explainCause } from '../why/causes.js';
import type { RecordedRequests } from '../why/recorded-requests.js';
import { compareBalances } from './compare-balances.js';
import { compareEntries } from './compare-entries.js';
import { compareOperations } from './compare-operations.js';
import type { Comparison } from './comparison.js';
import { DifferenceList } from './difference-list.js';
import { Knowledge } from './knowledge.js';
import { Matcher } from './match.js';
import { Reads } from './reads.js';
import type { Records } from './records.js';
import { Truth } from './truth.js';

/** The world of a reconciliation, with its recorded requests and its findings. */
export interface Subject {
  readonly world: World;
  readonly generation: number;
  readonly record: CallRecord;
  readonly findings: FindingStore;
}

/** Compares the records of a client with a world. Changes nothing. */
export function* reconcile({ world, generation, record, findings }: Subject, records: Records): Interruptible<Reconciliation> {
  const asOf = records.asOf ?? new Date(world.nowMs()).toISOString();
  const truth = yield* Truth.read(world.state, asOf);
  const reads = yield* Reads.of(record, world, generation);
  const matcher = yield* Matcher.of(truth, world, reads);
  const knowledge = new Knowledge(world, reads, findings, asOf);
  const list = new DifferenceList();
  const comparison: Comparison = { records, truth, matcher, knowledge, list };
  const operations = records.operations ? yield* compareOperations(comparison, records.operations) : 0;
  const entries = records.entries ? yield* compareEntries(comparison, records.entries) : 0;
  const balances = records.balances ? yield* compareBalances(comparison, records.balances) : { matched: 0, balances: [], unexplained: [] };
  const recorded = {
    call: (id: string) => {
      const stored = reads.entry(id);
      return stored && (record.entry(world, stored) as RecordedCall);
    },
  };
  const { verdict, first, differences, omitted, pending, evicted } = yield* list.end((causes) => causeLines(recorded, causes));
  return {
    verdict,
    asOf,
    matched: operations + entries + balances.matched,
    first,
    differences,
    omitted,
    pending,
    balances: balances.balances,
    unexplained: balances.unexplained,
    evicted,
    ignoredColumns: [...records.ignoredColumns],
  };
}

/** Describes each cause once, in a line. */
function causeLines(recorded: Pick<RecordedRequests, 'call'>, causes: readonly string[]): string[] {
  return [...new Set(causes)].map((each) => {
    const { id, rule, call, summary } = explainCause(recorded, each);
    if (rule) return `rule "${rule.name}", step ${rule.step}`;
    if (!call) return summary;
    const key = call.idempotencyKey === null ? '' : `, key ${call.idempotencyKey}`;
    return `${call.method} ${call.path} (${id}${key})`;
  });
}
