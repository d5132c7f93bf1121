import { durationMs, durationText } from '../contract/shared/duration.js';
import type { Settings, UrlPolicy } from '../contract/scenario/settings.js';
import type { AssetCode } from '../contract/shared/common.js';
import type { RetryPolicy } from '../domain/webhooks/delivery.js';
import { pricingAt, type Pricing } from '../domain/operations/pricing.js';
import { mergeSettings } from '../scenario/merge-settings.js';
import { activeScenario } from './rules.js';
import { beganMs } from '../world/began.js';
import type { View } from '../world/view.js';

const noChange = { id: 'settings' };

/** The settings for the delivery of webhooks. */
interface DeliverySettings {
  readonly retry: RetryPolicy;
  readonly timeoutMs: number;
  readonly urlPolicy: UrlPolicy;
  readonly standardWebhooks: boolean;
  /**
   * Time that a webhook waits for a listener to reconnect, in milliseconds of real time; also after a restart.
   */
  readonly listenerGraceMs: number;
}

/** Default world time between two changes of a rate. */
const defaultTick = '1s';

/** Returns the settings of a new world. */
export function baseSettings(pricing: Pricing, urlPolicy: UrlPolicy): Settings {
  return {
    rates: { ...pricing.rates },
    rateModel: { volatility: '0', tick: defaultTick },
    spread: pricing.spread,
    quoteTtl: durationText(pricing.quoteTtlMs),
    fees: [...pricing.fees],
    retry: { retries: 3, interval: '5s' },
    deliveryTimeout: '10s',
    urlPolicy,
    standardWebhooks: true,
    payloadExtras: true,
    traceContext: true,
    listenerGrace: '5s',
    delays: {},
  };
}

/** Returns the effective settings. Settings of control requests override those of the scenario, which override the base settings. */
export function settingsInForce(view: View, base: Settings): Settings {
  const { id: _id, ...changed } = view.get('settings', 'settings') ?? noChange;
  return mergeSettings([base, activeScenario(view)?.settings ?? {}, changed]);
}

/** Returns the settings that determine prices, at the current world time. @param usdValues the values at the beginning of the world */
export function pricingOf(view: View, usdValues: Readonly<Record<AssetCode, string>>): Pricing {
  const { rates, rateModel, spread, quoteTtl, fees } = view.settings;
  const still: Pricing = { usdValues, rates, spread, quoteTtlMs: durationMs(quoteTtl) ?? 0, fees };
  if (isZeroText(rateModel.volatility)) return still;
  const model = { volatility: rateModel.volatility, tickMs: durationMs(rateModel.tick ?? defaultTick) ?? 1000 };
  const { seed, name } = view.identity;
  return pricingAt(still, model, { seed: [seed, name], ageMs: Date.parse(view.now) - beganMs(view) });
}

const isZeroText = (decimal: string) => !/[1-9]/.test(decimal);

/** Returns the settings for the delivery of webhooks, with durations in milliseconds. */
export function deliveryOf({ retry, deliveryTimeout, urlPolicy, standardWebhooks, listenerGrace }: Settings): DeliverySettings {
  return {
    retry: { retries: retry.retries, intervalMs: durationMs(retry.interval) ?? 0 },
    timeoutMs: durationMs(deliveryTimeout) ?? 0,
    urlPolicy,
    standardWebhooks,
    listenerGraceMs: durationMs(listenerGrace) ?? 0,
  };
}
