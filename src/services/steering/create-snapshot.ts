import { maxSnapshots } from '../../contract/control/state-document.js';
import { DomainError } from '../../domain/errors.js';
import type { StateCapture } from '../../world/document/capture.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';
import type { View } from '../../world/view.js';

/** Makes a snapshot of parts that are stored already. @throws DomainError as {@link checkSnapshotName} does */
export function createSnapshot(uow: UnitOfWork, { name, captured, parts }: { name: string; captured: StateCapture; parts: number }): void {
  checkSnapshotName(uow, name);
  uow.put('snapshots', { id: name, clock: captured.clock, parts });
}

/** @throws DomainError RESOURCE_ALREADY_EXISTS when a snapshot has the name, RATE_LIMIT_EXCEEDED when there are too many */
export function checkSnapshotName(view: View, name: string): void {
  if (view.get('snapshots', name) !== undefined) throw snapshotExists(name);
  if (view.sizeOf('snapshots') >= maxSnapshots)
    throw new DomainError('RATE_LIMIT_EXCEEDED', `This world has ${maxSnapshots} snapshots already. Delete some.`, {
      maximum: maxSnapshots,
    });
}

export function snapshotExists(name: string): DomainError {
  return new DomainError('RESOURCE_ALREADY_EXISTS', `There is a snapshot named ${name} already.`, { resource: 'Snapshot', name });
}
