import { z } from '@hono/zod-openapi';
import { ActiveScenarioSchema, ScenarioChoiceSchema, ScenarioSummarySchema } from '../../contract/control/control.js';
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
  response: z.object({ data: z.array(ScenarioSummarySchema) }).openapi('Scenarios'),
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
  errors: [],
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
  errors: [],
});

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

  plane.serve(listScenarios, () => ({ data: [...scenarios.all].map(summaryOf) }));
  plane.serve(getScenario, ({ world }) => world().read(view));
  plane.serve(putScenario, ({ body: { name, inline }, write }) => {
    const lineage = inline ? scenarios.inlineFault(inline) : null;
    if (inline) refuseMistakes(['inline'], [...scenarioFaults(inline), ...(lineage ? [lineage] : [])]);
    else if (name !== undefined && !scenarios.has(name)) throw notFound('scenario', { name });
    return write((uow) => {
      chooseScenario(uow, inline ? { inline } : { name: name ?? 'default' });
      return view(uow);
    });
  });
}
