import { z } from '@hono/zod-openapi';
import { assetCodes, assetDecimals, AssetCodeSchema, type AssetCode } from '../shared/common.js';
import { resourceTriggers, type ResourceTrigger } from '../shared/kinds.js';
import { expected, patternSchema, whole } from '../shared/messages/forms.js';
import { DeliveryTimeoutSchema, ListenerGraceSchema, RateTickSchema, SettingSpanSchema } from '../shared/duration.js';

/**
 * The policies for webhook URLs. `strict` is the rule of the real service: HTTPS to public hosts.
 * `local` also allows http and addresses in the local network of the sandbox, where the endpoint under test runs.
 */
export const urlPolicies = ['local', 'strict'] as const;
export type UrlPolicy = (typeof urlPolicies)[number];

export const UrlPolicySchema = z.enum(urlPolicies).openapi('UrlPolicy', {
  description:
    '`strict` is the rule of the real service: https to public hosts. `local` also allows hosts in the local network of the sandbox, and http to them.',
});

const pairPattern = new RegExp(`^(${assetCodes.join('|')})/(${assetCodes.join('|')})$`);

const PairSchema = patternSchema(pairPattern, 'two assets', 'BRL/USD').refine((pair) => pair.split('/')[0] !== pair.split('/')[1], {
  message: expected('two different assets', 'BRL/USD'),
});

/** A decimal number above zero with up to 15 digits before the decimal point and 18 after it. */
const positive = '^(0*[1-9][0-9]{0,14}(\\.[0-9]{1,18})?|0+\\.[0-9]{0,17}[1-9][0-9]{0,17})$';

const RateTextSchema = patternSchema(
  /^[0-9]{1,15}(\.[0-9]{1,18})?$/,
  'a decimal number above zero as a string, with a decimal point',
  '0.1850',
)
  .refine((text) => /[1-9]/.test(text), { message: 'expected a number above zero' })
  .meta({ pattern: positive, example: '0.1850' });

const ShareSchema = patternSchema(/^0(\.[0-9]{1,18})?$/, 'a share below 1 as a string', '0.005').meta({ example: '0.005' });

const FeeSourceSchema = z.enum(['PLATFORM', 'RAIL', 'PARTNER']).openapi('FeeSettingSource', {
  description: 'Receiver of a fee: the service, the payment system, or a partner.',
});
const source = FeeSourceSchema.describe('Receiver of the fee.');

const FeeSettingSchema = z
  .discriminatedUnion('type', [
    z
      .strictObject({
        type: z.literal('PERCENTAGE').describe('The fee is a share of the source amount.'),
        percentage: ShareSchema.describe('The share as a decimal fraction: "0.005" is half a percent.'),
        source,
      })
      .openapi('PercentageFeeSetting', { description: 'A share of the source amount.' }),
    z
      .strictObject({
        type: z.literal('ABSOLUTE').describe('The fee is the same for every amount.'),
        amount: z
          .strictObject({
            value: RateTextSchema.meta({ description: 'Amount as a decimal string in quotes.', example: '1.50' }),
            asset: AssetCodeSchema.describe('Currency or stablecoin of the amount.'),
          })
          .openapi('FeeAmount', { description: 'Value and asset of a fixed fee.' })
          .describe('Amount charged as a fee.'),
        source,
      })
      .refine(({ amount }) => (amount.value.split('.')[1] ?? '').length <= assetDecimals[amount.asset], {
        path: ['amount', 'value'],
        message: 'expected at most the decimal places of the asset',
      })
      .openapi('AbsoluteFeeSetting', { description: 'A fixed fee. It is deducted from the source amount, converted at the mid rate.' }),
  ])
  .openapi('FeeSetting', { description: 'A fee of every quote. `type` selects the variant.' });

export type FeeSetting = z.infer<typeof FeeSettingSchema>;

const RatesSchema = z.record(PairSchema, RateTextSchema).openapi('RateSettings', {
  description: 'Mid rates by pair of assets: units of the second asset for one unit of the first.',
  example: { 'BRL/USD': '0.1850' },
});

const VolatilitySchema = patternSchema(
  /^[0-9](\.[0-9]{1,18})?$/,
  'a yearly volatility below 10 as a string, with a decimal point',
  '0.4',
).meta({
  example: '0.4',
});

const RateModelSchema = z
  .strictObject({
    volatility: VolatilitySchema.describe('Yearly volatility of each currency in USD, as a decimal fraction. "0": rates do not move.'),
    tick: RateTickSchema.optional().describe('World time between two changes of a rate. Default: 1s.'),
  })
  .openapi('RateModelSettings', {
    description:
      "How rates move over world time: a random walk that the world's seed determines. All pairs are consistent with each other. At the beginning of the world, rates are those of `usdValues` and `rates`.",
    example: { volatility: '0.4', tick: '1s' },
  });

const RetrySchema = z
  .strictObject({
    retries: whole(0, 20).describe('Number of retries of a failed delivery.'),
    interval: SettingSpanSchema.describe('World time between two attempts.'),
  })
  .openapi('RetrySettings', { description: 'How failed deliveries are retried, for subscriptions with `allowRetry`.' });

const DelaysSchema = z
  .strictObject(
    Object.fromEntries(
      resourceTriggers.map((kind) => [kind, SettingSpanSchema.describe(`Delay of every step of ${kind} resources.`)]),
    ) as Record<ResourceTrigger, typeof SettingSpanSchema>,
  )
  .partial()
  .openapi('DelaySettings', { description: 'Delays by kind of resource.' });

const fields = {
  rates: RatesSchema.describe('Mid rates by pair. Each pair also sets the reciprocal pair.'),
  rateModel: RateModelSchema.describe('How rates move over world time. Default: not at all.'),
  spread: ShareSchema.describe('Share of the mid rate that the service keeps if the assets differ.'),
  quoteTtl: SettingSpanSchema.describe('World time for which a quote is valid.'),
  fees: z
    .array(FeeSettingSchema)
    .max(10)
    .describe(
      'Fees in addition to the spread, also within one asset; transfers have none. They are deducted from the source amount before conversion, so the effective rate includes them.',
    ),
  retry: RetrySchema.describe('Number and interval of the retries of a failed delivery.'),
  deliveryTimeout: DeliveryTimeoutSchema.describe('Timeout of a webhook endpoint, in real time.'),
  urlPolicy: UrlPolicySchema.describe('Policy for webhook URLs.'),
  standardWebhooks: z
    .boolean()
    .describe('Whether webhooks also have the headers of Standard Webhooks. The real service uses X-Message-Signature only.'),
  traceContext: z
    .boolean()
    .describe('Whether webhooks carry the trace context (`traceparent`, `tracestate`) of the request that caused them.'),
  payloadExtras: z
    .boolean()
    .describe(
      'Whether webhooks also have the ids that only the sandbox adds: `id` and `account.id` of operations, and the ids of beneficiaries, payment instructions and transactions.',
    ),
  listenerGrace: ListenerGraceSchema.describe(
    'Real time for which a webhook waits for a listener that lost its connection, or that may have been connected before the sandbox started.',
  ),
  delays: DelaysSchema.describe('Delay of every scenario step, by kind of resource; replaces `after` of the scenario files.'),
};

/** The settings of a scenario file. */
export const ScenarioSettingsSchema = z
  .strictObject(fields)
  .partial()
  .openapi('ScenarioSettings', { description: 'Settings of a world that a scenario overrides.' });
export type ScenarioSettings = z.infer<typeof ScenarioSettingsSchema>;

const AllSettingsSchema = ScenarioSettingsSchema.extend(fields).strip();

export type Settings = z.infer<typeof AllSettingsSchema>;

const UsdValuesSchema = z
  .object(
    Object.fromEntries(
      assetCodes.map((code) => [code, z.string().describe(`Value of one ${code} in USD, as a decimal string.`)]),
    ) as Record<AssetCode, z.ZodString>,
  )
  .openapi('UsdValues', { description: 'Value of one unit of each asset in USD.' });

/** Changes to the settings of a world. Null restores the value of the scenario or the fixtures. */
export const SettingsRequestSchema = z
  .strictObject({
    rates: fields.rates.nullish(),
    rateModel: fields.rateModel.nullish(),
    spread: fields.spread.nullish(),
    quoteTtl: fields.quoteTtl.nullish(),
    fees: fields.fees.nullish(),
    retry: fields.retry.nullish(),
    deliveryTimeout: fields.deliveryTimeout.nullish(),
    urlPolicy: fields.urlPolicy.nullish(),
    standardWebhooks: fields.standardWebhooks.nullish(),
    traceContext: fields.traceContext.nullish(),
    payloadExtras: fields.payloadExtras.nullish(),
    listenerGrace: fields.listenerGrace.nullish(),
    delays: fields.delays.nullish(),
  })
  .openapi('SettingsRequest', {
    description: 'Changes to the settings. Absent settings do not change. Rates and delays are merged by name.',
  });

/** The present settings, and the USD values from which rates are computed. */
export const SettingsSchema = AllSettingsSchema.extend({
  rates: fields.rates.describe(
    'The mid rates in force: of every asset to USD, and of the configured pairs. Each pair also has its reciprocal. All other rates are computed from `usdValues`.',
  ),
  usdValues: UsdValuesSchema.describe(
    'Present value of one unit of each asset in USD. A mid rate that is not configured is the quotient of two of these values.',
  ),
}).openapi('Settings', { description: 'The present settings of a world.' });
