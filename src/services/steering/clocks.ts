import { clockAt } from '../../world/clock-record.js';
import type { ClockRecord } from '../../world/rows.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';

/** Freezes the clock at the current world time, or lets the clock run from there. `realMs` is real time in Unix milliseconds. */
export function setClock(uow: UnitOfWork, { mode, realMs }: { mode: ClockRecord['mode']; realMs: number }): void {
  uow.put('clock', clockAt(mode, Date.parse(uow.now), realMs));
}
