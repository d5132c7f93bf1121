import { z } from '@hono/zod-openapi';
import { ActiveScenarioSchema, ScenarioChoiceSchema, ScenarioSummarySchema } from '../../contract/control/control.js';
import { ScenarioFileSchema } from '../../contract/control/scenario-files.js';
import type { Scenario } from '../../contract/scenario/scenario.js';
import { notFound } from '../../domain/errors.js';
import { scenarioFaults } from '../../scenario/faults.js';
import { chooseScenario } from '../../services/steering/choose-scenario.js';
import { defineRoute } from '../../web/route.js';
import { activeScenario } from '../../engine/rules.js';
import type { View } from '../../world/view.js';
import { refuseMistakes } from '../mistakes.js';
import type { ControlPlane } from '../plane.js';

const tag = 'Scenarios';

const listScenarios = defineRoute({
  operationId: 'listScenarios',
  method: 'get',
  path: '/_sandbox/scenarios',
  tag,
  summary: 'List all scenarios',
  status: 200,
  description:
    'A mistake in a file keeps the version before in force, and the scenario from being chosen until it is mended. Files are read anew when they change.',
  response: z
    .object({
      data: z.array(ScenarioSummarySchema).meta({ description: 'The scenarios that are in force.' }),
      files: z.array(ScenarioFileSchema).meta({ description: 'The files that they come from, those with mistakes among them.' }),
    })
    .openapi('Scenarios'),
  errors: [],
});

const getScenario = defineRoute({
  operationId: 'getScenario',
  method: 'get',
  path: '/_sandbox/scenario',
  tag,
  summary: 'Show the scenario of a world, with the hits of its rules',
  status: 200,
  response: ActiveScenarioSchema,
  errors: ['SCENARIO_INVALID'],
});

const putScenario = defineRoute({
  operationId: 'putScenario',
  method: 'put',
  path: '/_sandbox/scenario',
  tag,
  summary: 'Choose the scenario of a world, or bring one along',
  description: 'It decides the course of what is created from now on. The counters of its rules start at zero.',
  body: ScenarioChoiceSchema,
  status: 200,
  response: ActiveScenarioSchema,
  errors: ['SCENARIO_INVALID'],
});

const summaryOf = (scenario: Scenario) => ({ name: scenario.scenario, summary: scenario.summary, extends: scenario.extends ?? null });

export function serveScenarios(plane: ControlPlane): void {
  const { scenarios } = plane.sandbox.options;

  function view(world: View) {
    const active = activeScenario(world);
    if (!active) throw missing(world.require('scenario', 'scenario', 'scenario').name);
    const rules = active.rules.map(({ id, name, scenario, on }) => {
      const { seen, hits } = world.get('ruleCounts', id) ?? { seen: 0, hits: 0 };
      return { name, scenario: scenario ?? '', on, matches: seen, hits };
    });
    return { ...summaryOf(active.scenario), rules };
  }

  /** The refusal for a world whose scenario was never loaded. */
  function missing(name: string): Error {
    scenarios.check(name);
    return notFound('scenario', { name });
  }

  plane.serve(listScenarios, () => ({ data: [...scenarios.all].map(summaryOf), files: scenarios.files }));
  plane.serve(getScenario, ({ world }) => world().read(view));
  plane.serve(putScenario, ({ body: { name, inline }, write }) => {
    const lineage = inline ? scenarios.inlineFault(inline) : null;
    if (inline) refuseMistakes(['inline'], [...scenarioFaults(inline), ...(lineage ? [lineage] : [])]);
    else if (name !== undefined) scenarios.check(name);
    return write((uow) => {
      chooseScenario(uow, inline ? { inline } : { name: name ?? 'default' });
      return view(uow);
    });
  });
}
