import { SettingsRequestSchema, SettingsSchema } from '../../contract/scenario/settings.js';
import { changeSettings } from '../../services/steering/change-settings.js';
import { defineRoute } from '../../web/route.js';
import type { ControlPlane } from '../plane.js';

const tag = 'Settings';

const getSettings = defineRoute({
  operationId: 'getSettings',
  method: 'get',
  path: '/_sandbox/settings',
  tag,
  summary: 'Show the settings in force in a world',
  status: 200,
  response: SettingsSchema,
  errors: [],
});

const putSettings = defineRoute({
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

export function serveSettings(plane: ControlPlane): void {
  plane.serve(getSettings, ({ world }) => world().read((view) => view.settings));
  plane.serve(putSettings, ({ body, write }) =>
    write((uow) => {
      changeSettings(uow, body);
      return uow.settings;
    }),
  );
}
