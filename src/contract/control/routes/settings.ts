import { SettingsRequestSchema, SettingsSchema } from '../../scenario/settings.js';
import { defineRoute } from '../../shared/route.js';

const tag = 'Settings';

export const getSettingsRoute = defineRoute({
  operationId: 'getSettings',
  method: 'get',
  path: '/_sandbox/settings',
  tag,
  summary: 'Show the settings in force in a world',
  description: 'All settings with the values that hold now: those that were put, else those of the scenario, else those of the fixtures.',
  status: 200,
  response: SettingsSchema,
  errors: [],
});

export const putSettingsRoute = defineRoute({
  operationId: 'putSettings',
  method: 'put',
  path: '/_sandbox/settings',
  tag,
  summary: 'Change settings of a world',
  description: 'What is given outranks the settings of the scenario, which outrank those of the fixtures. What is left out stays as it is.',
  body: SettingsRequestSchema,
  status: 200,
  response: SettingsSchema,
  errors: [],
});

/** In the order of the document. */
export const settingsRoutes = [getSettingsRoute, putSettingsRoute] as const;
