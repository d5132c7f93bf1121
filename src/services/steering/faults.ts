import { leftMs } from '../../contract/scenario/fault-life.js';
import { maxFaults, type FaultRequest } from '../../contract/scenario/scenario.js';
import { DomainError } from '../../domain/errors.js';
import { faultRuleId } from '../../scenario/compile.js';
import type { FaultRecord } from '../../world/rows.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/** Maximum number of ended faults to keep. */
const keptSpent = 100;

/** Adds a fault after the existing faults; its `ttl` starts now. @throws DomainError RATE_LIMIT_EXCEEDED if there are too many faults */
export function addFault(uow: UnitOfWork, request: FaultRequest): FaultRecord {
  const seq = uow.count('fault');
  const fault: FaultRecord = { id: uow.deriveId('fault', String(seq)), seq, request, createdAt: uow.now };
  uow.put('faults', fault);
  forgetSpent(uow);
  if (uow.sizeOf('faults') > maxFaults)
    throw new DomainError('RATE_LIMIT_EXCEEDED', `This world already has ${maxFaults} faults, which is the maximum. Delete some.`, {
      maximum: maxFaults,
      permanent: true,
    });
  return fault;
}

/** Deletes the oldest ended faults above the limit. */
function forgetSpent(uow: UnitOfWork): void {
  const spent = [...uow.rows('faults')].filter((fault) => isSpent(uow, fault));
  for (const { id } of spent.slice(0, -keptSpent)) {
    uow.delete('faults', id);
    uow.delete('ruleCounts', faultRuleId(id));
  }
}

function isSpent(uow: UnitOfWork, { id, request, createdAt }: FaultRecord): boolean {
  const hits = uow.get('ruleCounts', faultRuleId(id))?.hits ?? 0;
  return leftMs({ ...request, hits, createdAt }, Date.parse(uow.now)) <= 0;
}

/** Deletes a fault. @throws DomainError RESOURCE_NOT_FOUND */
export function removeFault(uow: UnitOfWork, { faultId }: { faultId: string }): void {
  uow.require('faults', faultId, 'fault');
  uow.delete('faults', faultId);
  uow.delete('ruleCounts', faultRuleId(faultId));
}
