import { DomainError } from '../domain/errors.js';
import { idempotencyMs } from '../world/retention.js';
import type { Session } from '../world/session.js';
import type { UnitOfWork } from '../world/unit-of-work.js';
import { errorAnswer, statusOf, type Answer } from '../web/errors.js';

/** Whether a refusal of this status is none of a rule, so that the same request may fare better later. */
const isPassing = (status: number) => status === 400 || status === 429 || status >= 500;

/**
 * Answers with what is stored for an idempotency key, or runs the verb and stores its answer in the same commit.
 * A rule's refusal is stored too, everything else the verb did is dropped. Requests with a key that is being
 * worked on wait for it.
 * @throws DomainError IDEMPOTENCY_CONFLICT when the key was used for another request; and what the verb throws that is not a rule's refusal, which is not stored
 */
export async function runOnce(session: Session, key: string, fingerprint: string, verb: (uow: UnitOfWork) => Answer): Promise<Answer> {
  const { world } = session;
  let record = world.state.idempotency.get(key);
  for (let seen; record !== seen; record = world.state.idempotency.get(key)) {
    seen = record;
    // It may be that of a commit under way, which goes again when it cannot be kept.
    await world.settled().catch(() => undefined);
  }
  session.check();
  if (record && world.nowMs() - Date.parse(record.createdAt) < idempotencyMs) {
    if (record.fingerprint === fingerprint) {
      const { status, body, location } = record;
      const headers = { 'X-Idempotent-Replay': 'true', ...(location === undefined ? {} : { Location: location }) };
      return { status, body: body === '' ? null : body, headers };
    }
    throw new DomainError(
      'IDEMPOTENCY_CONFLICT',
      `The idempotency key ${key} was used for a different request. Use a new key for each new request.`,
      {
        idempotencyKey: key,
        firstUsedAt: record.createdAt,
      },
    );
  }

  const { answer, kept } = commit(session, key, fingerprint, verb);
  await kept;
  return answer;
}

function commit(
  session: Session,
  key: string,
  fingerprint: string,
  verb: (uow: UnitOfWork) => Answer,
): { answer: Answer; kept: Promise<void> } {
  const store = (uow: UnitOfWork, answer: Answer): Answer => {
    const { status, body, headers } = answer;
    const location = headers['Location'] === undefined ? {} : { location: headers['Location'] };
    uow.put('idempotency', { id: key, fingerprint, status, body: body ?? '', createdAt: uow.now, ...location });
    return answer;
  };
  try {
    const { value, kept } = session.write((uow) => store(uow, verb(uow)));
    return { answer: value, kept };
  } catch (error) {
    if (!(error instanceof DomainError) || isPassing(statusOf[error.code])) throw error;
    const refused = errorAnswer(error, () => undefined);
    const { value, kept } = session.write((uow) => store(uow, refused));
    return { answer: value, kept };
  }
}
