import { changeSettings } from '../../services/steering/change-settings.js';
import type { View } from '../../world/view.js';
import type { ControlPlane } from '../plane.js';
import { getSettings, putSettings } from '../../contract/control/routes/settings.js';

export function serveSettings(plane: ControlPlane): void {
  plane.serve(getSettings, ({ session }) => session.read(settingsView));
  plane.serve(putSettings, ({ body, session }) =>
    session.commit((uow) => {
      changeSettings(uow, body);
      return settingsView(uow);
    }),
  );
}

/** The settings in force, and the values that rates are made of. */
function settingsView({ settings, pricing }: View) {
  return { ...settings, usdValues: pricing.usdValues };
}
