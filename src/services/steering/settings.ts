import type { z } from '@hono/zod-openapi';
import type { ScenarioSettings, SettingsRequestSchema } from '../../contract/scenario/settings.js';
import { mergeSettings } from '../../scenario/merge-settings.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/** Changes the given settings of a world; null restores the value of the scenario or the fixtures. */
export function changeSettings(uow: UnitOfWork, change: z.output<typeof SettingsRequestSchema>): void {
  const before = uow.get('settings', 'settings') ?? { id: 'settings' };
  const entries = Object.entries(change).filter(([, value]) => value !== undefined);
  const cleared = new Set(entries.filter(([, value]) => value === null).map(([name]) => name));
  const left = Object.fromEntries(Object.entries(before).filter(([name]) => !cleared.has(name))) as ScenarioSettings;
  const given = Object.fromEntries(entries.filter(([, value]) => value !== null)) as ScenarioSettings;
  uow.put('settings', { ...mergeSettings([left, given]), id: 'settings' });
}
