import { DomainError } from '../../../domain/errors.js';
import type { ControlPlane } from '../plane.js';
import { getLivenessRoute, getReadinessRoute } from '../../../contract/control/routes/health.js';

export function serveHealth(plane: ControlPlane): void {
  plane.serveSandbox(getLivenessRoute, () => ({ status: 'live' }));
  plane.serveSandbox(getReadinessRoute, () => {
    plane.checkRunning();
    if (plane.sandbox.options.storage.isReadOnly)
      throw new DomainError('SERVICE_UNAVAILABLE', 'The sandbox cannot store changes and only serves reads. See its log for the cause.');
    return { status: 'ready' };
  });
}
