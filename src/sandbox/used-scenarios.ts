import { chooseScenario } from '../services/steering/scenarios.js';
import type { World } from '../world/world.js';
import type { SandboxOptions } from './options.js';

/** Switches a loaded or restored world to the scenario of new worlds if its own scenario does not exist. */
export async function replaceUnknownScenario(world: World, { scenarios, scenario: fallback, warn }: SandboxOptions): Promise<void> {
  const active = world.state.scenario.get('scenario');
  if (!active || active.inline || scenarios.get(active.name)) return;
  warn?.(`The scenario ${active.name} of world ${world.identity.name} does not exist. The world continues with ${fallback}.`);
  await world.write('start', (uow) => chooseScenario(uow, { name: fallback })).kept;
}

/**
 * Returns one world that uses each scenario, or `new worlds`, by scenario name. Scenarios in use are not deleted.
 * @param usual scenario of new worlds
 */
export function scenarioUsers(worlds: ReadonlyMap<string, World>, usual: string): Map<string, string> {
  const users = new Map([[usual, 'new worlds']]);
  for (const [name, { state }] of worlds) {
    const active = state.scenario.get('scenario');
    if (active && !active.inline) users.set(active.name, `world ${name}`);
  }
  return users;
}
