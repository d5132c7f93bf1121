import type { z } from '@hono/zod-openapi';
import type { ScenarioSettings, SettingsRequestSchema } from '../../contract/scenario/settings.js';
import type { Scenario } from '../../contract/scenario/scenario.js';
import { mergeSettings } from '../../scenario/merge-settings.js';
import { clockAt } from '../../world/clock-record.js';
import type { ClockRecord } from '../../world/rows.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/** Freezes the clock at the current world time, or lets the clock run from there. `realMs` is real time in Unix milliseconds. */
export function setClock(uow: UnitOfWork, { mode, realMs }: { mode: ClockRecord['mode']; realMs: number }): void {
  uow.put('clock', clockAt(mode, Date.parse(uow.now), realMs));
}

/** Changes the given settings of a world; null restores the value of the scenario or the fixtures. */
export function changeSettings(uow: UnitOfWork, change: z.output<typeof SettingsRequestSchema>): void {
  const before = uow.get('settings', 'settings') ?? { id: 'settings' };
  const entries = Object.entries(change).filter(([, value]) => value !== undefined);
  const cleared = new Set(entries.filter(([, value]) => value === null).map(([name]) => name));
  const left = Object.fromEntries(Object.entries(before).filter(([name]) => !cleared.has(name))) as ScenarioSettings;
  const given = Object.fromEntries(entries.filter(([, value]) => value !== null)) as ScenarioSettings;
  uow.put('settings', { ...mergeSettings([left, given]), id: 'settings' });
}

/** Sets the scenario for resources that are created later. Deletes the hit counters of the scenario rules. */
export function chooseScenario(uow: UnitOfWork, choice: { name: string } | { inline: Scenario }): void {
  const chosen = 'inline' in choice ? { name: choice.inline.scenario, inline: choice.inline } : { name: choice.name, inline: null };
  uow.put('scenario', { id: 'scenario', ...chosen, since: uow.now });
  for (const { id } of uow.rows('ruleCounts')) if (!id.startsWith('fault:')) uow.delete('ruleCounts', id);
}
