import { answered, type CallOptions, type Control } from './caller.js';
import { clientErrorCodes, SandboxError } from './error.js';
import { whyText } from './why-text.js';

/**
 * Advances the frozen clock of a world from timer to timer until a resource has a status.
 * @throws SandboxError STATUS_NOT_REACHABLE if the clock is not frozen, or no scenario step of the resource is scheduled
 */
export async function runTo(client: Control, id: string, status: string, { signal = null }: CallOptions): Promise<void> {
  for (;;) {
    const why = await answered(client.GET('/_sandbox/why/{resourceId}', { params: { path: { resourceId: id } }, signal }));
    if (why.status === status) return;
    const { mode, nextTimerAt } = await answered(client.GET('/_sandbox/clock', { signal }));
    const refuse = (serverMessage: string) =>
      new SandboxError({ code: clientErrorCodes.noTimer, serverMessage, details: { id, status: why.status, wanted: status } });
    if (mode === 'RUNNING') throw refuse(`The clock of this world is running. Freeze it to run to ${status}, or use waitFor.`);
    const isToCome = why.plan?.steps.some(({ outcome }) => outcome === 'NEXT' || outcome === 'LATER') === true && !why.plan.isWaiting;
    if (nextTimerAt === null || !isToCome) throw refuse(`No timer leads to ${status}.\n${whyText(why)}\n`);
    await answered(client.POST('/_sandbox/clock/advance', { body: { to: nextTimerAt }, signal }));
  }
}
