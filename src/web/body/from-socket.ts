import type { IncomingMessage } from 'node:http';
import { invalidData, type DomainError } from '../../domain/errors.js';
import { TurnQueue } from '../../world/turns.js';

/** How much of a body is read before others have their turn, in bytes of its connection: what frames its chunks counts as well. */
const turnBytes = 64 * 1024;

/** The bodies that wait to be read on, and those whose senders have left. No work of anybody waits behind them. */
const bodies = new TurnQueue();

/**
 * Gives a body to `take` as it comes over its connection. After so many bytes, and while `take` is at work, no more of it is read, and of
 * all bodies that wait so one goes on in each turn: what many send at once neither piles up here nor holds up others.
 * @throws DomainError INVALID_DATA when its sender leaves before the end; and what `take` throws
 */
export function takeFromSocket(incoming: IncomingMessage, take: (chunk: Buffer) => void | Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    if (incoming.destroyed) return reject(cutOff());
    const { socket } = incoming;
    let turnEndsAt = socket.bytesRead + turnBytes;
    let isHeld = false;
    let isOver = false;
    let taking: void | Promise<void>;
    const leave = () => {
      isOver = true;
      incoming.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      socket.resume();
      incoming.pause();
    };
    const fail = (error: unknown) => {
      leave();
      reject(error);
    };
    const hold = async () => {
      isHeld = true;
      if (taking) incoming.pause();
      // A stream that has given something asks its socket for more at once, which has to be over.
      await Promise.resolve();
      if (!isOver) socket.pause();
      await taking;
      if (!isOver) await bodies.next();
      if (isOver) return;
      isHeld = false;
      turnEndsAt = socket.bytesRead + turnBytes;
      socket.resume();
      incoming.resume();
    };
    const onData = (chunk: Buffer) => {
      try {
        taking = take(chunk);
        if (!isHeld && (taking || socket.bytesRead >= turnEndsAt)) hold().catch(fail);
      } catch (error) {
        fail(error);
      }
    };
    const onEnd = () => {
      leave();
      // The end comes right behind the last chunk, however long that is still being taken.
      resolve(taking);
    };
    const onClose = () => {
      leave();
      // Thousands may leave at once.
      void bodies.next().then(() => reject(cutOff()));
    };
    incoming.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

/** Nobody is there to read this, but it is no fault of this program either. */
export function cutOff(): DomainError {
  const message = 'The body ended before all of it had come.';
  return invalidData([{ code: 'INVALID_FORMAT', message, field: 'body', params: {} }]);
}
