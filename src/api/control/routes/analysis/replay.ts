import { getReplayRoute } from '../../../../contract/control/routes/analysis/replay.js';
import { replayOf } from '../../../../analysis/views/replay-file.js';
import { DomainError } from '../../../../domain/errors.js';
import { runInSlices } from '../../../../world/turns.js';
import type { ControlPlane } from '../../plane.js';

export function serveReplay(plane: ControlPlane): void {
  const { record, findings, reports } = plane.options.analysis;
  const { scenarios, data, urlPolicy, ownPorts } = plane.sandbox.options;
  plane.serve(getReplayRoute, ({ query: { test }, session: { world } }) => {
    if (!record.isOn)
      throw new DomainError('RESOURCE_NOT_FOUND', 'This sandbox records nothing, because SANDBOX_RECORD_MIB is 0.', { resource: 'Replay' });
    const { replayBuffer } = record.of(world);
    if (test !== undefined && test !== replayBuffer.test) {
      const known = replayBuffer.test === null ? 'no test is marked' : `the latest marked test is "${replayBuffer.test}"`;
      throw new DomainError('RESOURCE_NOT_FOUND', `Only the latest marked test can be replayed: ${known}.`, { resource: 'Replay', test });
    }
    const { version, contract } = reports.maker;
    const realNow = () => plane.sandbox.planeHost.realNow();
    return runInSlices(replayOf(world, { record, findings, scenarios, data, urlPolicy, ports: ownPorts(), version, contract, realNow }));
  });
}
