import { z } from '@hono/zod-openapi';
import { expected, patternSchema, text, type Expected } from './messages/forms.js';
import { fieldsOf, rule, type Report } from './rule.js';

/** Decimal places of every supported asset. */
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
  description: 'Code of a currency or stablecoin. Currencies have 2 decimal places; USDC, USDT, EURC and BRLT have 6.',
  example: 'BRL',
});

/**
 * Returns a schema that also accepts null. The whole contract uses it instead of `.nullable()`, because the document generator
 * drops the null from a schema that has a name or a literal value.
 */
export function orNull<S extends z.ZodType>(schema: S) {
  return z.union([schema, z.null()]);
}

/** Returns the schema of an id. Converts upper-case hex digits to lower case. @param wanted the description of the id in the error */
export const uuidSchema = (wanted: string) =>
  z
    .guid({ error: expected(wanted, '5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417') })
    .toLowerCase()
    .openapi({ type: 'string', format: 'uuid' });

/** An id of any resource. */
export const UuidSchema = uuidSchema('a UUID');

/** Returns an id in lower case; undefined if {@link UuidSchema} would reject it. */
export function uuidOf(id: string): string | undefined {
  return z.regexes.guid.test(id) ? id.toLowerCase() : undefined;
}

/** A timestamp in a response, always with milliseconds. */
export const TimestampSchema = z.iso.datetime({ precision: 3 }).openapi('Timestamp', {
  description: 'Timestamp in UTC, as in responses and events: always with milliseconds and a trailing `Z`.',
  example: '2026-11-21T14:03:07.512Z',
});

/** Format of a timestamp in a request. Up to nine fractional digits, because many languages write micro- or nanoseconds. */
const instantPattern = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?Z$/;

const anInstant = expected('a timestamp that exists, in UTC with seconds and a trailing Z', '2026-11-21T14:03:07.512Z');

/**
 * Parses the timestamp of a request and cuts it to milliseconds. Returns undefined if the format is wrong, or if the time does not exist,
 * for example 24:00 or 30 February.
 */
export function parseTimestamp(written: string): Date | undefined {
  const instant = new Date(instantPattern.test(written) ? written.replace(/(\.[0-9]{3})[0-9]+/, '$1') : Number.NaN);
  // Date turns some times that do not exist into a time of the next day.
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(written.slice(0, 19)) ? instant : undefined;
}

/** A timestamp in a request, with up to nine fractional digits. The parsed value has the format of responses, cut to milliseconds. */
export const InstantSchema = rule(z.iso.datetime({ error: anInstant }), (raw, report) => {
  if (typeof raw !== 'string' || parseTimestamp(raw) !== undefined || !z.iso.datetime().safeParse(raw).success) return;
  report('INVALID_DATE', [], anInstant);
})
  .overwrite((instant) => parseTimestamp(instant)?.toISOString() ?? instant)
  .openapi('Instant', {
    // No example: importers would use it for both ends of a period, which would then end when it begins.
    pattern: instantPattern.source,
    description:
      'Timestamp in UTC, as in requests. It ends with `Z`; any offset is rejected, including `+00:00`. Up to nine fractional digits; digits after the millisecond are dropped.',
  });

export const DateSchema = z.iso
  .date({ error: expected('a date that exists, as yyyy-MM-dd', '1986-04-17') })
  .meta({ description: 'Date as yyyy-MM-dd.', example: '1986-04-17' });

/** Reports a date (yyyy-MM-dd) that is after `today`: dates of issue, incorporation and birth cannot be in the future. */
export function reportFuture(value: unknown, path: readonly [string, ...string[]], today: string, report: Report): void {
  const day = path.reduce<unknown>((each, name) => fieldsOf(each)[name], value);
  if (typeof day !== 'string' || day <= today || !DateSchema.safeParse(day).success) return;
  report('OUT_OF_RANGE', path, `expected a date that is not in the future; the world's clock shows ${today}`, { maximum: today });
}

/** First day that a date of birth can have. */
const firstBirth = '1900-01-01';

/** Reports a date of birth (yyyy-MM-dd) that is after `today` or before 1900. */
export function reportBirth(value: unknown, path: readonly [string, ...string[]], today: string, report: Report): void {
  reportFuture(value, path, today, report);
  const day = path.reduce<unknown>((each, name) => fieldsOf(each)[name], value);
  if (typeof day !== 'string' || day >= firstBirth || !DateSchema.safeParse(day).success) return;
  report('OUT_OF_RANGE', path, `expected a date of birth from ${firstBirth} on`, { minimum: firstBirth });
}

export const NameSchema = text(120);

export const maxIntegerDigits = 15;
const amountPattern = /^-?[0-9]+(\.[0-9]+)?$/;
/** Maximum length of an amount. A binary float has up to 1,077 decimal digits, and must get the error about precision, not about length. */
const maxAmountLength = 1_100;
/** Pattern of amounts above zero with the allowed integer digits. Only for the document: the validation has an error code for each rule. */
const positivePattern = `^(0*[1-9][0-9]{0,${maxIntegerDigits - 1}}(\\.[0-9]+)?|0+\\.[0-9]*[1-9][0-9]*)$`;

/** A decimal number as a string. */
export const DecimalSchema = patternSchema(amountPattern, 'a decimal number as a string', '1500.00', 64);

/** An amount in a request: a decimal string, never a JSON number. */
export const AmountValueSchema = patternSchema(
  amountPattern,
  'a decimal number above zero as a string, with a decimal point',
  '1500.00',
  maxAmountLength,
).openapi('AmountValue', {
  pattern: positivePattern,
  description:
    'Amount in a request: a decimal number above zero as a string, with a decimal point and no sign. At most 15 digits before the point, and at most the decimal places of its asset after it (2 or 6).',
  example: '1500.00',
});

/** A problem with an amount, for the field that contains it. */
interface AmountProblem {
  readonly code: 'INVALID_AMOUNT_PRECISION' | 'OUT_OF_RANGE' | 'AMOUNT_MUST_BE_POSITIVE';
  readonly message: Expected;
  readonly params: Record<string, unknown>;
}

/**
 * Returns all problems of an amount value for its asset, except a wrong format.
 * If `asset` is unknown because it failed its own check, only the rules that need no asset apply.
 */
export function amountProblems(value: unknown, asset: unknown): AmountProblem[] {
  if (typeof value !== 'string' || value.length > maxAmountLength || !amountPattern.test(value)) return [];
  const [whole = '', fraction = ''] = value.split('.');
  const problems: AmountProblem[] = [];
  if (value.startsWith('-') || /^[0.]*$/.test(value)) {
    problems.push({ code: 'AMOUNT_MUST_BE_POSITIVE', message: 'expected an amount above zero', params: { received: value } });
  } else if (whole.replace(/^0+/, '').length > maxIntegerDigits) {
    problems.push({
      code: 'OUT_OF_RANGE',
      message: `expected an amount of at most ${maxIntegerDigits} digits before the decimal point`,
      params: { maximumIntegerDigits: maxIntegerDigits },
    });
  }
  const allowed = typeof asset === 'string' && Object.hasOwn(assetDecimals, asset) ? assetDecimals[asset as AssetCode] : undefined;
  if (allowed !== undefined && fraction.length > allowed) {
    problems.push({
      code: 'INVALID_AMOUNT_PRECISION',
      message: `expected at most ${allowed} decimal places, as ${String(asset)} has`,
      params: { asset, allowed, received: fraction.length },
    });
  }
  return problems;
}

export const AmountSchema = z
  .object({
    value: DecimalSchema.meta({
      description: 'The amount as a decimal string, with all decimal places of its asset: `1500.00`, `1500.000000`.',
      example: '537.83',
    }),
    asset: AssetCodeSchema.describe('Currency or stablecoin of the amount.'),
    decimals: z.number().int().meta({ description: 'Number of decimal places of the asset: 2 or 6.', example: 2 }),
  })
  .openapi('Amount', {
    description: 'Amount of one asset, as in responses and events. Compute with decimals, never with binary floating point.',
  });

export type Amount = z.infer<typeof AmountSchema>;

/** The source amount of a conversion. Its example is in USD, because the examples convert USD to BRL. */
export const SourceAmountSchema = AmountSchema.meta({ example: { value: '100.00', asset: 'USD', decimals: 2 } });

/** An amount in a request: above zero, with at most the decimal places of its asset. */
export const AmountRequestSchema = rule(
  z.object({
    value: AmountValueSchema.describe('Amount above zero, with at most the decimal places of the asset, for example `1500.00`.'),
    asset: AssetCodeSchema.describe('Currency or stablecoin of the amount.'),
  }),
  (raw, report) => {
    const { value, asset } = fieldsOf(raw);
    for (const { code, message, params } of amountProblems(value, asset)) report(code, ['value'], message, params);
  },
).openapi('AmountRequest', { description: 'Amount of one asset, as in requests.' });

export const RateSchema = z
  .object({
    value: DecimalSchema.meta({
      description:
        'Units of `quote` for one unit of `base`: a decimal string with 2 to 10 decimal places; `1.00` if both assets are the same.',
      example: '5.3783783783',
    }),
    base: AssetCodeSchema.meta({ description: 'Source asset of the conversion.', example: 'USD' }),
    quote: AssetCodeSchema.describe('Target asset of the conversion.'),
  })
  .openapi('Rate', { description: 'Exchange rate of two assets. It includes the spread and all fees.' });

export type Rate = z.infer<typeof RateSchema>;

const maxDetailsLength = 4096;

/** Additional facts that a request gives for a reason. They are stored in the history of the resource. */
export const DetailsSchema = z
  .record(z.string(), z.unknown())
  .refine((details) => JSON.stringify(details).length <= maxDetailsLength, {
    message: `expected details of at most ${maxDetailsLength} characters as JSON`,
    params: { code: 'OUT_OF_RANGE', params: { maximum: maxDetailsLength } },
  })
  .meta({ description: `Additional facts, at most ${maxDetailsLength} characters as JSON.` });

export const ReasonSchema = z
  .object({
    code: z.string().meta({ description: 'The reason code. Use this value in programs.', example: 'BENEFICIARY_BANK_REJECTED' }),
    message: z.string().meta({
      description: 'The reason as a sentence. Its wording may change.',
      example: 'The bank of the beneficiary returned the payment.',
    }),
    details: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Facts about the reason by name; an empty object if there are none.', example: {} }),
  })
  .openapi('Reason', { description: 'Why a resource has a status.' });

export type Reason = z.infer<typeof ReasonSchema>;

/** Maximum number of statuses in the history of a resource. A resource with a full history can no longer change. */
export const maxStates = 1000;

/** Returns the schema of a history entry. @param status schema of the allowed statuses */
export function stateSchema<S extends z.ZodType<string>>(status: S) {
  return z.object({
    status: status.describe('Status of the resource from `createdAt` on.'),
    createdAt: TimestampSchema.describe('Time at which the status began.'),
    reason: orNull(ReasonSchema).meta({ description: 'Reason for the status; null without one.', example: null }),
  });
}

export const TagSchema = z
  .object({
    key: z.string().nullable().meta({ description: 'Name of the tag; null for a hidden tag.', example: 'segment' }),
    value: z.string().meta({ description: 'Text that the tag contains.', example: 'STANDARD_COMPANY' }),
  })
  .openapi('Tag', {
    description: 'A label that the service sets. The operations of an account have its tags too. Clients cannot set tags.',
  });

export const AccountRefSchema = z
  .object({
    id: UuidSchema.describe('Id of the account, which never changes.'),
    owner: z.string().meta({
      description: 'Registered name of the owner: the legal name of a company, or the first and last name of a person.',
      example: 'Aurora Comércio Exterior Ltda',
    }),
  })
  .openapi('AccountRef', { description: 'Id and owner name of an account.' });

export type AccountRef = z.infer<typeof AccountRefSchema>;

/** Maximum length of the value of X-Sandbox-Purpose, in characters. */
export const maxPurpose = 100;
