import type { FaultRequest } from '../../contract/scenario/scenario.js';
import type { FaultRecord } from '../../world/rows.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/** Adds a fault behind those that there are; its `ttl` counts from now. */
export function addFault(uow: UnitOfWork, request: FaultRequest): FaultRecord {
  const seq = uow.count('fault');
  const fault: FaultRecord = { id: uow.deriveId('fault', String(seq)), seq, request, createdAt: uow.now };
  uow.put('faults', fault);
  return fault;
}
