import type { ScenarioCheck } from '../../contract/control/scenario-files.js';
import { maxErrorItems } from '../../contract/shared/errors.js';
import { scenarioIn } from '../../fixtures/scenario-files.js';
import type { ScenarioCatalogue } from '../../scenario/catalogue.js';
import { runInSlices } from '../../world/turns.js';
import { scenarioWarnings } from './effect-warnings.js';

/**
 * Parses and compiles a scenario as if it were a file among those of the catalogue. `compiled` is null if it has errors.
 * @param file the file name for messages
 */
export async function readScenario(scenarios: ScenarioCatalogue, text: string, file: string) {
  const read = await runInSlices(scenarioIn(text, file));
  const candidate = read.scenario && (await runInSlices(scenarios.candidate(read.scenario)));
  if (candidate === null) return { read, compiled: null, errors: [...read.mistakes] };
  return 'expected' in candidate ? { read, compiled: null, errors: [read.mistake(candidate)] } : { read, compiled: candidate, errors: [] };
}

/** Checks the text of a scenario file. Errors of other files do not count. */
export async function checkScenario(scenarios: ScenarioCatalogue, text: string, file: string): Promise<ScenarioCheck> {
  const { read, compiled: candidate, errors } = await readScenario(scenarios, text, file);
  if (!candidate) return { valid: false, errors, warnings: [], rules: [], definition: null };
  const warnings = (await runInSlices(scenarioWarnings(candidate.scenario))).slice(0, maxErrorItems);
  return {
    valid: true,
    errors,
    warnings: warnings.map((each) => read.mistake(each)),
    rules: candidate.rules.map(({ name, scenario, on }) => ({ name, scenario: scenario ?? '', on })),
    definition: { ...candidate.scenario },
  };
}
