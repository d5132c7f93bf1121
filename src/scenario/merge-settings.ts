import type { ScenarioSettings } from '../contract/scenario/settings.js';

const reverse = (pair: string) => pair.split('/').toReversed().join('/');

/** Merges settings; later layers override earlier ones. A rate also overrides the rate of the reverse pair. */
export function mergeSettings<S extends ScenarioSettings>(layers: readonly [S, ...ScenarioSettings[]]): S;
export function mergeSettings(layers: readonly ScenarioSettings[]): ScenarioSettings;
export function mergeSettings(layers: readonly ScenarioSettings[]): ScenarioSettings {
  const [lowest = {}, ...others] = layers.filter((each) => Object.keys(each).length > 0);
  return others.reduce(
    (below, above) => ({
      ...below,
      ...above,
      ...(below.rates && above.rates ? { rates: mergeRates(below.rates, above.rates) } : {}),
      ...(below.delays && above.delays ? { delays: { ...below.delays, ...above.delays } } : {}),
    }),
    lowest,
  );
}

function mergeRates(below: Record<string, string>, above: Record<string, string>): Record<string, string> {
  const kept = Object.entries(below).filter(([pair]) => !Object.hasOwn(above, reverse(pair)));
  return { ...Object.fromEntries(kept), ...above };
}
