import type { IncomingMessage } from 'node:http';
import { invalidData, type DomainError } from '../../../domain/errors.js';

/**
 * Streams a body from its connection to `take`. Pauses reading while `take` works.
 * @param note called with each chunk on arrival; throws if a limit is exceeded
 * @throws DomainError INVALID_DATA if the client disconnects before the end; and errors of `note` and `take`
 */
export function takeFromSocket(
  incoming: IncomingMessage,
  note: (chunk: Buffer) => void,
  take: (bytes: Buffer) => void | Promise<void>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (incoming.destroyed) return reject(disconnectedError());
    let taking: void | Promise<void>;
    const leave = () => incoming.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose).pause();
    const fail = (error: unknown) => {
      leave();
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      try {
        note(chunk);
        taking = take(chunk);
        if (!taking) return;
        incoming.pause();
        taking.then(() => incoming.resume(), fail);
      } catch (error) {
        fail(error);
      }
    };
    const onEnd = () => {
      leave();
      // The event `end` can arrive while `take` still handles the last chunk.
      Promise.resolve(taking).then(resolve, reject);
    };
    const onClose = () => fail(disconnectedError());
    incoming.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

/** Returns the error for a client that disconnected. No one receives it, but it must not count as an internal error. */
export function disconnectedError(): DomainError {
  const message = 'The request body ended early.';
  return invalidData([{ code: 'INVALID_FORMAT', message, field: 'body', params: {} }]);
}
