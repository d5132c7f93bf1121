import { z } from '@hono/zod-openapi';
import { expected, form, text, type Expected } from './messages/forms.js';
import { fieldsOf, rule, type Report } from './rule.js';

/** Fractional digits of every asset the service knows. */
export const assetDecimals = {
  USD: 2,
  BRL: 2,
  EUR: 2,
  CAD: 2,
  AUD: 2,
  GBP: 2,
  MXN: 2,
  HKD: 2,
  SGD: 2,
  PHP: 2,
  NZD: 2,
  CHF: 2,
  NOK: 2,
  DKK: 2,
  PLN: 2,
  SEK: 2,
  USDC: 6,
  USDT: 6,
  EURC: 6,
  BRLT: 6,
} as const satisfies Record<string, 2 | 6>;

export type AssetCode = keyof typeof assetDecimals;
export const assetCodes = Object.keys(assetDecimals) as [AssetCode, ...AssetCode[]];

export const AssetCodeSchema = z.enum(assetCodes).openapi('AssetCode', {
  description: 'Money of one kind, by its code. Currencies of states have 2 fractional digits; USDC, USDT, EURC and BRLT have 6.',
  example: 'BRL',
});

/**
 * The schema or null. The document generator loses the null of `.nullable()` on a schema that has a name or a literal
 * value, so that the contract says it this way throughout.
 */
export function orNull<S extends z.ZodType>(schema: S) {
  return z.union([schema, z.null()]);
}

/** An id in a request; upper-case hex digits are accepted and mean the same id. @param wanted what is said of a text that is none */
export const uuidSchema = (wanted: string) =>
  z
    .guid({ error: expected(wanted, '5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417') })
    .toLowerCase()
    .openapi({ type: 'string', format: 'uuid' });

/** An id in a request, whatever it is the id of. */
export const UuidSchema = uuidSchema('a UUID');

/** An id in lower case; undefined when it is none, by what {@link UuidSchema} says. */
export function uuidOf(id: string): string | undefined {
  return z.regexes.guid.test(id) ? id.toLowerCase() : undefined;
}

/** An instant in a response, to the millisecond. */
export const TimestampSchema = z.iso.datetime({ precision: 3 }).openapi('Timestamp', {
  description: 'Instant in UTC, as responses and events write it: always with three fractional digits and a trailing `Z`.',
  example: '2026-11-21T14:03:07.512Z',
});

/** What an instant in a request looks like: many languages write micro- or nanoseconds. */
const instantPattern = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?Z$/;

const anInstant = expected('an instant that exists, in UTC with seconds and a trailing Z', '2026-11-21T14:03:07.512Z');

/** The instant that a request writes, cut to milliseconds; undefined for one that does not exist, as 24:00 or 30 February, or is written otherwise. */
export function instantOf(written: string): Date | undefined {
  const instant = new Date(instantPattern.test(written) ? written.replace(/(\.[0-9]{3})[0-9]+/, '$1') : Number.NaN);
  // Date turns some that do not exist into the next day.
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(written.slice(0, 19)) ? instant : undefined;
}

/** An instant in a request, with up to nine fractional digits. Comes out in the contract's form, cut to milliseconds. */
export const InstantSchema = rule(z.iso.datetime({ error: anInstant }), (raw, report) => {
  if (typeof raw !== 'string' || instantOf(raw) !== undefined || !z.iso.datetime().safeParse(raw).success) return;
  report('INVALID_DATE', [], anInstant);
})
  .overwrite((instant) => instantOf(instant)?.toISOString() ?? instant)
  .openapi('Instant', {
    // Without an example: importers take it for that of each parameter, and a period would begin when it ends.
    pattern: instantPattern.source,
    description:
      'Instant in UTC, as a request gives it. It ends with `Z`; an offset, `+00:00` too, is refused. Up to nine fractional digits, of which all after the millisecond are dropped.',
  });

/** A calendar day in a request. */
export const DateSchema = z.iso
  .date({ error: expected('a day that exists, as yyyy-MM-dd', '1986-04-17') })
  .meta({ description: 'Calendar day, as yyyy-MM-dd.', example: '1986-04-17' });

/** Reports a day that is after `today`, yyyy-MM-dd: what has happened, or was issued, cannot lie in the future. */
export function reportFuture(value: unknown, path: readonly [string, ...string[]], today: string, report: Report): void {
  const day = path.reduce<unknown>((each, name) => fieldsOf(each)[name], value);
  if (typeof day !== 'string' || day <= today || !DateSchema.safeParse(day).success) return;
  report('OUT_OF_RANGE', path, `expected a day that is not in the future; today is ${today} by the clock of the world`, { maximum: today });
}

export const NameSchema = text(120);

export const maxIntegerDigits = 15;
const amountPattern = /^-?[0-9]+(\.[0-9]+)?$/;
/** A binary float in decimals has up to 1,077 characters: one in place of an amount is told that it is too fine, not that it is too long. */
const maxAmountLength = 1_100;
/** What is left of it when amounts have to be above zero, with the integer digits that they may have; each rule has a code of its own. */
const positivePattern = `^(0*[1-9][0-9]{0,${maxIntegerDigits - 1}}(\\.[0-9]+)?|0+\\.[0-9]*[1-9][0-9]*)$`;

/** A decimal number as text. */
export const DecimalSchema = form(amountPattern, 'a decimal number as a text', '1500.00', 64);

/** An amount in a request: a plain decimal string, never a JSON number. */
export const AmountValueSchema = form(
  amountPattern,
  'a decimal number above zero as a text, with a point',
  '1500.00',
  maxAmountLength,
).openapi('AmountValue', {
  pattern: positivePattern,
  description:
    'A sum in a request: a decimal number above zero as a string, with a point and no sign. At most 15 digits before the point, and no more after it than its asset has (2 or 6).',
  example: '1500.00',
});

/** What is wrong with an amount, for the field that holds it. */
interface AmountFault {
  readonly code: 'INVALID_AMOUNT_PRECISION' | 'OUT_OF_RANGE' | 'AMOUNT_MUST_BE_POSITIVE';
  readonly message: Expected;
  readonly params: Record<string, unknown>;
}

/**
 * All that is wrong with an amount value for its asset, beyond its pattern.
 * `asset` may be unknown (it failed its own check): then only the rules that need no asset apply.
 */
export function amountFaults(value: unknown, asset: unknown): AmountFault[] {
  if (typeof value !== 'string' || value.length > maxAmountLength || !amountPattern.test(value)) return [];
  const [whole = '', fraction = ''] = value.split('.');
  const faults: AmountFault[] = [];
  if (value.startsWith('-') || /^[0.]*$/.test(value)) {
    faults.push({ code: 'AMOUNT_MUST_BE_POSITIVE', message: 'expected an amount above zero', params: { received: value } });
  } else if (whole.replace(/^0+/, '').length > maxIntegerDigits) {
    faults.push({
      code: 'OUT_OF_RANGE',
      message: `expected an amount of at most ${maxIntegerDigits} digits before the point`,
      params: { maximumIntegerDigits: maxIntegerDigits },
    });
  }
  const allowed = typeof asset === 'string' && Object.hasOwn(assetDecimals, asset) ? assetDecimals[asset as AssetCode] : undefined;
  if (allowed !== undefined && fraction.length > allowed) {
    faults.push({
      code: 'INVALID_AMOUNT_PRECISION',
      message: `expected at most ${allowed} digits behind the point, as ${String(asset)} has`,
      params: { asset, allowed, received: fraction.length },
    });
  }
  return faults;
}

export const AmountSchema = z
  .object({
    value: DecimalSchema.meta({
      description: 'The sum as a decimal string, with all fractional digits of its asset: `1500.00`, `1500.000000`.',
      example: '537.83',
    }),
    asset: AssetCodeSchema.describe('What the sum is of.'),
    decimals: z.number().int().meta({ description: 'How many fractional digits the asset has: 2 or 6.', example: 2 }),
  })
  .openapi('Amount', {
    description: 'A sum of one asset, as responses and events show it. Compute with decimals, never with binary floating point.',
  });

export type Amount = z.infer<typeof AmountSchema>;

/** What is given for the other side of a conversion; in examples, dollars for reais. */
export const SourceAmountSchema = AmountSchema.meta({ example: { value: '100.00', asset: 'USD', decimals: 2 } });

/** A sum in a request: greater than zero, and no finer than its asset. */
export const AmountRequestSchema = rule(
  z.object({
    value: AmountValueSchema.describe('How much, above zero and no finer than the asset: `1500.00`.'),
    asset: AssetCodeSchema.describe('What the sum is made of.'),
  }),
  (raw, report) => {
    const { value, asset } = fieldsOf(raw);
    for (const { code, message, params } of amountFaults(value, asset)) report(code, ['value'], message, params);
  },
).openapi('AmountRequest', { description: 'A sum of one asset, as a request gives it.' });

export const RateSchema = z
  .object({
    value: DecimalSchema.meta({
      description:
        'Units of `quote` that one unit of `base` is worth: a decimal string with 2 to 10 fractional digits, `1.00` within one asset.',
      example: '5.3783783783',
    }),
    base: AssetCodeSchema.meta({ description: 'The asset that is given: the source of a conversion.', example: 'USD' }),
    quote: AssetCodeSchema.describe('The asset that is got for it: the target of a conversion.'),
  })
  .openapi('Rate', { description: 'What one asset is worth in another. The value converts as it stands, spread and fees within it.' });

export type Rate = z.infer<typeof RateSchema>;

const maxDetailsLength = 4096;

/** Further facts that a request gives for a reason: they stay in the history of what it is a reason for. */
export const DetailsSchema = z
  .record(z.string(), z.unknown())
  .refine((details) => JSON.stringify(details).length <= maxDetailsLength, {
    message: `expected details of at most ${maxDetailsLength} characters as JSON`,
    params: { code: 'OUT_OF_RANGE', params: { maximum: maxDetailsLength } },
  })
  .meta({ description: `Further facts, at most ${maxDetailsLength} characters as JSON.` });

export const ReasonSchema = z
  .object({
    code: z.string().meta({ description: 'Why, as a word for programs to decide on.', example: 'BENEFICIARY_BANK_REJECTED' }),
    message: z.string().meta({
      description: 'Why, as a sentence for people; its wording may change.',
      example: 'The bank of the beneficiary returned the payment.',
    }),
    details: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Facts beside the code, by their names; an empty object when there are none.', example: {} }),
  })
  .openapi('Reason', { description: 'What led to a status.' });

export type Reason = z.infer<typeof ReasonSchema>;

/** How many statuses a history holds at most: the first and the newest. */
export const maxStates = 1000;

/** The schema of a history entry whose status is one of those that `status` allows. */
export function stateSchema<S extends z.ZodType<string>>(status: S) {
  return z.object({
    status: status.describe('What the resource became then.'),
    createdAt: TimestampSchema.describe('When it was entered.'),
    reason: orNull(ReasonSchema).meta({ description: 'Why it was entered; null when there is nothing to explain.', example: null }),
  });
}

export const TagSchema = z
  .object({
    key: z.string().nullable().meta({ description: 'What the tag is about; null for a hidden tag.', example: 'segment' }),
    value: z.string().meta({ description: 'What the tag says of it.', example: 'STANDARD_COMPANY' }),
  })
  .openapi('Tag', { description: 'A label that the service sets. Those of an account stand on its operations too; clients set none.' });

export const AccountRefSchema = z
  .object({
    id: UuidSchema.describe('Id of the account, which stays the same for good.'),
    owner: z.string().meta({
      description: 'Registered name of its owner: the legal name of a company, first and last name of a person.',
      example: 'Aurora Comércio Exterior Ltda',
    }),
  })
  .openapi('AccountRef', { description: 'An account, named rather than shown.' });

export type AccountRef = z.infer<typeof AccountRefSchema>;
