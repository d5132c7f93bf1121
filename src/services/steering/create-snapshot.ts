import { maxSnapshots } from '../../contract/control/state-document.js';
import { DomainError } from '../../domain/errors.js';
import { putSnapshot, type SnapshotPart } from '../../world/document/snapshots.js';
import type { StateCapture } from '../../world/document/capture.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';
import type { View } from '../../world/view.js';

/** Keeps what a world was under a name. @throws DomainError as {@link checkSnapshotName} does */
export function createSnapshot(
  uow: UnitOfWork,
  { name, captured, parts }: { name: string; captured: StateCapture; parts: readonly SnapshotPart[] },
): void {
  checkSnapshotName(uow, name);
  putSnapshot(uow, name, captured, parts);
}

/** @throws DomainError RESOURCE_ALREADY_EXISTS when a snapshot has the name, RATE_LIMIT_EXCEEDED when there are too many */
export function checkSnapshotName(view: View, name: string): void {
  if (view.get('snapshots', name) !== undefined)
    throw new DomainError('RESOURCE_ALREADY_EXISTS', `There is a snapshot named ${name} already.`, { resource: 'Snapshot', name });
  if (view.sizeOf('snapshots') >= maxSnapshots)
    throw new DomainError('RATE_LIMIT_EXCEEDED', `This world has ${maxSnapshots} snapshots already. Delete some.`, {
      maximum: maxSnapshots,
    });
}
