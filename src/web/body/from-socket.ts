import type { IncomingMessage } from 'node:http';
import { invalidData, type DomainError } from '../../domain/errors.js';
import { nextTurn, type Lane } from '../../world/turns.js';
import { GrowingBuffer } from './growing-buffer.js';

/** How much of a body is read before others have their turn, in bytes of its connection: what frames its chunks counts as well. */
const turnBytes = 64 * 1024;

/** What may come of a body at most before its connection has stopped, in bytes. */
const maxWaiting = 16 * 1024 * 1024;

/**
 * Gives a body to `take` as it comes over its connection. After so many bytes, and while `take` is at work, no more of it is read until it
 * is the turn of its lane: what many send at once neither piles up here nor holds up others.
 * @param lane the lane of the request
 * @param note is told of each chunk as it comes, and throws when it is one too many
 * @throws DomainError INVALID_DATA when its sender leaves before the end; and what `note` and `take` throw
 */
export function takeFromSocket(
  incoming: IncomingMessage,
  note: (chunk: Buffer) => void,
  take: (bytes: Buffer) => void | Promise<void>,
  lane?: Lane,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (incoming.destroyed) return reject(cutOff());
    const { socket } = incoming;
    /** What comes while it is held, as one: a million chunks that wait in a stream take a hundred times their bytes. */
    const waiting = new GrowingBuffer(maxWaiting);
    let turnEndsAt = socket.bytesRead + turnBytes;
    let isHeld = false;
    let hasEnded = false;
    let isOver = false;

    const leave = () => {
      isOver = true;
      incoming.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      waiting.release();
      socket.resume();
      incoming.pause();
    };
    const fail = (error: unknown) => {
      leave();
      reject(error);
    };
    const end = () => {
      leave();
      resolve();
    };
    /** A stream that has given something asks its socket for more at once, which has to be over. */
    const pause = () => void Promise.resolve().then(() => isHeld && !isOver && socket.pause());

    const goOn = async (taking: void | Promise<void>) => {
      for (let taken = taking; ; taken = take(waiting.take())) {
        await taken;
        if (!isOver && !hasEnded) await nextTurn(lane);
        if (isOver) return;
        if (waiting.size === 0) break;
      }
      isHeld = false;
      if (hasEnded) return end();
      turnEndsAt = socket.bytesRead + turnBytes;
      socket.resume();
    };
    const onData = (chunk: Buffer) => {
      try {
        note(chunk);
        if (isHeld) waiting.add(chunk);
        else {
          const taking = take(chunk);
          isHeld = taking !== undefined || socket.bytesRead >= turnEndsAt;
          if (isHeld) goOn(taking).catch(fail);
        }
        if (isHeld) pause();
      } catch (error) {
        fail(error);
      }
    };
    const onEnd = () => {
      hasEnded = true;
      // The end comes right behind the last chunk, however long that is still being taken.
      if (!isHeld) end();
    };
    const onClose = () => {
      if (hasEnded) return;
      leave();
      // Thousands may leave at once.
      void nextTurn(lane).then(() => reject(cutOff()));
    };
    incoming.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

/** Nobody is there to read this, but it is no fault of this program either. */
export function cutOff(): DomainError {
  const message = 'The body ended before all of it had come.';
  return invalidData([{ code: 'INVALID_FORMAT', message, field: 'body', params: {} }]);
}
