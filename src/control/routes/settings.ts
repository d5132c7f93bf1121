import { changeSettings } from '../../services/steering/change-settings.js';
import type { ControlPlane } from '../plane.js';
import { getSettings, putSettings } from '../../contract/control/routes/settings.js';

export function serveSettings(plane: ControlPlane): void {
  plane.serve(getSettings, ({ world }) => world().read((view) => view.settings));
  plane.serve(putSettings, ({ body, write }) =>
    write((uow) => {
      changeSettings(uow, body);
      return uow.settings;
    }),
  );
}
