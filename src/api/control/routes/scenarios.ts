import { mistakeText, type ScenarioTrials } from '../../../contract/control/scenario-files.js';
import type { RecordEntry } from '../../../contract/control/analysis/record.js';
import type { Scenario } from '../../../contract/scenario/scenario.js';
import { DomainError, notFound } from '../../../domain/errors.js';
import { onePage } from '../../../domain/lists/page.js';
import { scenarioProblems } from '../../../scenario/problems.js';
import { chooseScenario } from '../../../services/steering/scenarios.js';
import { activeScenario } from '../../../engine/rules.js';
import { tryScenario } from '../../../analysis/answer/try-scenario.js';
import { runInSlices } from '../../../world/turns.js';
import type { ScenarioRecord } from '../../../world/rows.js';
import type { View } from '../../../world/view.js';
import { maxErrorItems } from '../../../contract/shared/errors.js';
import { rejectProblems } from '../mistakes.js';
import { checkScenario, readScenario } from '../scenario-check.js';
import type { ControlPlane } from '../plane.js';
import {
  listScenariosRoute,
  getScenarioRoute,
  putScenarioRoute,
  checkScenarioRoute,
  tryScenarioRoute,
  saveScenarioRoute,
} from '../../../contract/control/routes/scenarios.js';

const summaryOf = (scenario: Scenario) => ({ name: scenario.scenario, summary: scenario.summary, extends: scenario.extends ?? null });

export function serveScenarios(plane: ControlPlane): void {
  const { scenarios } = plane.sandbox.options;
  const { scenarioDirectory } = plane.options;
  const { record, testMarkers } = plane.options.analysis;

  function view(world: View) {
    const active = activeScenario(world);
    if (!active) throw notFound('scenario', { name: world.require('scenario', 'scenario', 'scenario').name });
    const rules = active.rules.map(({ id, name, scenario, on }) => {
      const { seen, hits } = world.get('ruleCounts', id) ?? { seen: 0, hits: 0 };
      return { name, scenario: scenario ?? '', on, matches: seen, hits };
    });
    return { ...summaryOf(active.scenario), rules };
  }

  /** Returns the inline scenario that a world uses, if a client sends back its name; null if the name is that of a file, or another one. */
  function inlineInUse(active: ScenarioRecord, name: string): Scenario | null {
    return active.name === name && !scenarios.get(name) ? active.inline : null;
  }

  plane.serveSandbox(listScenariosRoute, () => ({
    ...onePage([...scenarios.all].map(summaryOf)),
    files: scenarios.files,
    directory: scenarioDirectory?.shownAs ?? null,
  }));
  plane.serveSandbox(checkScenarioRoute, ({ body: { text, file } }) => checkScenario(scenarios, text, file));
  plane.serve(tryScenarioRoute, async ({ body, session }): Promise<ScenarioTrials> => {
    const { compiled, errors } = await readScenario(scenarios, body.text, body.file);
    if (!compiled) return { valid: false, errors, scenario: null, data: [] };
    const { world } = session;
    const generation = testMarkers.generationOf(world);
    /** Reads one entry at a time, because only the newest ones are needed. */
    function* entries(kind: RecordEntry['kind']) {
      for (const stored of record.of(world).all().toReversed())
        if (stored.kind === kind && stored.generation === generation && stored.endedOrder < Infinity) yield record.entry(world, stored);
    }
    const data = await runInSlices(session.read((state) => tryScenario(compiled, state, entries)));
    return { valid: true, errors, scenario: compiled.scenario.scenario, data };
  });
  plane.serveSandbox(saveScenarioRoute, async ({ body: { text, replace } }) => {
    const { read, errors } = await readScenario(scenarios, text, 'scenario.yaml');
    if (errors.length > 0 || !read.scenario)
      throw new DomainError('SCENARIO_INVALID', `The scenario has errors and was not saved: ${mistakeText(errors[0]!)}`, {
        name: read.name,
        errors: errors.slice(0, maxErrorItems),
      });
    if (!scenarioDirectory)
      throw new DomainError('RESOURCE_NOT_FOUND', 'This sandbox has no scenario directory. Start it with SANDBOX_SCENARIOS_DIR.', {
        resource: 'ScenarioDirectory',
      });
    return scenarioDirectory.save(read.name, text, replace);
  });
  plane.serve(getScenarioRoute, ({ session }) => session.read(view));
  plane.serve(putScenarioRoute, async ({ body: { name, inline }, session }) => {
    const kept = inline
      ? null
      : inlineInUse(
          session.read((state) => state.require('scenario', 'scenario', 'scenario')),
          name!,
        );
    if (inline) {
      const problems = await runInSlices(scenarioProblems(inline));
      const lineageProblem = scenarios.inlineProblem(inline);
      rejectProblems(['inline'], [...problems, ...(lineageProblem ? [lineageProblem] : [])]);
      await runInSlices(scenarios.prepareInline(inline));
    } else if (!kept) {
      await runInSlices(scenarios.prepare(name!));
      scenarios.check(name!);
    }
    return session.commit((uow) => {
      const definition = inline ?? kept;
      chooseScenario(uow, definition ? { inline: definition } : { name: name! });
      return view(uow);
    });
  });
}
