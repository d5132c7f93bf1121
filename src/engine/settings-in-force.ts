import { durationMs, durationText } from '../contract/shared/duration.js';
import type { ScenarioSettings, Settings, UrlPolicy } from '../contract/scenario/settings.js';
import type { AssetCode } from '../contract/shared/common.js';
import type { RetryPolicy } from '../domain/webhooks/delivery.js';
import type { Pricing } from '../domain/operations/quote.js';
import type { ScenarioCatalogue } from '../scenario/catalogue.js';
import { mergeSettings } from '../scenario/merge-settings.js';
import { activeScenario } from './rules.js';
import type { UnitOfWork } from '../world/unit-of-work.js';

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
    quoteTtl: durationText(pricing.quoteTtlMs),
    fees: [...pricing.fees],
    retry: { retries: retry.retries, interval: durationText(retry.intervalMs) },
    deliveryTimeout: durationText(timeoutMs),
    urlPolicy,
    delays: {},
  };
}

/** Settings, and what prices depend on under them. */
export interface InForce {
  readonly settings: Settings;
  readonly pricing: Pricing;
}

/** Stands for what has no settings of its own. */
const none: ScenarioSettings = {};

/** What is in force in the worlds of a sandbox, put together again only when a part of it is another one: rows and scenarios never change. */
export class SettingsInForce {
  readonly #base: Settings;
  readonly #usdValues: Pricing['usdValues'];
  /** By the settings of the scenario, then by those that control calls have changed. */
  readonly #known = new WeakMap<ScenarioSettings, WeakMap<ScenarioSettings, InForce>>();

  constructor(base: Settings, usdValues: Pricing['usdValues']) {
    this.#base = base;
    this.#usdValues = usdValues;
  }

  of(uow: UnitOfWork, scenarios: ScenarioCatalogue): InForce {
    const scenario = activeScenario(uow, scenarios)?.settings ?? none;
    const row = uow.get('settings', 'settings') ?? none;
    let byRow = this.#known.get(scenario);
    if (!byRow) this.#known.set(scenario, (byRow = new WeakMap()));
    let inForce = byRow.get(row);
    if (!inForce) {
      const settings = mergeSettings([this.#base, changedSettings(uow, scenarios)]);
      byRow.set(row, (inForce = { settings, pricing: pricingOf(settings, this.#usdValues) }));
    }
    return inForce;
  }
}

/** What prices depend on under these settings. */
function pricingOf(settings: Settings, usdValues: Readonly<Record<AssetCode, string>>): Pricing {
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
