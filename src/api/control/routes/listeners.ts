import { respondToAttemptRoute, listenToAttemptsRoute, postToListenerRoute } from '../../../contract/control/routes/listeners.js';
import { DomainError } from '../../../domain/errors.js';
import { bindingsOf, readBytes } from '../../plane/body/body.js';
import { eventStream } from '../../plane/event-stream.js';
import { RawResponse, type ControlPlane } from '../plane.js';

/** Maximum time that an external POST waits for its response, in milliseconds. */
const postTimeoutMs = 120_000;

/** Statuses of responses without a body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

export function serveListeners(plane: ControlPlane): void {
  const { listeners } = plane.sandbox;
  plane.serve(postToListenerRoute, async ({ params: { listenerName: name }, context, session }) => {
    const unreachable = (error: string | null) => new DomainError('SERVICE_UNAVAILABLE', `Listener ${name} did not respond: ${error}.`);
    const reason = listeners.unreachableReason(session.world, name);
    if (reason !== null) throw unreachable(reason); // Without reading the body.
    const message = { headers: Object.fromEntries(context.req.raw.headers), body: await readBytes(context) };
    session.check();
    const deadline = AbortSignal.timeout(postTimeoutMs);
    const gone = new AbortController();
    bindingsOf(context).outgoing?.once('close', () => gone.abort());
    const { httpStatus, error, answer } = await listeners.hand(session.world, name, message, [deadline, gone.signal]);
    if (deadline.aborted) throw new DomainError('WAIT_TIMEOUT', `Listener ${name} did not respond within ${postTimeoutMs} ms.`);
    if (httpStatus === 0) throw unreachable(error);
    const body = bodiless.has(httpStatus) ? null : (answer?.body.toString() ?? '');
    return new RawResponse({ status: httpStatus, body, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
  });
  plane.serve(listenToAttemptsRoute, ({ params: { listenerName: name }, query: { session: reader, takeOver }, context, session }) => {
    plane.checkRunning();
    session.check();
    return eventStream(context, listeners.connect(session.world, name, reader, takeOver === 'true', bindingsOf(context).bodies));
  });
  plane.serve(respondToAttemptRoute, ({ params: { listenerName: name, attemptId }, body, session }) => {
    session.check();
    listeners.answer(session.world, name, attemptId, body);
  });
}
