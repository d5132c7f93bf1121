import { durationMs } from '../contract/duration.js';
import type { ScenarioSettings, Settings, UrlPolicy } from '../contract/settings.js';
import type { AssetCode } from '../contract/common.js';
import type { RetryPolicy } from '../domain/delivery.js';
import type { Pricing } from '../domain/quote.js';
import type { ScenarioCatalogue } from '../scenario/catalogue.js';
import { mergeSettings } from '../scenario/settings.js';
import { activeScenario } from './rules.js';
import type { UnitOfWork } from './unit-of-work.js';

/** What the delivery of webhooks goes by. */
export interface DeliverySettings {
  readonly retry: RetryPolicy;
  readonly timeoutMs: number;
  readonly urlPolicy: UrlPolicy;
}

/** What scenario and control calls change of a world's settings, the latter on top. */
export function changedSettings(uow: UnitOfWork, scenarios: ScenarioCatalogue): ScenarioSettings {
  const { id: _id, ...changed } = uow.get('settings', 'settings') ?? { id: 'settings' };
  return mergeSettings([activeScenario(uow, scenarios)?.settings ?? {}, changed]);
}

/** The settings of a world that nothing has changed. */
export function baseSettings(pricing: Pricing, { retry, timeoutMs, urlPolicy }: DeliverySettings): Settings {
  return {
    rates: { ...pricing.rates },
    spread: pricing.spread,
    quoteTtl: `${pricing.quoteTtlMs}ms`,
    fees: [...pricing.fees],
    retry: { retries: retry.retries, interval: `${retry.intervalMs}ms` },
    deliveryTimeout: `${timeoutMs}ms`,
    urlPolicy,
    delays: {},
  };
}

/** What prices depend on under these settings. */
export function pricingOf(settings: Settings, usdValues: Readonly<Record<AssetCode, string>>): Pricing {
  const { rates, spread, quoteTtl, fees } = settings;
  return { usdValues, rates, spread, quoteTtlMs: durationMs(quoteTtl) ?? 0, fees };
}

/** What deliveries go by under these settings. */
export function deliveryOf({ retry, deliveryTimeout, urlPolicy }: Settings): DeliverySettings {
  return {
    retry: { retries: retry.retries, intervalMs: durationMs(retry.interval) ?? 0 },
    timeoutMs: durationMs(deliveryTimeout) ?? 0,
    urlPolicy,
  };
}
