import { faultRuleId } from '../../scenario/compile.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/** Deletes a fault. @throws DomainError RESOURCE_NOT_FOUND */
export function removeFault(uow: UnitOfWork, { faultId }: { faultId: string }): void {
  uow.require('faults', faultId, 'fault');
  uow.delete('faults', faultId);
  uow.delete('ruleCounts', faultRuleId(faultId));
}
