import { amountOf, Decimal, minorUnits, type Rounding } from '../../../../../domain/money.js';
import { assetDecimals, type AssetCode } from '../../../../../contract/shared/common.js';
import { timestampOf } from '../../../../../domain/context.js';
import { current } from '../../../../../domain/machine.js';
import { listOf, movingOperations, objectOf, quotedOperations, textOf, type Call, type Json } from '../../call.js';
import type { RequestRecord } from '../../../../../exchange/exchange.js';
import type { Remembered } from '../../lru-map.js';
import type { Moved } from '../../moved.js';
import { endShownAt, isNeverShown, type Payment } from '../../payments.js';
import { defineRule, type Retractable } from '../../rule.js';
import { end, transfer } from '../../script.js';
import type { WorldFacts } from '../../world-facts.js';
import { amountOperations, amountsOf } from '../money/amounts.js';

/** The money that a request was meant to move. Any account of the client may pay it. */
interface Meant {
  readonly money: Moved;
  /** The amount rounded down and up, in minor units: a person may correct it to either. */
  readonly between: readonly [bigint, bigint];
}

/** A request or a failed payment that moved no money, with the amount that it was meant to move. */
interface Rejected extends Remembered, Meant {
  /** Id of the request, or of the failed payment. */
  readonly sourceId: string;
  readonly operationId: string;
  readonly order: number;
  readonly test: string | null;
  readonly purpose: string | null;
  readonly at: string;
  readonly why: 'AMOUNT' | 'HEADER' | 'CONFLICT' | 'TOKEN' | 'UNAVAILABLE' | 'QUOTE' | 'IN_REVIEW' | 'FINAL';
  /** Id of the beneficiary; empty without one. */
  readonly payee: string;
  readonly outcome: string;
  reported: Retractable | null;
}

/** A single request of the other kinds is usually a test of the error. */
const alone: ReadonlySet<Rejected['why']> = new Set(['AMOUNT', 'UNAVAILABLE']);
const leastAlike = 2;
/** Maximum number of remembered rejections of equal money. */
const mostAlike = 64;
/** Longest amount that is read, in characters. */
const maxAmount = 40;

const isAsset = (asset: unknown): asset is AssetCode => typeof asset === 'string' && Object.hasOwn(assetDecimals, asset);

/** Returns the number that a client meant by an amount: computed in binary floating point, or formatted for a locale. Null without one. */
function numberIn(value: unknown): Decimal | null {
  if (typeof value !== 'number' && (typeof value !== 'string' || value.length > maxAmount)) return null;
  let text = String(value).replaceAll(/[^0-9.,eE+-]/g, '');
  const decimalComma = text.lastIndexOf(',') > text.lastIndexOf('.');
  const isGrouped = /^[0-9]{1,3}(,[0-9]{3})+$/.test(text);
  if (decimalComma && !isGrouped) text = text.replaceAll('.', '').replace(',', '.');
  else text = text.replaceAll(',', '');
  return /^[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,2})?$/.test(text) ? new Decimal(text) : null;
}

/** Returns an amount in minor units; null for an amount that no payment can have. */
function moneyOf(value: unknown, asset: unknown): Meant | null {
  const number = numberIn(value);
  if (number === null || !isAsset(asset) || number.lte(0) || number.gt(1e12)) return null;
  const rounded = (rounding: Rounding) => minorUnits(amountOf(number, asset, rounding).value);
  return { money: { asset, minor: rounded('HALF_EVEN') }, between: [rounded('DOWN'), rounded('UP')] };
}

/** Returns what a request was meant to move; null if the request does not say it. */
function meantBy({ body, operationId, quoteId }: Call, world: WorldFacts): Meant | null {
  if (operationId !== null && quotedOperations.has(operationId)) {
    const quote = world.row('quotes', quoteId ?? '');
    return quote ? moneyOf(quote.requestedAmount.value, quote.requestedAmount.asset) : null;
  }
  const { value, asset } = objectOf(body['amount']);
  const bySource = (body['sourceAmount'] ?? null) !== null;
  return operationId === 'createQuote'
    ? moneyOf(bySource ? body['sourceAmount'] : body['targetAmount'], bySource ? body['sourceAsset'] : body['targetAsset'])
    : moneyOf(value, asset);
}

/** Returns the names under which rejections are compared with later payments. */
function namesOf({ money: { asset }, between }: Meant, { test, purpose }: Pick<RequestRecord, 'test' | 'purpose'>): string[] {
  const amounts = [...new Set(between)].map((minor) => `${asset} ${minor}`);
  return [...amounts, ...(purpose === null ? [] : [`for ${purpose}`])].map((name) => `${test ?? ''}\n${name}`);
}

/** True if an amount in a request is not written as the API expects it, although it is a number. */
const hasOddAmount = (call: Call) =>
  amountsOf(call).some(
    ({ value, decimals }) =>
      numberIn(value) !== null &&
      (typeof value === 'number' ||
        !/^[0-9]+(\.[0-9]+)?$/.test(String(value)) ||
        (String(value).split('.')[1]?.length ?? 0) > (decimals ?? 8)),
  );

/** Returns why a request moved no money although it was meant to. Null if another request moved it, or if it only asked for a price. */
function reasonOf(call: Call): Rejected['why'] | null {
  const { record, operationId, isDelivered, done } = call;
  const { status, code } = record;
  // A payment has used the quote.
  if (operationId === null || record.replay || code === 'QUOTE_ALREADY_CONSUMED') return null;
  if (code === 'PAYMENT_INSTRUCTION_NOT_APPROVED' && isDelivered && call.details['status'] === 'PENDING_REVIEW') return 'IN_REVIEW';
  const other = operationId === 'createQuote' ? null : 'FINAL';
  if (done !== null) return other;
  if (amountOperations.has(operationId) && status === 400 && isDelivered && hasOddAmount(call)) return 'AMOUNT';
  const { errors } = call.details;
  if (code === 'MISSING_REQUIRED_HEADER' || listOf(errors).some(({ field }) => field === 'header:X-Idempotency-Key')) return 'HEADER';
  if (code === 'IDEMPOTENCY_CONFLICT') return 'CONFLICT';
  const isExpired = code === 'EXPIRED_ACCESS_TOKEN';
  if (isDelivered && status < 500 && status !== 429 && status !== 408 && !isExpired) return other;
  // The client may have read a quote only to show a price.
  if (operationId === 'createQuote') return 'QUOTE';
  return isExpired ? 'TOKEN' : 'UNAVAILABLE';
}

/**
 * Returns the id under which a rejection is remembered. Attempts at one payment that the API could not make yet are one rejection, whatever
 * keys and quotes they have.
 */
function rejectionIdOf({ id, body, operationId, record: { test, purpose } }: Call, why: Rejected['why'], meant: Meant): string {
  if (why === 'AMOUNT' || why === 'HEADER' || why === 'CONFLICT') return id;
  const { money, between } = meant;
  return [test ?? '', operationId, payeeOf(body), purpose ?? '', money.asset, between.join('-')].join('\n');
}

/** Returns the id of the beneficiary or account that a request pays; empty without one. */
const payeeOf = (body: Json) => textOf(objectOf(body['beneficiary'])['id']) ?? textOf(body['targetAccountId']) ?? '';

export const neverMade = defineRule({
  id: 'payment.never-made',
  confidence: 'LIKELY',
  severity: 'ERROR',
  title: 'A payment was rejected, and never made',
  advice:
    'Handle each rejected payment: correct an invalid request and send it again with a new key, and repeat 429 and 5xx with the same key. Mark tests that send invalid requests on purpose with `negative: true`.',
  alternativeExplanation: 'The client reported the error to a person, or the payment was not needed any more.',
  isProvisional: true,
  examples: {
    invalid: [transfer({ value: 'R$ 25.00', expect: 400 }), end()],
    valid: [transfer({ value: '-25.00', expect: 400 }), transfer({ value: '0.00', expect: 400 }), end()],
  },
  implies: ['money.locale', 'money.float-artefact', 'money.json-number'],
  create({ payments, pairs, lruMap, report, world }) {
    /** The open rejections. */
    const rejected = lruMap<Rejected>(300);
    /** The rejection of each idempotency key. */
    const byKey = lruMap<Remembered & { readonly rejection: string }>(60);
    /** The rejections of equal money, or with one purpose. */
    const alike = lruMap<Remembered & { readonly rejections: readonly string[] }>(80);
    const excuse = (rejection: string) => {
      rejected.get(rejection)?.reported?.retract();
      rejected.delete(rejection);
    };
    const isApproved = (payee: string) => {
      const states = world.row('beneficiaries', payee)?.states;
      return states !== undefined && current(states).status === 'APPROVED';
    };
    // A payee that is not approved in the end cannot be paid, and a person may decide about a final error.
    const isAvoidable = ({ why, payee }: Rejected) => (why === 'IN_REVIEW' ? isApproved(payee) : why !== 'FINAL');
    /** True for a price that the client may only have shown, and for a payee that is not approved. */
    const isNoPayment = (each: Rejected) => each.why === 'QUOTE' || (each.why === 'IN_REVIEW' && !isAvoidable(each));
    /**
     * Excuses the rejection that a payment or quote corrects: of the same payee before another one, of an avoidable reason before a final
     * error, and the oldest of these. A quote pays nothing, so it corrects only quotes.
     */
    const correct = (names: readonly string[], order: number, payee: string, isQuote: boolean) => {
      const isCorrected = ({ operationId, order: rejectedAt }: Rejected) =>
        rejectedAt < order && (!isQuote || operationId === 'createQuote');
      const rankOf = (each: Rejected) => (each.payee !== '' && each.payee !== payee ? 2 : 0) + (isAvoidable(each) ? 0 : 1);
      for (const name of names) {
        const { rejections = [] } = alike.get(name) ?? {};
        const found = rejections.flatMap((id) => {
          const each = rejected.get(id);
          return each !== undefined && isCorrected(each) ? [{ id, rank: rankOf(each) }] : [];
        });
        const corrected = found.toSorted((a, b) => a.rank - b.rank)[0]?.id;
        if (corrected === undefined) continue;
        alike.set(name, { ref: '', rejections: rejections.filter((each) => each !== corrected) });
        return excuse(corrected);
      }
    };
    const namesOfPayment = (payment: Payment) => {
      const requested = world.row('operations', payment.id)?.requestedAmount;
      const meant = requested ? moneyOf(requested.value, requested.asset) : null;
      return meant ? namesOf(meant, payment) : [];
    };
    const payeeOfPayment = ({ id }: Payment) => {
      const intent = world.row('operations', id)?.intent;
      return intent?.type === 'WITHDRAWAL' ? intent.beneficiary.id : intent?.type === 'TRANSFER' ? intent.targetAccount.id : '';
    };
    const remember = (rejection: string, given: Omit<Rejected, 'ref' | 'reported'>) => {
      rejected.set(rejection, { ref: '', ...given, reported: null });
      for (const name of namesOf(given, given)) {
        const others = (alike.get(name)?.rejections ?? []).filter((each) => each !== rejection);
        alike.set(name, { ref: '', rejections: [...others, rejection].slice(-mostAlike) });
      }
    };
    /** The payments that failed, as the client knows. */
    const failed = lruMap<Remembered>(16);
    const rememberFailed = (payment: Payment) => {
      const operation = world.row('operations', payment.id);
      if (endShownAt(payment) === null || !operation || current(operation.states).status !== 'FAILED' || failed.get(payment.id)) return;
      failed.set(payment.id, { ref: '' });
      const { requestedAmount, sourceAmount } = operation;
      const meant = moneyOf(requestedAmount.value, requestedAmount.asset);
      if (!meant) return;
      const money = { asset: sourceAmount.asset, minor: minorUnits(sourceAmount.value) };
      const { id: sourceId, operationId, beganOrder: order, test, purpose, atMs } = payment;
      const at = timestampOf(atMs);
      remember(sourceId, {
        ...meant,
        money,
        sourceId,
        payee: payeeOfPayment(payment),
        operationId,
        order,
        test,
        purpose,
        at,
        why: 'FINAL',
        outcome: '',
      });
    };
    payments.onChange((payment, isNew) => {
      rememberFailed(payment);
      if (!isNew || rejected.size === 0) return;
      const own = byKey.get(payment.key)?.rejection ?? '';
      // Later rejections of equal payments have the same id.
      byKey.delete(payment.key);
      if (rejected.get(own)) return excuse(own);
      correct(namesOfPayment(payment), payment.beganOrder, payeeOfPayment(payment), false);
    });
    /** Excuses the rejected quote that an accepted one corrects. A payment corrects a rejection when `payments` has it. */
    const accept = (call: Call) => {
      if (call.operationId !== 'createQuote' || rejected.size === 0) return;
      const meant = meantBy(call, world);
      if (meant) correct(namesOf(meant, call.record), call.record.began.order, '', true);
    };
    const judge = (call: Call) => {
      if (call.done !== null && call.done.status < 300) return accept(call);
      const { record, operationId, key, id, test, at, outcome } = call;
      const { purpose, began } = record;
      const why = reasonOf(call);
      const meant = why === null ? null : meantBy(call, world);
      if (why === null || meant === null) return;
      // A request can overtake its own retry.
      if (call.isRepeated || (key !== null && why !== 'CONFLICT' && payments.byKey(key))) return;
      const rejection = rejectionIdOf(call, why, meant);
      // A key in conflict belongs to another payment.
      if (key !== null && why !== 'CONFLICT') byKey.set(key, { ref: '', rejection });
      const known = rejected.get(rejection);
      // An expired token says nothing about the payment, and the client of an earlier attempt can disconnect later.
      if (known && ((why === 'TOKEN' && known.why !== 'TOKEN') || known.order > began.order)) return;
      if (known) excuse(rejection);
      const payee = payeeOf(call.body);
      remember(rejection, {
        ...meant,
        sourceId: id,
        payee,
        operationId: operationId!,
        order: began.order,
        test,
        purpose,
        at,
        why,
        outcome,
      });
    };
    /** Returns the open rejections; true for those about which the rule reports a finding. */
    const judged = (): [Rejected, boolean][] => {
      // Another rule reports a payment whose response was lost. The rejection was an attempt to make it again.
      const lost = new Set(payments.all().flatMap((payment) => (isNeverShown(payment) ? namesOfPayment(payment) : [])));
      const isOfLost = (each: Rejected) => each.why !== 'AMOUNT' && namesOf(each, each).some((name) => lost.has(name));
      // The client may have paid again before it knew that the payment had failed.
      const open = rejected.values().filter((each) => !isOfLost(each) && !pairs.isFollowed(each.sourceId));
      const count = new Map<Rejected['why'], number>();
      for (const each of open) if (isAvoidable(each)) count.set(each.why, (count.get(each.why) ?? 0) + 1);
      return open.map((each) => [each, isAvoidable(each) && (alone.has(each.why) || count.get(each.why)! >= leastAlike)]);
    };
    return {
      operations: new Set([...movingOperations, 'createQuote']),
      exchange: judge,
      gone: judge,
      unmade: () =>
        judged().flatMap(([each, isReported]) =>
          isReported || isNoPayment(each) ? [] : [{ ref: each.sourceId, test: each.test, money: each.money }],
        ),
      end() {
        for (const [each, isReported] of judged()) {
          if (!isReported) continue;
          each.reported ??= report({
            about: { operationId: each.operationId },
            test: each.test,
            at: each.at,
            evidence: [{ ref: each.sourceId, what: `No equal payment was made after this request: ${each.outcome}.` }],
            due: [each.money],
          });
        }
      },
    };
  },
});
