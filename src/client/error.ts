/** The codes of what the client says itself; all others are those of the API. */
export const ownCodes = {
  /** Nothing answers at the address. */
  unreachable: 'UNREACHABLE',
  /** What answers is no sandbox, or not one that this client understands. */
  notUnderstood: 'NOT_UNDERSTOOD',
  /** No answer came within `timeoutMs`. */
  noAnswer: 'NO_ANSWER',
  /** An option or an environment variable has a value that means nothing. */
  invalidOption: 'INVALID_OPTION',
  /** Events went by that can no longer be read. */
  missed: 'EVENTS_MISSED',
  /** No timer of the world leads to what was wanted. */
  noTimer: 'NO_TIMER_LEADS_THERE',
} as const;

/** What a call came to that the sandbox refused or did not answer. */
export interface SandboxFailure {
  readonly code: string;
  /** What the sandbox said, or what is to be said in its place. */
  readonly said: string;
  /** HTTP status; 0 when there was no answer. */
  readonly status?: number;
  readonly details?: Readonly<Record<string, unknown>>;
  /** `POST /_sandbox/clock/advance`; none when no call was made. */
  readonly call?: string | null;
  readonly requestId?: string | null;
  readonly cause?: unknown;
}

/** A call that did not succeed: its message has what the sandbox said, the call, and the moves that are possible instead. */
export class SandboxError extends Error {
  override readonly name: string = 'SandboxError';
  /** Stable; of the API, or one of the client's own. */
  readonly code: string;
  /** What the sandbox said, without the call. */
  readonly said: string;
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;
  /** Method and path; null when no call was made. */
  readonly call: string | null;
  /** X-Request-Id of the answer, which `why` and the log know; null when there was none. */
  readonly requestId: string | null;

  constructor({ code, said, status = 0, details = {}, call = null, requestId = null, cause }: SandboxFailure) {
    const made = call === null ? [] : [`(${[call, ...(status === 0 ? [] : [status]), code].join(' ')})`];
    super([said, ...wrongFieldsOf(said, details), ...movesOf(said, details), ...made].join(' '), { cause });
    this.code = code;
    this.said = said;
    this.status = status;
    this.details = details;
    this.call = call;
    this.requestId = requestId;
  }
}

/** How many wrong fields are told, where a refusal counts them. */
const mostTold = 5;

/** What is wrong with each field of a request, where the text of a refusal does not say it. */
function wrongFieldsOf(said: string, { errors }: Readonly<Record<string, unknown>>): string[] {
  if (!Array.isArray(errors)) return [];
  const told = errors.map((each: { message?: unknown } | null) => each?.message).filter((each) => typeof each === 'string');
  return told.some((each) => said.includes(each)) ? [] : told.slice(0, mostTold);
}

/** The moves that a refusal names, where its text does not. */
function movesOf(said: string, { possible }: Readonly<Record<string, unknown>>): string[] {
  if (!Array.isArray(possible) || said.includes('Possible:')) return [];
  return [
    `Possible: ${possible.length === 0 ? 'nothing' : possible.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join(', ')}.`,
  ];
}

/** What a refusal says. @param call method and path */
export async function refusalOf(response: Response, call: string): Promise<SandboxError> {
  const text = await response.text();
  const requestId = response.headers.get('x-request-id');
  const { status } = response;
  const body = parsed(text);
  if (typeof body?.['code'] !== 'string' || typeof body['message'] !== 'string') {
    const said = `What answers is no sandbox, as it seems: ${text.slice(0, 200).trim() || 'its answer is empty'}.`;
    return new SandboxError({ code: ownCodes.notUnderstood, said, status, call, requestId });
  }
  const details = (body['details'] ?? {}) as Readonly<Record<string, unknown>>;
  return new SandboxError({ code: body['code'], said: body['message'], status, details, call, requestId });
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
