import { z } from '@hono/zod-openapi';
import { ActiveScenarioSchema, ScenarioChoiceSchema } from '../../contract/control.js';
import type { Scenario } from '../../contract/scenario.js';
import { notFound } from '../../domain/errors.js';
import { defineRoute } from '../../web/route.js';
import type { ControlPlane } from '../plane.js';

const tag = 'Scenarios';

const listScenarios = defineRoute({
  operationId: 'listScenarios',
  method: 'get',
  path: '/_sandbox/scenarios',
  tag,
  summary: 'List all scenarios',
  status: 200,
  response: z.object({ data: z.array(ActiveScenarioSchema) }).openapi('Scenarios'),
  errors: [],
});

const getScenario = defineRoute({
  operationId: 'getScenario',
  method: 'get',
  path: '/_sandbox/scenario',
  tag,
  summary: 'Show the scenario of a world',
  status: 200,
  response: ActiveScenarioSchema,
  errors: [],
});

const putScenario = defineRoute({
  operationId: 'putScenario',
  method: 'put',
  path: '/_sandbox/scenario',
  tag,
  summary: 'Choose the scenario of a world',
  description: 'It decides the course of what is created from now on.',
  body: ScenarioChoiceSchema,
  status: 200,
  response: ActiveScenarioSchema,
  errors: [],
});

const view = (scenario: Scenario) => ({ name: scenario.scenario, summary: scenario.summary, extends: scenario.extends ?? null });

export function serveScenarios(plane: ControlPlane): void {
  const { scenarios } = plane.sandbox.options;
  const named = (name: string): Scenario => {
    const found = scenarios.get(name);
    if (!found) throw notFound('scenario', { name });
    return found.scenario;
  };
  plane.serve(listScenarios, () => ({ data: [...scenarios.values()].map(({ scenario }) => view(scenario)) }));
  plane.serve(getScenario, ({ world }) => view(named(world().read((uow) => uow.require('scenario', 'scenario', 'scenario').name))));
  plane.serve(putScenario, async ({ body, write }) => {
    const chosen = named(body.name);
    await write((uow) => uow.put('scenario', { id: 'scenario', name: body.name }));
    return view(chosen);
  });
}
