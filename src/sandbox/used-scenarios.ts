import { chooseScenario } from '../services/steering/choose-scenario.js';
import type { World } from '../world/world.js';
import type { SandboxOptions } from './options.js';

/** Has a world that was stored, or restored, and whose scenario is no longer there go on with the one of new worlds, which is. */
export async function leaveUnknownScenario(world: World, { scenarios, scenario: fallback, warn }: SandboxOptions): Promise<void> {
  const active = world.state.scenario.get('scenario');
  if (!active || active.inline || scenarios.get(active.name)) return;
  warn?.(`World ${world.identity.name} has the scenario ${active.name}, which does not exist; it goes on with ${fallback}.`);
  await world.write('start', (uow) => chooseScenario(uow, { name: fallback })).kept;
}

/** Who uses which scenario, by its name: what is in use is not taken away. @param usual that of worlds that name none */
export function scenarioUsers(worlds: ReadonlyMap<string, World>, usual: string): Map<string, string> {
  const users = new Map([[usual, 'new worlds']]);
  for (const [name, { state }] of worlds) {
    const active = state.scenario.get('scenario');
    if (active && !active.inline) users.set(active.name, `world ${name}`);
  }
  return users;
}
