import type { UrlPolicy } from '../../../contract/scenario/settings.js';
import { invalidData } from '../../../domain/errors.js';
import { ratesToUsd } from '../../../domain/operations/pricing.js';
import { changeSettings } from '../../../services/steering/settings.js';
import type { View } from '../../../world/view.js';
import type { ControlPlane } from '../plane.js';
import { getSettingsRoute, putSettingsRoute } from '../../../contract/control/routes/settings.js';

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

/** Returns the error for a URL policy that the operator does not permit. */
function heldPolicy(held: UrlPolicy, given: UrlPolicy) {
  const message = `urlPolicy: expected ${held}, which SANDBOX_WEBHOOK_URL_POLICY enforces for every world; got "${given}".`;
  return invalidData([{ code: 'INVALID_ENUM', message, field: 'body:urlPolicy', params: { allowed: [held] } }]);
}

/** Returns the effective settings, with the rate of every asset to USD, and the USD values from which all other rates are computed. */
function settingsView({ settings, pricing }: View) {
  return { ...settings, rates: { ...ratesToUsd(pricing), ...pricing.rates }, usdValues: pricing.usdValues };
}
