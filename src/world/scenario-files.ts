import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { ScenarioSchema, type Scenario } from '../contract/scenario.js';
import { compileScenarios, type ScenarioCatalogue } from '../scenario/match.js';
import { stepFault } from '../scenario/steps.js';
import { placeOf, readYaml } from './reference-data.js';

/**
 * Reads all scenarios of a directory, `*.yaml` and `*.json`.
 * @throws Error naming file, line, column and what was expected there
 */
export function loadScenarios(directory: string): ScenarioCatalogue {
  const scenarios = new Map<string, Scenario>();
  const names = readdirSync(directory).filter((name) => /\.(yaml|json)$/.test(name) && name !== 'schema.json');
  for (const name of names.toSorted()) {
    const scenario = readYaml(directory, name, ScenarioSchema);
    const path = join(directory, name);
    const fault = stepFault(scenario);
    if (fault) {
      const text = readFileSync(path, 'utf8');
      throw new Error(`${path}${placeOf(text, parseDocument(text), fault.path)}: ${fault.path.join('.')}: expected ${fault.expected}.`);
    }
    if (scenarios.has(scenario.scenario)) throw new Error(`${path}: there is another scenario named ${scenario.scenario}.`);
    scenarios.set(scenario.scenario, scenario);
  }
  return compileScenarios(scenarios);
}
