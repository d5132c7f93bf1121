import { Decimal } from 'decimal.js';
import type { Report } from '../../../contract/control/analysis/report.js';
import type { CarelessResult, CarelessTask } from '../run.js';

/** A careless program, with the verdict that the report must have about it. */
export interface CarelessVariant extends Omit<CarelessTask, 'world' | 'invoices'> {
  /** The mistake as a sentence about the program. */
  readonly does: string;
  readonly invoices?: readonly string[];
  /**
   * `FAILED`: the report fails. `SHOWN`: it fails, or lists the payments as not proven. `NAMED`: it has a finding, which need not fail it.
   * `PASSED`: it has no finding.
   */
  readonly verdict: 'FAILED' | 'SHOWN' | 'NAMED' | 'PASSED';
  /** The money that the report must name: paid beyond the invoices, due and not paid, any money, or none. Default: `excess`. */
  readonly money?: 'excess' | 'missing' | 'any' | 'none';
}

/** Invoices whose amounts have no special meaning in any scenario. */
export const invoices: readonly string[] = ['1250.40', '310.75', '89.90', '4417.33', '640.05', '2075.60', '158.27', '930.81'];
const many = [...invoices, '77.70', '55.25', '812.60', '43.80', '19.95', '720.00', '61.40', '305.50'];
const held = ['1250.17', '310.75', '89.17', '4417.33', '640.17', '2075.17'];
const commissions = invoices.map((amount) => (Math.round(Number(amount) * 2) / 100).toFixed(2));
const salaries = Array.from({ length: 8 }, () => '2500.00');

type Program = CarelessVariant['program'];
type More = Partial<CarelessVariant>;

/** Returns one variant for each program that makes the mistake. */
function made(
  programs: Program | readonly Program[],
  does: string,
  habits: string,
  scenario: string,
  verdict: CarelessVariant['verdict'],
  more: More = {},
): CarelessVariant[] {
  const words = habits.split(' ').filter(Boolean);
  return [programs].flat().map((program) => ({ program, does, habits: words, scenario, verdict, ...more }));
}

const all = ['node', 'python', 'php'] as const;

export const variants: readonly CarelessVariant[] = [
  // The same programs without a mistake.
  ...made(all, 'makes no mistake and polls', '', 'default', 'PASSED', { money: 'none' }),
  ...made(all, 'makes no mistake and hears by webhook', 'webhooks', 'default', 'PASSED', { money: 'none' }),
  ...made(all, 'makes no mistake in a flaky network', 'transfers', 'flaky-network', 'PASSED', { money: 'none' }),
  ...made('node', 'makes no mistake after a reset', 'two-workers', 'default', 'PASSED', {
    money: 'none',
    laterRuns: ['1m'],
    isReset: true,
    laterHabits: [],
  }),
  ...made(all, 'makes no mistake and pays equal salaries', '', 'default', 'PASSED', { money: 'none', invoices: salaries }),
  ...made('node', 'makes no mistake and names two equal invoices', 'purposes webhooks', 'default', 'PASSED', {
    money: 'none',
    invoices: ['310.75', '310.75', '89.90', '89.90', '158.27', '158.27'],
  }),

  // Every payment is made twice.
  ...made(all, 'pays every invoice in two workers and names it', 'two-workers purposes', 'default', 'FAILED'),
  ...made(all, 'pays every invoice in two workers and polls', 'two-workers', 'default', 'FAILED'),
  ...made(all, 'pays every invoice in two workers and hears by webhook', 'two-workers webhooks', 'default', 'FAILED'),
  ...made('node', 'makes every transfer in two workers', 'two-workers transfers agent', 'default', 'FAILED'),
  ...made('python', 'reads the outbox in two pods', 'shared-outbox', 'default', 'FAILED', { copies: 2 }),
  ...made('php', 'is started by cron while the first run works', 'commits-at-the-end', 'default', 'FAILED', {
    copies: 2,
    apartMs: 1500,
  }),

  ...made('node', 'pays every invoice in three workers', 'three-workers', 'default', 'FAILED'),
  ...made('node', 'makes every swap in two workers', 'two-workers swaps', 'default', 'FAILED'),
  ...made(
    'node',
    'pays every invoice in two workers, each with its own beneficiary',
    'two-workers registers-each-time',
    'default',
    'FAILED',
  ),
  ...made('python', 'pays equal salaries in two workers', 'two-workers', 'default', 'SHOWN', { invoices: salaries, money: 'any' }),
  ...made('python', 'pays equal salaries in two workers and names them', 'two-workers purposes', 'default', 'FAILED', {
    invoices: salaries,
  }),
  ...made(
    'node',
    'pays the commission of each webhook in two subscriptions',
    'webhooks commissions subscribes-twice',
    'default',
    'FAILED',
    { further: commissions },
  ),
  ...made('node', 'responds with 500 after it paid a commission', 'webhooks commissions prints-receipts', 'default', 'FAILED', {
    further: commissions,
  }),

  // A payment that has not ended is taken for failed.
  ...made(all, 'takes PROCESSING for failed', 'processing-is-failed', 'default', 'FAILED'),
  ...made('node', 'takes PROCESSING for failed while payments take days', 'processing-is-failed', 'slow-settlement', 'FAILED'),
  ...made(all, 'takes a 404 after the creation for unpaid', 'missing-is-unpaid', 'eventual-consistency', 'FAILED', {
    // Longer than in the scenario, so that a slow machine does not find the operation at once.
    faults: [{ on: 'REQUEST', when: { method: 'GET', 'resource.age': { lt: '5s' } }, effect: { status: 404, code: 'RESOURCE_NOT_FOUND' } }],
  }),
  ...made(all, 'takes ON_HOLD for failed', 'held-is-failed', 'default', 'FAILED', { invoices: held }),
  ...made('node', 'takes ON_HOLD for failed, once', 'held-is-failed', 'default', 'SHOWN', { invoices: held.slice(0, 2) }),
  ...made(all, 'queues a payment again when it has not ended in time', 'requeues', 'action-required', 'FAILED'),
  ...made('node', 'queues a payment again and hears by webhook', 'requeues webhooks', 'default', 'FAILED', {
    // Longer than the program waits, also if a busy machine lets it wait longer.
    faults: [{ on: 'DELIVERY', when: { eventType: 'OPERATION_COMPLETED' }, times: 8, effect: { delay: '5s' } }],
  }),
  ...made('python', 'pays over another rail when a payment has not ended', 'falls-back', 'default', 'SHOWN'),
  ...made('node', 'pays again when the report does not show the payment yet', 'asks-the-report', 'default', 'FAILED'),

  ...made('node', 'pays again in dollars while rates move', 'requeues dollars', 'moving-rates', 'FAILED', { money: 'any' }),
  ...made('python', 'expects COMPLETED in the response to a payment', 'expects-completed', 'default', 'FAILED'),
  ...made('php', 'expects the status 200', 'expects-200', 'default', 'FAILED'),
  ...made('node', 'reads the operation by the id of its quote', 'reads-the-quote', 'default', 'FAILED'),

  // Knowledge that gets lost in the program.
  ...made(all, 'is killed after it was paid, and pays the batch again', 'commits-at-the-end', 'default', 'FAILED', { killedAfter: 4 }),
  ...made('node', 'is killed after all was paid, and pays the batch again', 'commits-at-the-end transfers agent', 'default', 'FAILED', {
    killedAfter: 8,
  }),
  ...made('python', 'fails after a payment, and its queue delivers it again', 'fails-after-payment', 'default', 'FAILED'),
  ...made('node', 'sends a double click as two payments', 'double-click', 'default', 'SHOWN'),
  ...made('node', 'sends a double click as two transfers', 'double-click transfers', 'default', 'SHOWN', {
    invoices: invoices.slice(0, 4),
  }),
  ...made('node', 'pays again what is not on the first page of the log', 'webhooks asks-the-log', 'default', 'SHOWN'),
  ...made('node', 'pays the commission of a duplicate webhook again', 'webhooks commissions', 'webhook-chaos', 'SHOWN', {
    further: commissions,
  }),
  ...made('node', 'pays again after an event that it does not know', 'webhooks others-are-failures', 'tomorrow', 'FAILED'),
  // With slow settlement, no payment ends before a busy machine has read it.
  ...made('node', 'reads each payment once, before it has ended', 'reads-once', 'slow-settlement', 'FAILED', {
    invoices: ['1250.13', '310.75', '89.90', '4417.12'],
    money: 'any',
  }),
  ...made('node', 'forgets the ids of its payments', 'forgets-ids', 'default', 'FAILED', { money: 'any' }),

  // Responses that get lost.
  ...made(all, 'books a lost payment as failed, and pays it again', 'no-retries lost-is-unpaid one-by-one', 'challenge', 'FAILED'),
  ...made(['node', 'php'], 'books a lost payment as failed', 'no-retries one-by-one', 'challenge', 'FAILED', { money: 'any' }),
  ...made('python', 'books a lost payment as failed', 'no-retries books-failed one-by-one', 'challenge', 'FAILED', { money: 'any' }),
  ...made('node', 'pays lost payments again at the end', 'no-retries repeats-failed one-by-one', 'certification', 'FAILED', {
    invoices: many,
  }),
  ...made(all, 'uses a new key for each attempt', 'key-per-attempt transfers', 'challenge', 'FAILED', { invoices: many }),
  ...made('python', 'uses urllib and a new key for each attempt', 'urllib key-per-attempt transfers', 'challenge', 'FAILED'),
  ...made(
    'php',
    'keeps the key for a new quote, and takes another after the conflict',
    'no-retries keeps-the-key one-by-one',
    'challenge',
    'FAILED',
  ),
  ...made(
    'python',
    'requests a new quote when its own attempt has consumed the first',
    'key-per-attempt consumed-means-expired one-by-one',
    'challenge',
    'FAILED',
  ),
  ...made('node', 'gives up after 400 ms and pays again', 'hurries no-retries lost-is-unpaid one-by-one', 'challenge', 'FAILED'),
  ...made(
    'node',
    'pays again by the other side of the quote',
    'no-retries lost-is-unpaid other-side-when-repeated one-by-one',
    'challenge',
    'FAILED',
  ),
  ...made(
    'node',
    'registers the beneficiary again, and pays again',
    'no-retries lost-is-unpaid registers-each-time one-by-one',
    'challenge',
    'FAILED',
  ),
  ...made('node', 'sends on Monday what was lost on Friday', 'no-retries transfers one-by-one', 'challenge', 'FAILED', {
    laterRuns: ['64h'],
  }),
  ...made('node', 'pays on Monday what was lost on Friday', 'no-retries one-by-one', 'certification', 'FAILED', {
    laterRuns: ['64h'],
    invoices: many,
  }),
  ...made('node', 'pays on Monday, with the key of Friday, what was lost', 'no-retries keeps-the-key one-by-one', 'default', 'FAILED', {
    laterRuns: ['64h'],
    faults: [
      { on: 'REQUEST', when: { operationId: 'createWithdrawal' }, phase: 'after_commit', times: 2, effect: { connectionReset: true } },
    ],
  }),
  ...made('php', 'dies when a response is late, and pays in its next run', 'no-retries one-by-one dies', 'challenge', 'FAILED', {
    laterRuns: ['5m', '5m', '5m'],
  }),
  ...made(['node', 'python'], 'hedges slow payments', 'hedges transfers', 'flaky-network', 'FAILED', { invoices: many }),

  // Responses that are not understood.
  ...made('node', 'pays again after an unknown field', 'strict', 'tomorrow', 'FAILED'),
  ...made('node', 'pays again after an unknown field, once', 'strict one-by-one', 'challenge', 'FAILED', { invoices: many }),

  // Amounts.
  ...made(all, 'sends cents in all payments', 'cents', 'success', 'FAILED', { money: 'any' }),
  ...made('node', 'sends cents in all transfers', 'cents transfers', 'success', 'FAILED', { money: 'any' }),
  ...made('node', 'cuts the cents off', 'whole-numbers', 'success', 'SHOWN', { money: 'none' }),
  ...made('node', 'loses the point of amounts that end with 0', 'loses-zeros', 'success', 'SHOWN', { money: 'none' }),
  ...made(all, 'computes amounts in floating point', 'float-sums', 'default', 'FAILED', { money: 'missing' }),
  ...made(['node', 'php'], 'formats amounts for Brazil', 'brazilian', 'default', 'FAILED', { money: 'missing' }),
  ...made('python', 'groups the digits of amounts', 'thousands', 'default', 'FAILED', { money: 'missing' }),
  ...made('python', 'computes discounts with three decimals', 'three-decimals', 'default', 'FAILED', { money: 'any' }),
  ...made('php', 'sends the key in another header', 'wrong-header', 'default', 'FAILED', { money: 'missing' }),
  ...made('node', 'sends amounts as numbers', 'json-numbers', 'default', 'FAILED', { money: 'missing' }),

  // Webhooks.
  ...made(all, 'accepts every webhook', 'webhooks unverified', 'challenge', 'FAILED', { money: 'any' }),
  ...made('python', 'accepts webhooks without a signature', 'webhooks unsigned', 'challenge', 'FAILED', { money: 'none' }),
  ...made('node', 'accepts every webhook while some are forged at random', 'webhooks unverified', 'webhook-chaos', 'FAILED', {
    money: 'none',
    // At least two, whatever the seed draws.
    faults: [{ on: 'DELIVERY', times: 2, effect: { corruptSignature: true } }],
  }),
  ...made(['node', 'python'], 'subscribes to COMPLETED only', 'webhooks completed-only', 'default', 'FAILED', {
    invoices: ['1250.13', '310.75', '89.90', '4417.12'],
    money: 'missing',
  }),

  // Keys, tokens and retries.
  ...made('node', 'requests a token for each request', 'token-per-request', 'default', 'NAMED', { money: 'none' }),
  ...made('node', 'uses one key for all payments', 'one-key transfers', 'default', 'FAILED', { money: 'missing' }),
  ...made('node', 'derives the key from payee and amount', 'key-of-payee-and-amount transfers purposes', 'default', 'FAILED', {
    invoices: ['1250.40', '310.75', '310.75', '89.90', '89.90'],
    money: 'missing',
  }),
  ...made(
    'node',
    'derives the key from payee and amount, and names nothing',
    'key-of-payee-and-amount transfers one-by-one',
    'default',
    'SHOWN',
    {
      invoices: ['1250.40', '310.75', '310.75', '89.90', '89.90'],
      money: 'missing',
    },
  ),
  ...made(
    'node',
    'pays before the review of the beneficiary, and never again',
    'registers-each-time skips-the-review',
    'default',
    'FAILED',
    {
      money: 'missing',
    },
  ),
  ...made('node', 'retries without waiting', 'no-backoff', 'provider-outage', 'NAMED', { money: 'none' }),
  ...made('node', 'reads that payments have failed, and forgets them', '', 'default', 'SHOWN', {
    invoices: ['1250.13', '310.75', '89.12', '640.05'],
    money: 'missing',
  }),
  ...made('node', 'does not pay what was rejected with 503', 'no-retries', 'provider-outage', 'FAILED', { money: 'missing' }),
  ...made('node', 'does not pay what was rejected with 429', 'no-retries', 'default', 'FAILED', {
    faults: [{ on: 'REQUEST', when: { operationId: 'createWithdrawal' }, times: 3, effect: { status: 429, retryAfter: '1s' } }],
    money: 'missing',
  }),
  // If a pod starts late, the other one has read the ends of its payments, and equal ones may be intended.
  ...made('python', 'reads the outbox in two pods while payments end at once', 'shared-outbox', 'instant', 'SHOWN', { copies: 2 }),
  ...made('node', 'pays all again after a reset', 'two-workers', 'default', 'FAILED', { laterRuns: ['1m'], isReset: true }),
];

const brl = (money: readonly { asset: string; value: string }[] = []) =>
  money.filter(({ asset }) => asset === 'BRL').reduce((sum, { value }) => sum.plus(value), new Decimal(0));

/** Compares a report with what the program did. @returns what the report lacks, in sentences */
export function missing(variant: CarelessVariant, result: CarelessResult, report: Report): string[] {
  const { verdict, money = 'excess' } = variant;
  const { findings, notProven } = report;
  const isHint = ({ id }: { id: string }) => id.startsWith('H');
  const sums = findings.map((each) => brl(each.money));
  const ofPayments = findings
    .filter(({ rule }) => rule.startsWith('payment.'))
    .reduce((sum, each) => sum.plus(brl(each.money)), new Decimal(0));
  const listed = notProven.filter(({ kind }) => ['EQUAL_PAYMENTS', 'KEYS_REPEATED', 'WHOLE_AMOUNTS', 'PAYMENTS_NOT_MADE'].includes(kind));
  const unproven = brl(listed.flatMap((each) => each.money ?? []));
  const named = [...sums, ofPayments, unproven, ofPayments.plus(unproven), Decimal.sum(0, ...sums)];
  const lacks: string[] = [];
  if (verdict === 'FAILED' && report.verdict !== 'FAILED') lacks.push('the verdict is not FAILED');
  if (verdict === 'SHOWN' && report.verdict !== 'FAILED' && listed.length === 0)
    lacks.push('it neither fails nor lists payments as not proven');
  if (verdict === 'NAMED' && findings.length === 0) lacks.push('it has no finding');
  if (verdict === 'PASSED' && report.verdict !== 'PASSED') lacks.push('the verdict is not PASSED');
  if (verdict === 'PASSED' && !findings.every(isHint)) lacks.push('it has a finding');
  if (money === 'any' && unproven.isZero() && findings.every((each) => (each.money ?? '').length === 0)) lacks.push('no money is named');
  if (money === 'excess' || money === 'missing') {
    if (Number(result[money]) === 0) lacks.push(`the program did not make its mistake`);
    else if (!named.some((sum) => sum.eq(result[money]))) lacks.push(`${result[money]} BRL is not named`);
  }
  return lacks;
}
