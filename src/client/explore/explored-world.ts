import type { Control } from '../caller.js';
import type { ClockHandle } from '../clock-handle.js';
import type { EventQuery, EventStream } from '../events.js';
import type { AccountHandle } from '../handles/account.js';
import type { OperationHandle } from '../handles/operation.js';
import type { RequestsHandle } from '../handles/requests.js';
import type { ScenarioHandle } from '../handles/settings.js';
import type { ListQuery, Paged } from '../paged.js';
import type { Findings, LedgerEntry, Replay } from '../types.js';
import type { ExplorationResult } from './result.js';

/** The parts of a world that an exploration uses. */
export interface ExploredWorld {
  readonly clock: ClockHandle;
  readonly requests: RequestsHandle;
  readonly scenario: ScenarioHandle;
  readonly control: Control;
  account(id: string): AccountHandle;
  operation(id: string): OperationHandle;
  ledger(query: ListQuery): Paged<LedgerEntry>;
  events(query: EventQuery): EventStream;
  findings(): Promise<Findings>;
  replay(): Promise<Replay>;
  beginTest(name: string): Promise<void>;
  endTest(): Promise<void>;
  putExploration(result: ExplorationResult): Promise<ExplorationResult>;
}
