import type { Logger } from 'pino';
import type { Bindings } from '../../api/plane/body/body.js';

/** Measures the durations of the parts of one request on this node, and logs them. */
export class CallTimes {
  readonly #log: Logger;
  readonly #parts: Record<string, number> = {};
  #lastMs = performance.now();

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Ends a part of the request. Each part starts at the end of the previous part. */
  end(part: 'acceptMs' | 'hopMs' | 'workMs' | 'answerMs'): void {
    const nowMs = performance.now();
    this.#parts[part] = Math.round((nowMs - this.#lastMs) * 100) / 100;
    this.#lastMs = nowMs;
  }

  /** Logs the durations when the whole response has been sent. */
  logWhenSent(world: string, { status, headers }: Response, { outgoing, isHop }: Bindings): void {
    const what = !('workMs' in this.#parts) ? 'passed on' : isHop ? 'answered for another node' : 'answered';
    const write = () => {
      this.end('answerMs');
      this.#log.debug({ world, kind: 'TIMES', what, status, id: headers.get('x-request-id'), ...this.#parts });
    };
    if (outgoing && !outgoing.closed) outgoing.once('close', write);
    else write();
  }
}
