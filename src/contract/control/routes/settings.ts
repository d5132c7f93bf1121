import { SettingsRequestSchema, SettingsSchema } from '../../scenario/settings.js';
import { defineRoute } from '../../shared/route.js';

const tag = 'Settings';

export const getSettingsRoute = defineRoute({
  operationId: 'getSettings',
  method: 'get',
  path: '/_sandbox/settings',
  tag,
  summary: 'Get the settings of a world',
  description: 'All settings with their present values: from an earlier PUT, otherwise from the scenario, otherwise from the fixtures.',
  status: 200,
  response: SettingsSchema,
  errors: [],
  client: 'settings.get()',
});

export const putSettingsRoute = defineRoute({
  operationId: 'putSettings',
  method: 'put',
  path: '/_sandbox/settings',
  tag,
  summary: 'Change settings of a world',
  description:
    'The given values override those of the scenario, which override those of the fixtures. Absent settings do not change. As in every PUT of the control API, fields that only the GET returns are ignored, so its response can be sent back.',
  body: SettingsRequestSchema,
  status: 200,
  response: SettingsSchema,
  errors: [],
  client: 'settings.set(settings)',
});

/** The operations of this file, in the order of the OpenAPI document. */
export const settingsRoutes = [getSettingsRoute, putSettingsRoute] as const;
