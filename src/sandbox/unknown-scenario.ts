import { chooseScenario } from '../services/steering/choose-scenario.js';
import type { World } from '../world/world.js';
import type { SandboxOptions } from './options.js';

/** Has a stored world whose scenario is no longer there go on with the one of new worlds, which is. */
export async function leaveUnknownScenario(world: World, { scenarios, scenario: fallback, warn }: SandboxOptions): Promise<void> {
  const active = world.state.scenario.get('scenario');
  if (!active || active.inline || scenarios.get(active.name)) return;
  warn?.(`World ${world.identity.name} has the scenario ${active.name}, which does not exist; it goes on with ${fallback}.`);
  await world.write('start', (uow) => chooseScenario(uow, { name: fallback })).kept;
}
