import type { IncomingMessage } from 'node:http';
import { invalidData, type DomainError } from '../../domain/errors.js';

/**
 * Gives a body to `take` as it comes over its connection. While `take` is at work, no more of it is read.
 * @param note is called with each chunk as it comes, and throws when it is one too many
 * @throws DomainError INVALID_DATA when its sender leaves before the end; and what `note` and `take` throw
 */
export function takeFromSocket(
  incoming: IncomingMessage,
  note: (chunk: Buffer) => void,
  take: (bytes: Buffer) => void | Promise<void>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (incoming.destroyed) return reject(cutOff());
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
      // The end comes right behind the last chunk, however long that is still being taken.
      Promise.resolve(taking).then(resolve, reject);
    };
    const onClose = () => fail(cutOff());
    incoming.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

/** Nobody is there to read this, but it is no fault of this program either. */
export function cutOff(): DomainError {
  const message = 'The body ended before all of it had come.';
  return invalidData([{ code: 'INVALID_FORMAT', message, field: 'body', params: {} }]);
}
