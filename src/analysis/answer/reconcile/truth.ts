import { assetDecimals, type AssetCode } from '../../../contract/shared/common.js';
import type { Interruptible } from '../../../domain/interruptible.js';
import type { StateRecord } from '../../../domain/machine.js';
import { Decimal, minorUnits } from '../../../domain/money.js';
import { accountOfLedger, type LedgerEntry } from '../../../domain/operations/ledger.js';
import type { OperationRecord, OperationStatus } from '../../../domain/operations/operation.js';
import { rowsOf, type State } from '../../../world/state.js';

/** Number of items between two points at which work can be paused. */
export const itemsInStep = 64;

/** The cause id of all operations and postings that the fixtures created. */
const fixturesCause = 'fixtures';

/** A change of a customer's balance. */
export interface TruePosting {
  /** Position in the ledger. */
  readonly seq: number;
  readonly at: string;
  readonly entryId: string;
  readonly operation: OperationRecord | null;
  readonly account: string;
  readonly asset: AssetCode;
  readonly minor: bigint;
  readonly causeId: string;
}

/** Returns the id by which a client can book a posting: of its operation, or of its ledger entry if there is no operation. */
export const postingId = ({ operation, entryId }: TruePosting): string => operation?.id ?? entryId;

/** The operations and postings of a world as they were at one time. */
export class Truth {
  readonly asOf: string;
  /** All operations, including those after {@link asOf}. */
  readonly operations = new Map<string, OperationRecord>();
  /** Postings until {@link asOf} in the order of the ledger. */
  readonly postings: TruePosting[] = [];
  /** Ids of the operations and ledger entries with postings after {@link asOf}. */
  readonly laterIds = new Set<string>();

  private constructor(asOf: string) {
    this.asOf = asOf;
  }

  /** Reads the rows of a state. Copies all references first, so that later commits have no effect. */
  static *read(state: State, asOf: string): Interruptible<Truth> {
    const rows = new Map(rowsOf(state, ['operations', 'ledgerEntries']));
    const truth = new Truth(asOf);
    let count = 0;
    for (const operation of rows.get('operations') as readonly OperationRecord[]) {
      truth.operations.set(operation.id, operation);
      if ((count += 1) % itemsInStep === 0) yield;
    }
    for (const entry of rows.get('ledgerEntries') as readonly LedgerEntry[]) {
      truth.#add(entry);
      if ((count += 1) % itemsInStep === 0) yield;
    }
    return truth;
  }

  #add({ id, seq, at, operationId, causeId, postings }: LedgerEntry): void {
    if (at > this.asOf) return void this.laterIds.add(operationId ?? id);
    const operation = operationId === null ? null : (this.operations.get(operationId) ?? null);
    for (const { account: ledger, asset, amount } of postings) {
      const account = accountOfLedger(ledger);
      if (account !== null) this.postings.push({ seq, at, entryId: id, operation, account, asset, minor: minorUnits(amount), causeId });
    }
  }

  /** Returns the status of an operation at {@link asOf}; undefined if the operation did not exist yet. */
  stateOf({ states }: OperationRecord): StateRecord<OperationStatus> | undefined {
    return states.findLast(({ createdAt }) => createdAt <= this.asOf);
  }
}

/** True for an operation that the fixtures of a world made: no client has to book it. */
export const isFromFixtures = ({ states }: OperationRecord): boolean => states[0]!.causeId === fixturesCause;

/** True for a posting that the fixtures of a world made. */
export const isPostedByFixtures = ({ causeId, operation }: TruePosting): boolean =>
  causeId === fixturesCause || (operation !== null && isFromFixtures(operation));

/** Returns a claimed amount in minor units; null if it has more decimal places than its asset. */
export function minorOf(value: string, asset: AssetCode): bigint | null {
  const minor = new Decimal(value).times(new Decimal(10).pow(assetDecimals[asset]));
  return minor.isInteger() ? BigInt(minor.toFixed(0)) : null;
}

/** Returns minor units as a decimal. */
export const decimalOf = (minor: bigint, asset: AssetCode): Decimal =>
  new Decimal(minor.toString()).div(new Decimal(10).pow(assetDecimals[asset]));

/** Returns a decimal with at least the decimal places of its asset. */
export const decimalText = (value: Decimal, asset: AssetCode): string =>
  value.toFixed(Math.max(assetDecimals[asset], value.decimalPlaces()));
