import type { ScenarioCheck } from '../../contract/control/scenario-files.js';
import type { Scenario } from '../../contract/scenario/scenario.js';
import { notFound } from '../../domain/errors.js';
import { onePage } from '../../domain/lists/page.js';
import { scenarioIn } from '../../fixtures/scenario-files.js';
import { scenarioProblems } from '../../scenario/faults.js';
import { chooseScenario } from '../../services/steering/choose-scenario.js';
import { activeScenario } from '../../engine/rules.js';
import { runInSlices } from '../../world/turns.js';
import type { View } from '../../world/view.js';
import { maxErrorItems } from '../../contract/shared/errors.js';
import { scenarioWarnings } from '../effect-warnings.js';
import { refuseMistakes } from '../mistakes.js';
import type { ControlPlane } from '../plane.js';
import { listScenariosRoute, getScenarioRoute, putScenarioRoute, checkScenarioRoute } from '../../contract/control/routes/scenarios.js';

const summaryOf = (scenario: Scenario) => ({ name: scenario.scenario, summary: scenario.summary, extends: scenario.extends ?? null });

export function serveScenarios(plane: ControlPlane): void {
  const { scenarios } = plane.sandbox.options;

  function view(world: View) {
    const active = activeScenario(world);
    if (!active) throw notFound('scenario', { name: world.require('scenario', 'scenario', 'scenario').name });
    const rules = active.rules.map(({ id, name, scenario, on }) => {
      const { seen, hits } = world.get('ruleCounts', id) ?? { seen: 0, hits: 0 };
      return { name, scenario: scenario ?? '', on, matches: seen, hits };
    });
    return { ...summaryOf(active.scenario), rules };
  }

  plane.serveSandbox(listScenariosRoute, () => ({ ...onePage([...scenarios.all].map(summaryOf)), files: scenarios.files }));
  plane.serveSandbox(checkScenarioRoute, async ({ body: { text, file } }): Promise<ScenarioCheck> => {
    const read = await runInSlices(scenarioIn(text, file));
    const candidate = read.scenario && scenarios.candidate(read.scenario);
    const mistakes = candidate && 'expected' in candidate ? [read.mistake(candidate)] : [...read.mistakes];
    if (!candidate || 'expected' in candidate) return { valid: false, errors: mistakes, warnings: [], rules: [] };
    const warnings = scenarioWarnings(candidate.scenario).slice(0, maxErrorItems);
    return {
      valid: true,
      errors: mistakes,
      warnings: warnings.map((each) => read.mistake(each)),
      rules: candidate.rules.map(({ name, scenario, on }) => ({ name, scenario: scenario ?? '', on })),
    };
  });
  plane.serve(getScenarioRoute, ({ session }) => session.read(view));
  plane.serve(putScenarioRoute, ({ body: { name, inline }, session }) => {
    const inheritanceChain = inline ? scenarios.inlineFault(inline) : null;
    if (inline) refuseMistakes(['inline'], [...scenarioProblems(inline), ...(inheritanceChain ? [inheritanceChain] : [])]);
    else scenarios.check(name!);
    return session.commit((uow) => {
      chooseScenario(uow, inline ? { inline } : { name: name! });
      return view(uow);
    });
  });
}
