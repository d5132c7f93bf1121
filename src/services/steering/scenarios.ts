import type { Scenario } from '../../contract/scenario/scenario.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/** Sets the scenario for resources that are created later. Deletes the hit counters of the scenario rules. */
export function chooseScenario(uow: UnitOfWork, choice: { name: string } | { inline: Scenario }): void {
  const chosen = 'inline' in choice ? { name: choice.inline.scenario, inline: choice.inline } : { name: choice.name, inline: null };
  uow.put('scenario', { id: 'scenario', ...chosen, since: uow.now });
  for (const { id } of uow.rows('ruleCounts')) if (!id.startsWith('fault:')) uow.delete('ruleCounts', id);
}
