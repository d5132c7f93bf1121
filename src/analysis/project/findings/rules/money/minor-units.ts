import type { Amount } from '../../../../../contract/shared/common.js';
import { timestampOf } from '../../../../../domain/context.js';
import { current } from '../../../../../domain/machine.js';
import { minorUnits } from '../../../../../domain/money.js';
import type { OperationRecord } from '../../../../../domain/operations/operation.js';
import { listOf, objectOf, type Call } from '../../call.js';
import type { Remembered } from '../../lru-map.js';
import type { Moved } from '../../moved.js';
import type { Payment } from '../../payments.js';
import { defineRule, type Detection, type Retractable } from '../../rule.js';
import { quote, transfer } from '../../script.js';
import { amountOperations, amountsOf } from './amounts.js';

const decimal = /^[0-9]{1,12}\.[0-9]{1,8}$/;
const integer = /^[1-9][0-9]{2,14}$/;

/** Returns an amount in minor units as a decimal string: 15000 with 2 decimals is 150.00. */
const shifted = (digits: string, decimals: number) => {
  const padded = digits.padStart(decimals + 1, '0');
  return `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`;
};

/** Returns the amounts with a decimal point in a request, and those of its quote, with as many decimal places as their assets have. */
function knownAmounts(call: Call): string[] {
  const own = amountsOf(call).flatMap(({ value, decimals }) =>
    typeof value === 'string' && decimals !== null && decimal.test(value) ? [Number(value).toFixed(decimals)] : [],
  );
  const { sourceAmount, targetAmount } = call.responseBody;
  const quoted = listOf([sourceAmount, targetAmount]).flatMap((each) => (typeof each['value'] === 'string' ? [each['value']] : []));
  return [...own, ...(call.operationId === 'createQuote' && call.record.status < 300 ? quoted : [])];
}

/** Returns the money that an operation moves in excess if its amount is in minor units; none if it failed. */
function excessOf({ requestedAmount: { decimals }, sourceAmount: { asset, value }, states }: OperationRecord): Moved[] {
  const minor = minorUnits(value);
  return current(states).status === 'FAILED' ? [] : [{ asset, minor: minor - minor / 10n ** BigInt(decimals) }];
}

/** True if an amount in minor units has cents: a hundred times 25.00 may be intended, a hundred times 25.31 hardly. */
const wouldHaveCents = ({ value, decimals }: Amount) => minorUnits(value) % 100n ** BigInt(decimals) !== 0n;

/** Number of payments, all of whole units, from which the rule reports. */
const leastPayments = 5;
const leastWhole = 100;

/**
 * True if amounts look like cents: all are whole, none is small and most are large. Prices in cents have all digits, while amounts that
 * people choose end with zeros.
 */
function areCents(amounts: readonly Amount[]): boolean {
  if (amounts.length < leastPayments) return false;
  const isWhole = amounts.every(({ value, decimals }) => decimals === 2 && value.endsWith('.00') && value.length >= '100.00'.length);
  const values = [...new Set(amounts.map(({ value }) => value))];
  return isWhole && 2 * values.filter((value) => !value.endsWith('0.00') && value.length >= '1000.00'.length).length >= values.length;
}

export const amountInMinorUnits = defineRule({
  id: 'money.minor-units',
  confidence: 'LIKELY',
  severity: 'ERROR',
  title: 'An amount was sent in minor units',
  advice: 'Amounts are decimal strings in units of the asset: 150 reais are "150.00", not "15000". Convert cents before you send them.',
  alternativeExplanation: 'A payment a hundred times as large was intended.',
  examples: {
    invalid: [quote({ sourceAmount: '150.00' }), transfer({ value: '15000' })],
    valid: [quote({ sourceAmount: '150.00' }), transfer({ value: '150' }), transfer({ value: '1500' })],
  },
  create({ lruMap, report, payments, world }) {
    const amounts = lruMap<Remembered>(20);
    /** The transfers and quotes with a decimal point in an amount. A client that pays with one sends no minor units. */
    const written = lruMap<Remembered>(20);
    /** The detection about all payments of a test run, and the number of these payments. */
    const runs = lruMap<Remembered & { readonly reported: Retractable; readonly count: number }>(1);
    /** The entries of both maps belong to no request: if its client disconnects, they remain true. */
    const ref = '';
    /** The detections without a payment, by the quote. */
    const suspects = lruMap<Remembered & { readonly detection: Detection; readonly reported: Retractable }>(200);
    /** The detections of payments with excess money, by the operation. */
    const excessive = lruMap<Remembered & { readonly detection: Detection; readonly reported: Retractable }>(200);
    const reportPaid = (detection: Detection, { id, request }: Payment) => {
      const operation = world.row('operations', id);
      const due = operation && wouldHaveCents(operation.requestedAmount) ? excessOf(operation) : [];
      const reported = report({ ...detection, due });
      if (due.length > 0) excessive.set(id, { ref: request, detection, reported });
    };
    payments.onChange((payment, isNew) => {
      const quoteId = isNew && suspects.size > 0 ? world.row('operations', payment.id)?.quote.id : undefined;
      const suspect = quoteId === undefined ? undefined : suspects.get(quoteId);
      if (!suspect) return;
      suspects.delete(quoteId!);
      suspect.reported.retract();
      reportPaid(suspect.detection, payment);
    });
    return {
      operations: amountOperations,
      exchange(call) {
        const { id } = call;
        if (Object.keys(objectOf(call.body)).length === 0) return;
        const given = amountsOf(call);
        for (const { field, value, decimals } of given) {
          const digits = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
          if (decimals === null || decimals === 0 || !integer.test(digits)) continue;
          const meant = shifted(digits, decimals);
          const first = amounts.get(meant);
          if (!first) continue;
          const detection = {
            ...call.place,
            evidence: [
              { ref: first.ref, what: `This request or its response has the amount ${meant}.` },
              { ref: id, what: `${field} is ${digits}, which is ${meant} in minor units.` },
            ],
          };
          const paid = payments.madeBy(call);
          if (paid) reportPaid(detection, paid);
          else {
            const reported = report(detection);
            if (call.madeId !== null && !suspects.get(call.madeId)) suspects.set(call.madeId, { ref: id, detection, reported });
          }
        }
        const isWritten = call.madeId !== null && given.some(({ value }) => typeof value === 'string' && decimal.test(value));
        if (isWritten) written.set(call.madeId, { ref });
        for (const amount of knownAmounts(call)) if (!amounts.get(amount)) amounts.set(amount, { ref: id });
      },
      committed(changes) {
        if (excessive.size === 0) return;
        for (const { table, row } of changes) {
          const operation = table === 'operations' ? (row as OperationRecord | null) : null;
          const known = operation && current(operation.states).status === 'FAILED' ? excessive.get(operation.id) : undefined;
          if (!known) continue;
          excessive.delete(operation!.id);
          known.reported.retract();
          report(known.detection);
        }
      },
      end() {
        const paid = payments.all().flatMap((payment) => {
          const operation = world.row('operations', payment.id);
          return operation ? [{ ...payment, operation }] : [];
        });
        const isWritten = ({ id, quote: { id: quoteId } }: OperationRecord) =>
          written.get(id) !== undefined || written.get(quoteId) !== undefined;
        const isSuspect =
          !paid.some(({ operation }) => isWritten(operation)) &&
          areCents(paid.map(({ operation }) => operation.requestedAmount)) &&
          world.hasCents();
        const known = runs.get('');
        if ((known?.count ?? 0) === (isSuspect ? paid.length : 0)) return;
        known?.reported.retract();
        runs.delete('');
        const [first, last] = [paid[0], paid.at(-1)];
        if (!isSuspect || !first || !last) return;
        const reported = report({
          about: { operationId: first.operationId },
          test: last.test,
          at: timestampOf(last.atMs),
          evidence: [
            { ref: first.request, what: `The first of ${paid.length} payments, all of whole units and none below ${leastWhole}.` },
            { ref: last.request, what: 'The last of them. The other amounts of the world have cents.' },
          ],
          due: paid.flatMap(({ operation }) => excessOf(operation)),
        });
        runs.set('', { ref, reported, count: paid.length });
      },
    };
  },
});
