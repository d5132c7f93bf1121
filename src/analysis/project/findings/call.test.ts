import { describe, expect, it } from 'vitest';
import { requestOf } from '../../../testing/request-record.js';
import { nextOrder, type ClientConnection, type ResponseDelivery } from '../../../exchange/exchange.js';
import { Call } from './call.js';

/** Records a request over its own connection, which the client can close or use again. The request takes 0 ms. */
function overOwnConnection({ isLast = false, closedMs = 0 } = {}) {
  const time = () => ({ order: nextOrder(), realMs: 0, worldMs: 0 });
  const [began, ended] = [time(), time()];
  const connection: ClientConnection = { opened: began.order, newest: began.order, closed: null };
  const delivery: ResponseDelivery = { connection, sentOrder: nextOrder(), sentMs: 0, followedBy: null, isLast };
  return {
    call: new Call(requestOf({ began, ended, delivery })),
    close: () => void (connection.closed = { order: nextOrder(), realMs: closedMs, by: 'CLIENT' }),
    useAgain: () => {
      connection.newest = nextOrder();
      delivery.followedBy ??= connection.newest;
    },
  };
}

describe('a request over a new connection', () => {
  it('continues an earlier request whose connection was closed before it began', () => {
    const first = overOwnConnection();
    first.close();
    expect(overOwnConnection().call.continues(first.call.sent)).toBe(true);
  });

  it('continues a request with "Connection: close", even if the sandbox noticed the close late', () => {
    const continues = [true, false].map((isLast) => {
      const first = overOwnConnection({ isLast, closedMs: 400 });
      first.close();
      return overOwnConnection().call.continues(first.call.sent);
    });
    expect(continues).toEqual([true, false]);
  });

  it('does not continue an earlier request whose connection was open when it began, even if that connection is closed later', () => {
    const [first, second] = [overOwnConnection(), overOwnConnection()];
    first.close();
    expect(second.call.continues(first.call.sent)).toBe(false);
  });

  it('shows that a response was read only if the connection of the response carried another request before this one', () => {
    const first = overOwnConnection();
    const early = overOwnConnection();
    first.useAgain();
    const late = overOwnConnection();
    first.useAgain();
    expect([early, late].map(({ call }) => call.hasRead(first.call.sent))).toEqual([false, true]);
  });
});
