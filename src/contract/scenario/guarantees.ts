/**
 * The guarantees of the service about events and responses, and the deviations of a journey that they permit. Plain data, because the
 * client package contains it. `npm run openapi` writes this data to `scenarios/guarantees.yaml`.
 */
export const guarantees = {
  delivery: 'at least once',
  order: 'none',
  messageId: 'the same for every attempt',
  retries: 'only for subscriptions with allowRetry, at a fixed interval, until they are used up',
  deviations: {
    late: {
      permittedBy: 'no order is guaranteed',
      how: 'your endpoint could not be reached once (a deployment); the event was sent again after the other one',
    },
    twice: {
      permittedBy: 'at least once',
      how: 'you handled the event and your response was lost, so the event was sent again',
    },
    early: {
      permittedBy: 'no order is guaranteed between a response and the events of its request',
      how: 'the payment settled faster than the response reached you',
    },
    overlap: {
      permittedBy: 'retries do not wait for other events',
      how: 'a retry arrived together with the next event, or you have two subscriptions',
    },
    lostResponse: {
      permittedBy: 'networks lose responses; the idempotency key makes a retry safe',
      how: 'the connection broke after the request took effect',
    },
    unavailable: {
      permittedBy: '503 is a documented response',
      how: 'the service was unavailable for a moment, before the request took effect',
    },
    lost: {
      permittedBy: 'retries end',
      needs: 'recover',
      how: 'your endpoint was down until all retries were used',
    },
    slow: {
      permittedBy: 'no duration is guaranteed',
      how: 'payments settle in any order',
    },
    crash: {
      permittedBy: 'the program of the client is not part of the service',
      needs: 'process',
      how: 'your program was killed: a deployment, or out of memory',
    },
  },
} as const;

/** Kind of a deviation: a change to a journey that the guarantees permit. */
export type DeviationKind = keyof typeof guarantees.deviations;

/** The kinds of deviations, in the order in which they are tried. */
export const deviationKinds = Object.keys(guarantees.deviations) as [DeviationKind, ...DeviationKind[]];
