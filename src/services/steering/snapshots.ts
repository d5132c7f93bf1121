import { maxSnapshots } from '../../contract/control/state-document.js';
import { DomainError } from '../../domain/errors.js';
import type { StateCapture } from '../../world/document/capture.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';
import type { View } from '../../world/view.js';

/** Registers a snapshot whose state is already stored, in `parts` parts. @throws DomainError see {@link checkSnapshotName} */
export function createSnapshot(uow: UnitOfWork, { name, captured, parts }: { name: string; captured: StateCapture; parts: number }): void {
  checkSnapshotName(uow, name);
  uow.put('snapshots', { id: name, clock: captured.clock, parts });
}

/** @throws DomainError RESOURCE_ALREADY_EXISTS if the name is used, RATE_LIMIT_EXCEEDED if there are too many snapshots */
export function checkSnapshotName(view: View, name: string): void {
  if (view.get('snapshots', name) !== undefined) throw snapshotExists(name);
  if (view.sizeOf('snapshots') >= maxSnapshots)
    throw new DomainError('RATE_LIMIT_EXCEEDED', `This world already has ${maxSnapshots} snapshots, which is the maximum. Delete some.`, {
      maximum: maxSnapshots,
      permanent: true,
    });
}

export function snapshotExists(name: string): DomainError {
  return new DomainError('RESOURCE_ALREADY_EXISTS', `Snapshot ${name} already exists.`, { resource: 'Snapshot', name });
}
