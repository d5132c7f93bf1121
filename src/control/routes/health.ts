import { DomainError } from '../../domain/errors.js';
import type { ControlPlane } from '../plane.js';
import { live, ready } from '../../contract/control/routes/health.js';

export function serveHealth(plane: ControlPlane): void {
  plane.serveSandbox(live, () => ({ status: 'live' }));
  plane.serveSandbox(ready, () => {
    plane.checkRunning();
    if (plane.sandbox.options.storage.isReadOnly)
      throw new DomainError('SERVICE_UNAVAILABLE', 'The sandbox cannot store changes and only answers reads. Its log says why.');
    return { status: 'ready' };
  });
}
