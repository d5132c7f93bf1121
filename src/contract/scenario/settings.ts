import { z } from '@hono/zod-openapi';
import { assetCodes, assetDecimals, AssetCodeSchema, type AssetCode } from '../shared/common.js';
import { resourceTriggers, type ResourceTrigger } from '../shared/kinds.js';
import { expected, form, whole } from '../shared/messages/forms.js';
import { DeliveryTimeoutSchema, ListenerGraceSchema, SettingSpanSchema } from '../shared/duration.js';

/**
 * Which webhook URLs are allowed. `strict` is the rule of the real service: HTTPS to public hosts.
 * `local` also allows http, and addresses that only exist beside the sandbox, where the endpoint under test runs.
 */
export const urlPolicies = ['local', 'strict'] as const;
export type UrlPolicy = (typeof urlPolicies)[number];

const pairPattern = new RegExp(`^(${assetCodes.join('|')})/(${assetCodes.join('|')})$`);

const PairSchema = form(pairPattern, 'two assets', 'BRL/USD').refine((pair) => pair.split('/')[0] !== pair.split('/')[1], {
  message: expected('two different assets', 'BRL/USD'),
});

/** A decimal number above zero with up to 15 digits before the point and 18 behind it. */
const positive = '^(0*[1-9][0-9]{0,14}(\\.[0-9]{1,18})?|0+\\.[0-9]{0,17}[1-9][0-9]{0,17})$';

const RateTextSchema = form(/^[0-9]{1,15}(\.[0-9]{1,18})?$/, 'a decimal number above zero as a text, with a point', '0.1850')
  .refine((text) => /[1-9]/.test(text), { message: 'expected a number above zero' })
  .meta({ pattern: positive, example: '0.1850' });

const ShareSchema = form(/^0(\.[0-9]{1,18})?$/, 'a share below 1 as a text', '0.005').meta({ example: '0.005' });

const FeeSourceSchema = z.enum(['PLATFORM', 'RAIL', 'PARTNER']).openapi('FeeSettingSource', {
  description: 'Who takes a fee: the service, the payment system, or a partner.',
});
const source = FeeSourceSchema.describe('Who takes the fee.');

const FeeSettingSchema = z
  .discriminatedUnion('type', [
    z
      .strictObject({
        type: z.literal('PERCENTAGE').describe('Says that the fee is a share of the source amount.'),
        percentage: ShareSchema.describe('The share as a decimal fraction: "0.005" is half a percent.'),
        source,
      })
      .openapi('PercentageFeeSetting', { description: 'A share of the source amount.' }),
    z
      .strictObject({
        type: z.literal('ABSOLUTE').describe('Says that the fee is the same for every amount.'),
        amount: z
          .strictObject({
            value: RateTextSchema.meta({ description: 'How much, as a decimal in quotes.', example: '1.50' }),
            asset: AssetCodeSchema.describe('What the sum is made of.'),
          })
          .openapi('FeeAmount', { description: 'How much a fixed fee is.' })
          .describe('How much it is.'),
        source,
      })
      .refine(({ amount }) => (amount.value.split('.')[1] ?? '').length <= assetDecimals[amount.asset], {
        path: ['amount', 'value'],
        message: 'expected no more fractional digits than the asset has',
      })
      .openapi('AbsoluteFeeSetting', { description: 'A fixed amount, taken from the source at the mid rate of its asset.' }),
  ])
  .openapi('FeeSetting', { description: 'A fee that every quote takes into account; `type` tells how it is computed.' });

export type FeeSetting = z.infer<typeof FeeSettingSchema>;

const RatesSchema = z.record(PairSchema, RateTextSchema).openapi('RateSettings', {
  description: 'Mid rates by pair of assets: units of the second for one of the first.',
  example: { 'BRL/USD': '0.1850' },
});

const RetrySchema = z
  .strictObject({
    retries: whole(0, 20).describe('How often a failed delivery is tried again.'),
    interval: SettingSpanSchema.describe('How long after an attempt the next one comes, of world time.'),
  })
  .openapi('RetrySettings', { description: 'How failed deliveries are tried again, of subscriptions that allow it.' });

const DelaysSchema = z
  .strictObject(
    Object.fromEntries(
      resourceTriggers.map((kind) => [kind, SettingSpanSchema.describe(`Delay of every step of ${kind} resources.`)]),
    ) as Record<ResourceTrigger, typeof SettingSpanSchema>,
  )
  .partial()
  .openapi('DelaySettings', { description: 'Delays by kind of resource.' });

const fields = {
  rates: RatesSchema.describe('Mid rates by pair. Each also sets its reciprocal.'),
  spread: ShareSchema.describe('Share of the mid rate that the service keeps across assets.'),
  quoteTtl: SettingSpanSchema.describe('How long a quote holds.'),
  fees: z
    .array(FeeSettingSchema)
    .max(10)
    .describe(
      'Fees besides the spread, within one asset too; transfers have none. They are taken from the source, so that the rate is that of what is left.',
    ),
  retry: RetrySchema.describe('How often a failed delivery is tried again, and how far apart.'),
  deliveryTimeout: DeliveryTimeoutSchema.describe('How long a webhook endpoint may take, of real time.'),
  urlPolicy: z
    .enum(urlPolicies)
    .openapi('UrlPolicy', {
      description:
        '`strict` is the rule of the real service: https to public hosts. `local` also allows hosts beside the sandbox, and http to them.',
    })
    .describe('Which webhook URLs are allowed.'),
  standardWebhooks: z
    .boolean()
    .describe('Whether webhooks carry the headers of Standard Webhooks too. The real service signs with X-Message-Signature alone.'),
  listenerGrace: ListenerGraceSchema.describe(
    'How long a webhook waits for a listener whose connection was lost, or that may have been connected before the sandbox started, of real time.',
  ),
  delays: DelaysSchema.describe("Delay of every step of a kind, in place of the files' `after`."),
};

/** The settings of a scenario file. */
export const ScenarioSettingsSchema = z
  .strictObject(fields)
  .partial()
  .openapi('ScenarioSettings', { description: 'What a scenario changes of the settings.' });
export type ScenarioSettings = z.infer<typeof ScenarioSettingsSchema>;

/** What is changed of a world's settings. Null takes one back to what scenario and fixtures say. */
export const SettingsRequestSchema = z
  .strictObject({
    rates: fields.rates.nullish(),
    spread: fields.spread.nullish(),
    quoteTtl: fields.quoteTtl.nullish(),
    fees: fields.fees.nullish(),
    retry: fields.retry.nullish(),
    deliveryTimeout: fields.deliveryTimeout.nullish(),
    urlPolicy: fields.urlPolicy.nullish(),
    standardWebhooks: fields.standardWebhooks.nullish(),
    listenerGrace: fields.listenerGrace.nullish(),
    delays: fields.delays.nullish(),
  })
  .openapi('SettingsRequest', { description: 'Only what is given changes. Rates and delays merge by their names.' });

const AllSettingsSchema = ScenarioSettingsSchema.extend(fields).strip();

/** All settings of a world, each with its value. */
export type Settings = z.infer<typeof AllSettingsSchema>;

const UsdValuesSchema = z
  .object(
    Object.fromEntries(
      assetCodes.map((code) => [code, z.string().describe(`What one ${code} is worth in USD, as a decimal string.`)]),
    ) as Record<AssetCode, z.ZodString>,
  )
  .openapi('UsdValues', { description: 'What one unit of each asset is worth in USD.' });

/** The settings in force, and what they start from. */
export const SettingsSchema = AllSettingsSchema.extend({
  rates: fields.rates.describe('The mid rates that are set by pair, each with its reciprocal. All others follow from `usdValues`.'),
  usdValues: UsdValuesSchema.describe(
    'What one unit of each asset is worth in USD. A mid rate that is not set is the quotient of two of them.',
  ),
}).openapi('Settings', { description: 'The settings that are in force in a world.' });
