import type { UrlPolicy } from '../../contract/scenario/settings.js';
import { invalidData } from '../../domain/errors.js';
import { changeSettings } from '../../services/steering/change-settings.js';
import type { View } from '../../world/view.js';
import type { ControlPlane } from '../plane.js';
import { getSettingsRoute, putSettingsRoute } from '../../contract/control/routes/settings.js';

export function serveSettings(plane: ControlPlane): void {
  plane.serve(getSettingsRoute, ({ session }) => session.read(settingsView));
  plane.serve(putSettingsRoute, ({ body, session }) =>
    session.commit((uow) => {
      changeSettings(uow, body);
      if (body.urlPolicy && body.urlPolicy !== uow.settings.urlPolicy) throw heldPolicy(uow.settings.urlPolicy, body.urlPolicy);
      return settingsView(uow);
    }),
  );
}

/** A refusal of a policy that the operator lets no world have. */
function heldPolicy(held: UrlPolicy, given: UrlPolicy) {
  const message = `urlPolicy: expected ${held}, which SANDBOX_WEBHOOK_URL_POLICY holds every world to here; got "${given}".`;
  return invalidData([{ code: 'INVALID_ENUM', message, field: 'body:urlPolicy', params: { allowed: [held] } }]);
}

/** The settings in force, and the values that rates are made of. */
function settingsView({ settings, pricing }: View) {
  return { ...settings, usdValues: pricing.usdValues };
}
