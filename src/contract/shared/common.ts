import { z } from '@hono/zod-openapi';
import { isTaxId, normalizeTaxId, taxIdTypes } from './tax-id.js';
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

export const AssetCodeSchema = z
  .enum(assetCodes)
  .openapi('AssetCode', { description: 'An asset. Fiat assets have 2 fractional digits, stablecoins 6.', example: 'BRL' });

/**
 * The schema or null. The document generator loses the null of `.nullable()` on a schema that has a name or a literal
 * value, so that the contract says it this way throughout.
 */
export function orNull<S extends z.ZodType>(schema: S) {
  return z.union([schema, z.null()]);
}

/** An id in a request; upper-case hex digits are accepted and mean the same id. */
export const UuidSchema = z.guid().toLowerCase().openapi({ type: 'string', format: 'uuid' });

/** The id that a text is, in lower case; undefined when it is none. It is what {@link UuidSchema} says, at a fraction of its cost. */
export function uuidOf(text: string): string | undefined {
  return z.regexes.guid.test(text) ? text.toLowerCase() : undefined;
}

/** An instant in a response, to the millisecond. */
export const TimestampSchema = z.iso.datetime({ precision: 3 }).openapi('Timestamp', {
  description: 'Instant in UTC, with milliseconds and a trailing Z.',
  example: '2026-11-21T14:03:07.512Z',
});

/** What an instant in a request looks like: many languages write micro- or nanoseconds. */
const instantPattern = /T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?Z$/;

/** An instant in a request, with up to nine fractional digits. Comes out in the contract's form, cut to milliseconds. */
export const InstantSchema = rule(z.iso.datetime(), (raw, report) => {
  if (typeof raw !== 'string' || instantPattern.test(raw) || !z.iso.datetime().safeParse(raw).success) return;
  report(
    'INVALID_DATE',
    [],
    `An instant has seconds and at most 9 fractional digits, as 2026-11-21T14:03:07.512Z; got ${raw.slice(0, 60)}.`,
  );
})
  .overwrite((instant) => (instantPattern.test(instant) ? new Date(instant.replace(/(\.[0-9]{3})[0-9]+/, '$1')).toISOString() : instant))
  .meta({ description: 'Instant in UTC, with a trailing Z. What is finer than a millisecond is cut.', example: '2026-11-21T14:00:00Z' });

/** A calendar day in a request. */
export const DateSchema = z.iso.date().meta({ description: 'Calendar day, yyyy-MM-dd.', example: '1986-04-17' });

/** Reports a day that is after `today`, yyyy-MM-dd: what has happened, or was issued, cannot lie in the future. */
export function reportFuture(value: unknown, path: readonly [string, ...string[]], today: string, report: Report): void {
  const day = path.reduce<unknown>((each, name) => fieldsOf(each)[name], value);
  if (typeof day !== 'string' || day <= today || !DateSchema.safeParse(day).success) return;
  report('OUT_OF_RANGE', path, `${path.join('.')} is ${day}, which is after today, ${today}.`, { maximum: today });
}

/** A text of at most `max` characters that is not blank. */
export const text = (max: number) => z.string().max(max).regex(/\S/);

export const NameSchema = text(120);

export const maxIntegerDigits = 15;
const amountPattern = /^-?[0-9]+(\.[0-9]+)?$/;

/** A decimal number as text. */
export const DecimalSchema = z.string().regex(amountPattern, 'expected a decimal number');

/** An amount in a request: a plain decimal string, never a JSON number. */
export const AmountValueSchema = z.string().max(64).regex(amountPattern).openapi('AmountValue', {
  description: 'Decimal number as a string. At most 15 digits before the point, and no more after it than its asset has.',
  example: '1500.00',
});

/**
 * What is wrong with an amount value for its asset, beyond its pattern; null when nothing is.
 * `asset` may be unknown (it failed its own check): then only the rules that need no asset apply.
 */
export function amountFault(
  value: unknown,
  asset: unknown,
): {
  code: 'INVALID_AMOUNT_PRECISION' | 'OUT_OF_RANGE' | 'AMOUNT_MUST_BE_POSITIVE';
  message: string;
  params: Record<string, unknown>;
} | null {
  if (typeof value !== 'string' || value.length > 64 || !amountPattern.test(value)) return null;
  if (value.startsWith('-') || /^[0.]*$/.test(value)) {
    return { code: 'AMOUNT_MUST_BE_POSITIVE', message: 'The amount must be greater than zero.', params: { received: value } };
  }
  const [whole = '', fraction = ''] = value.split('.');
  if (whole.replace(/^0+/, '').length > maxIntegerDigits) {
    return {
      code: 'OUT_OF_RANGE',
      message: `The amount has more than ${maxIntegerDigits} digits before the decimal point.`,
      params: { maximumIntegerDigits: maxIntegerDigits },
    };
  }
  const allowed = typeof asset === 'string' && Object.hasOwn(assetDecimals, asset) ? assetDecimals[asset as AssetCode] : undefined;
  if (allowed !== undefined && fraction.length > allowed) {
    return {
      code: 'INVALID_AMOUNT_PRECISION',
      message: `${String(asset)} amounts have at most ${allowed} fractional digits; ${value} has ${fraction.length}.`,
      params: { asset, allowed, received: fraction.length },
    };
  }
  return null;
}

export const AmountSchema = z
  .object({
    value: DecimalSchema.meta({ description: "Decimal string in the asset's full scale.", example: '537.83' }),
    asset: AssetCodeSchema,
    decimals: z.number().int().meta({ description: "The asset's fractional digits.", example: 2 }),
  })
  .openapi('Amount', { description: 'A sum of one asset. Compute with decimals, never with binary floating point.' });

export type Amount = z.infer<typeof AmountSchema>;

/** What is given for the other side of a conversion; in examples, dollars for reais. */
export const SourceAmountSchema = AmountSchema.meta({ example: { value: '100.00', asset: 'USD', decimals: 2 } });

/** A sum in a request: greater than zero, and no finer than its asset. */
export const AmountRequestSchema = rule(z.object({ value: AmountValueSchema, asset: AssetCodeSchema }), (raw, report) => {
  const { value, asset } = fieldsOf(raw);
  const fault = amountFault(value, asset);
  if (fault) report(fault.code, ['value'], fault.message, fault.params);
}).openapi('AmountRequest');

export const RateSchema = z
  .object({
    value: DecimalSchema.meta({
      description: 'Units of `quote` for one unit of `base`; 2 to 10 fractional digits.',
      example: '5.3783783783',
    }),
    base: AssetCodeSchema.meta({ example: 'USD' }),
    quote: AssetCodeSchema,
  })
  .openapi('Rate');

export type Rate = z.infer<typeof RateSchema>;

/** The ISO 3166-1 alpha-2 country codes. */
const countryCodes =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'.split(
    ' ',
  ) as [string, ...string[]];

export const CountrySchema = z.enum(countryCodes).openapi('Country', { description: 'ISO 3166-1 alpha-2 country code.', example: 'BR' });

export const AddressRequestSchema = z
  .object({
    addressLine1: text(200).meta({ example: 'Avenida Paulista 1578' }),
    addressLine2: text(200).nullish().meta({ example: 'Conjunto 41' }),
    city: text(120).meta({ example: 'São Paulo' }),
    state: text(120).meta({ example: 'SP' }),
    country: CountrySchema,
    postalCode: text(20).meta({ example: '01310-200' }),
  })
  .openapi('AddressRequest');

export const AddressSchema = z
  .object({
    addressLine1: z.string().meta({ example: 'Avenida Paulista 1578' }),
    addressLine2: z.string().nullable().meta({ example: 'Conjunto 41' }),
    city: z.string().meta({ example: 'São Paulo' }),
    state: z.string().meta({ example: 'SP' }),
    country: CountrySchema,
    postalCode: z.string().meta({ example: '01310-200' }),
  })
  .openapi('Address');

export type Address = z.infer<typeof AddressSchema>;

export const TaxIdTypeSchema = z.enum(taxIdTypes).openapi('TaxIdType', {
  description: 'Kind of tax or identity number. All but OTHER are checked by the rules of their register, check digits included.',
  example: 'CNPJ',
});

export const TaxIdSchema = z
  .object({
    value: z.string().meta({ description: 'The number without punctuation.', example: '11222333000181' }),
    type: TaxIdTypeSchema,
  })
  .openapi('TaxId');

export type TaxId = z.infer<typeof TaxIdSchema>;

/** A tax id in a request: punctuation is accepted and dropped. */
export const TaxIdRequestSchema = rule(
  z.object({
    value: z.string().max(40).meta({ description: 'The number, with or without its punctuation.', example: '11.222.333/0001-81' }),
    type: TaxIdTypeSchema,
  }),
  (raw, report) => {
    const { value, type } = fieldsOf(raw);
    const known = taxIdTypes.find((each) => each === type);
    if (known === undefined || typeof value !== 'string' || value.length > 40 || isTaxId(known, value)) return;
    report('VALIDATE_TAX_ID', ['value'], `"${value}" is not a valid ${known}.`, { type: known });
  },
)
  .overwrite((taxId) => ({ type: taxId.type, value: normalizeTaxId(taxId.type, taxId.value) }))
  .openapi('TaxIdRequest');

/** Adds to a person or a company the rule that its tax id is of its kind: Brazil gives a CPF to people and a CNPJ to companies. */
export function withOwnTaxId<S extends z.ZodType>(kind: 'PERSON' | 'COMPANY', schema: S): S {
  const [other, right] = kind === 'PERSON' ? (['CNPJ', 'CPF'] as const) : (['CPF', 'CNPJ'] as const);
  return rule(schema, (raw, report) => {
    if (fieldsOf(fieldsOf(raw)['taxId'])['type'] !== other) return;
    const message = `A ${other} is the number of a ${kind === 'PERSON' ? 'company' : 'person'}; give the ${right}, or the number of another country.`;
    report('VALIDATE_TAX_ID', ['taxId', 'value'], message, { type: other, expected: right });
  });
}

export const ReasonSchema = z
  .object({
    code: z.string().meta({ description: 'Why, for programs.', example: 'BENEFICIARY_BANK_REJECTED' }),
    message: z.string().meta({ description: 'Why, for people.', example: 'The bank of the beneficiary returned the payment.' }),
    details: z.record(z.string(), z.unknown()).meta({ description: 'Further facts; may be empty.', example: {} }),
  })
  .openapi('Reason');

export type Reason = z.infer<typeof ReasonSchema>;

/** The schema of a history entry whose status is one of `statuses`. */
export function stateSchema<const T extends readonly [string, ...string[]]>(statuses: T) {
  return z.object({
    status: z.enum(statuses),
    createdAt: TimestampSchema.meta({ description: 'When this status was entered.' }),
    reason: orNull(ReasonSchema).meta({ description: 'Why; null when there is nothing to explain.', example: null }),
  });
}

export const TagSchema = z
  .object({
    key: z.string().nullable().meta({ description: 'Null for a hidden tag.', example: 'segment' }),
    value: z.string().meta({ example: 'STANDARD_COMPANY' }),
  })
  .openapi('Tag', { description: 'A label set by the service.' });

export type Tag = z.infer<typeof TagSchema>;

export const AccountRefSchema = z
  .object({
    id: UuidSchema,
    owner: z.string().meta({ description: 'Registered name of the owner.', example: 'Aurora Comércio Exterior Ltda' }),
  })
  .openapi('AccountRef');

export type AccountRef = z.infer<typeof AccountRefSchema>;

export const PageMetaSchema = z
  .object({
    previousCursor: z.string().nullable().meta({ description: 'Where the page before starts; null on the first page.', example: null }),
    nextCursor: z.string().nullable().meta({ description: 'Where the page after starts; null on the last page.', example: null }),
    total: z.number().int().meta({ description: 'Number of items on this page.', example: 1 }),
  })
  .openapi('PageMeta');

export type PageMeta = z.infer<typeof PageMetaSchema>;

/** The body of a list response whose items are `item`. */
export function pageSchema<S extends z.ZodType>(item: S) {
  return z.object({ data: z.array(item), meta: PageMetaSchema });
}

/** A whole number in a query: digits and nothing else, so that `1e1`, `0x10` and an empty value are refused. */
export function queryInteger(minimum: number, maximum: number) {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^-?[0-9]{1,15}$/.test(value) ? Number(value) : value),
    z.number().int().min(minimum).max(maximum),
  );
}

/** A cursor, or an empty text for none. What it stands for is for its list to say; what is none at all is told with everything else. */
const CursorSchema = z.string().regex(/^([A-Za-z0-9_-]{60,80})?$/);

/** The query parameters that every list takes. */
export const PageQuerySchema = z.object({
  limit: queryInteger(1, 100).default(10).meta({ description: 'Items per page.' }),
  cursor: CursorSchema.optional().meta({ description: 'Cursor from an earlier response of the same list, order and filter.' }),
  direction: z.enum(['NEXT', 'PREVIOUS']).optional().meta({ description: 'Which side of the cursor; NEXT when left out.' }),
  sortOrder: z.enum(['ASCENDING', 'DESCENDING']).default('DESCENDING').meta({ description: 'By time of creation.' }),
  filters: z.string().optional().meta({
    description: 'Filter expression: `field[operator]=value`, combined by `;`, `and(…)` and `or(…)`.',
    example: 'createdAt[gte]=2026-11-01T00:00:00Z',
  }),
});

export type PageQuery = z.infer<typeof PageQuerySchema>;
