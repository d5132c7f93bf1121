import { errorCatalogue } from '../../contract/shared/error-codes.js';
import { DomainError } from '../../domain/errors.js';
import { idempotencyMs } from '../../world/retention.js';
import type { Session } from '../../world/session.js';
import type { UnitOfWork } from '../../world/unit-of-work.js';
import { errorResponse, type ApiResponse } from '../plane/errors.js';

/** Whether an error with this status is temporary, so that a retry may succeed. */
const isPassing = (status: number) => status === 400 || status === 429 || status >= 500;

/**
 * Returns the stored response for an idempotency key, or runs `verb` and stores its response in the commit of its changes.
 * Also stores the error of a business rule, and then discards the changes of `verb`.
 * A request waits while an earlier request with this key is being stored.
 * @param committed called right after the commit, before any other request can change the world
 * @throws DomainError IDEMPOTENCY_CONFLICT if the key was used for a different request; temporary errors of `verb`, which are not stored
 */
export async function runOnce(
  session: Session,
  key: string,
  fingerprint: string,
  verb: (uow: UnitOfWork) => ApiResponse,
  committed: () => void,
): Promise<ApiResponse> {
  const { world } = session;
  let record = world.state.idempotency.get(key);
  for (let seen; record !== seen; record = world.state.idempotency.get(key)) {
    seen = record;
    // The entry may belong to a commit in progress, and is removed if the commit fails.
    await world.settled().catch(() => undefined);
  }
  session.check();
  if (record && world.nowMs() - Date.parse(record.createdAt) < idempotencyMs) {
    if (record.fingerprint === fingerprint) {
      const { status, body, location } = record;
      const headers = { 'X-Idempotent-Replay': 'true', ...(location === undefined ? {} : { Location: location }) };
      const value: unknown = body === '' ? undefined : JSON.parse(body);
      return { status, body: body === '' ? null : body, headers, value, origin: 'REPLAY' };
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
  committed();
  await kept;
  const { status, body, headers, value } = answer;
  return { status, body, headers, value, origin: 'STORED' };
}

function commit(
  session: Session,
  key: string,
  fingerprint: string,
  verb: (uow: UnitOfWork) => ApiResponse,
): { answer: ApiResponse; kept: Promise<void> } {
  const store = (uow: UnitOfWork, answer: ApiResponse): ApiResponse => {
    const { status, body, headers } = answer;
    const location = headers['Location'] === undefined ? {} : { location: headers['Location'] };
    uow.put('idempotency', { id: key, fingerprint, status, body: body ?? '', createdAt: uow.now, ...location });
    return answer;
  };
  try {
    const { value, kept } = session.write((uow) => store(uow, verb(uow)));
    return { answer: value, kept };
  } catch (error) {
    if (!(error instanceof DomainError) || isPassing(errorCatalogue[error.code].status)) throw error;
    const refused = errorResponse(error, () => undefined);
    const { value, kept } = session.write((uow) => store(uow, refused));
    return { answer: value, kept };
  }
}
