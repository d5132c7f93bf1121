import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ScenarioSchema, type Scenario } from '../contract/scenario.js';
import { lineageFault } from '../scenario/catalogue.js';
import { scenarioFaults } from '../scenario/faults.js';
import { FileMistakes, readYaml, type YamlFile } from './yaml-file.js';

/** Whether a file of the directory is a scenario. */
export function isScenarioFile(name: string): boolean {
  return /\.(yaml|json)$/.test(name) && name !== 'schema.json';
}

/**
 * Reads all scenarios of a directory, `*.yaml` and `*.json`.
 * @throws FileMistakes with file, line, column and what was expected there, for every mistake
 */
export function loadScenarios(directory: string): Scenario[] {
  const mistakes: string[] = [];
  const files = new Map<string, YamlFile<Scenario>>();
  for (const name of readdirSync(directory).filter(isScenarioFile).toSorted()) {
    try {
      const file = readYaml(join(directory, name), ScenarioSchema);
      const faults = file.shipped ? [] : scenarioFaults(file.value);
      mistakes.push(...faults.map(({ path, expected, isKey }) => file.mistake(path, `expected ${expected}`, isKey)));
      const other = files.get(file.value.scenario);
      if (other) mistakes.push(file.mistake(['scenario'], `expected a name that no other file has; ${other.path} has it`));
      else files.set(file.value.scenario, file);
    } catch (error) {
      if (!(error instanceof FileMistakes)) throw error;
      mistakes.push(...error.lines);
    }
  }
  const scenarios = new Map([...files].map(([name, { value }]) => [name, value]));
  // A file with mistakes of its own is missing here, and would make its children look wrong.
  if (mistakes.length === 0) {
    for (const file of files.values()) {
      const fault = lineageFault(file.value, scenarios);
      if (fault) mistakes.push(file.mistake(fault.path, `expected ${fault.expected}`));
    }
  }
  if (mistakes.length > 0) throw new FileMistakes(mistakes);
  return [...scenarios.values()];
}
