import { eventTypes } from '../../contract/shared/event-types.js';
import type { IncomingHttpHeaders } from 'node:http';
import { messageSignature } from '../../domain/webhooks/signature.js';
import type { ReceiverResponse } from '../script-stage.js';
import type { Habit } from './habits.js';
import type { ClientRecords } from './records.js';

/** The habit `page.first-only`: number of messages whose first attempt the endpoint rejects. */
const mostFailed = 4;

/**
 * An endpoint that follows the documentation: it verifies signatures, skips handled messages, and accepts events in any order. Some of its
 * responses are 503.
 */
export class ModelReceiver {
  readonly #credentials: { clientId: string; clientSecret: string };
  readonly #habit: Habit;
  readonly #chance: () => number;
  readonly #records: ClientRecords | null;
  readonly #handled = new Set<string>();
  readonly #requested = new Set<string>();
  /** Messages whose first attempt the endpoint rejected, so that the client has failed deliveries to send again. */
  readonly #failed = new Set<string>();

  constructor(
    credentials: { clientId: string; clientSecret: string },
    habit: Habit,
    chance: () => number,
    records: ClientRecords | null = null,
  ) {
    this.#records = records;
    this.#credentials = credentials;
    this.#habit = habit;
    this.#chance = chance;
  }

  receive(headers: IncomingHttpHeaders, body: string): ReceiverResponse {
    const id = String(headers['x-message-id']);
    const type = String(headers['x-event-type']);
    const isGenuine = headers['x-message-signature'] === messageSignature(id, this.#credentials);
    if (!isGenuine && this.#habit !== 'webhook.bad-signature-accepted') return { status: 401 };
    if (this.#habit === null && this.#chance() < 0.05) return { status: 503 };
    if (this.#records?.isPaused) return { status: 503 };
    const wrong = this.#wrongAnswer(id, type, body);
    if (wrong) return wrong;
    if (type.startsWith('OPERATION_')) this.#records?.noteEvent(JSON.parse(body));
    this.#handled.add(id);
    return { status: 200 };
  }

  #wrongAnswer(id: string, type: string, body: string): ReceiverResponse | null {
    switch (this.#habit) {
      case 'webhook.duplicate-failed':
        return this.#handled.has(id) ? { status: 409 } : null;
      case 'page.first-only':
        if (this.#failed.size >= mostFailed || this.#failed.has(id)) return null;
        this.#failed.add(id);
        return { status: 503 };
      case 'webhook.none-accepted':
        return { status: 500 };
      case 'webhook.redirected':
        return { status: 308, headers: { Location: 'https://hooks.example.com/crossborder/' } };
      case 'webhook.event-refused':
        return type === 'OPERATION_REQUESTED' ? { status: 404 } : null;
      case 'webhook.unknown-type-refused':
        return eventTypes.some((each) => each === type) ? null : { status: 400 };
      case 'webhook.genuine-refused':
        return { status: 401 };
      case 'webhook.reserialised':
        return Buffer.byteLength(body) === body.length ? null : { status: 401 };
      case 'webhook.order-dependent': {
        const { id: resource } = JSON.parse(body) as { id: string };
        if (type === 'OPERATION_REQUESTED') this.#requested.add(resource);
        return /^OPERATION_(COMPLETED|FAILED)$/.test(type) && !this.#requested.has(resource) ? { status: 409 } : null;
      }
      case 'webhook.slow':
        return { status: 200, afterMs: 6000 };
      default:
        return null;
    }
  }
}
