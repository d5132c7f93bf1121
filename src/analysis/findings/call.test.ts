import { describe, expect, it } from 'vitest';
import { requestOf } from '../../testing/request-record.js';
import { nextOrder, type ClientConnection, type Delivery } from '../../world/observer.js';
import { Call } from './call.js';

/** Records a request over a new connection, which the client can close or use again. No time passes. */
function overOwnConnection() {
  const time = () => ({ order: nextOrder(), realMs: 0, worldMs: 0 });
  const [began, ended] = [time(), time()];
  const connection: ClientConnection = { opened: began.order, newest: began.order, closed: null };
  const delivery: Delivery = { connection, sentOrder: nextOrder(), sentMs: 0, followedBy: null };
  return {
    call: new Call(requestOf({ began, ended, delivery })),
    close: () => void (connection.closed = { order: nextOrder(), realMs: 0, by: 'CLIENT' }),
    useAgain: () => {
      connection.newest = nextOrder();
      delivery.followedBy ??= connection.newest;
    },
  };
}

describe('a request over a new connection', () => {
  it('continues one whose connection was closed before', () => {
    const first = overOwnConnection();
    first.close();
    expect(overOwnConnection().call.continues(first.call.sent)).toBe(true);
  });

  it('does not continue one whose connection was open, even if it was closed by the time of the judgement', () => {
    const [first, second] = [overOwnConnection(), overOwnConnection()];
    first.close();
    expect(second.call.continues(first.call.sent)).toBe(false);
  });

  it('shows that a response was read if its connection carried another request meanwhile, and not if it did so later', () => {
    const first = overOwnConnection();
    const early = overOwnConnection();
    first.useAgain();
    const late = overOwnConnection();
    first.useAgain();
    expect([early, late].map(({ call }) => call.hasRead(first.call.sent))).toEqual([false, true]);
  });
});
