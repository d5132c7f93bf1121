import { startOf } from '../contract/shared/messages/cut.js'; /** Error codes of the client itself. All other codes come from the API. */
export const clientErrorCodes = {
  /** No server responds at the address. */
  unreachable: 'UNREACHABLE',
  /** The response does not come from a sandbox, or not from a compatible one. */
  notUnderstood: 'NOT_A_SANDBOX',
  /** No response within `timeoutMs`. */
  noAnswer: 'TIMEOUT',
  /** An option or environment variable is invalid. */
  invalidOption: 'INVALID_OPTION',
  /** The client missed timeline items that the sandbox no longer stores. */
  missed: 'EVENTS_MISSED',
  /** The journey of an exploration fails without any deviation. */
  journeyFailed: 'JOURNEY_FAILED',
  /** No timer of the world leads to the requested status. */
  noTimer: 'STATUS_NOT_REACHABLE',
} as const;

/** The data of a {@link SandboxError}. */
export interface SandboxFailure {
  readonly code: string;
  /** The message of the error response, or of this client. */
  readonly serverMessage: string;
  /** HTTP status; 0 without a response. */
  readonly status?: number;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Method and path, for example `POST /_sandbox/clock/advance`; null if no request was made. */
  readonly call?: string | null;
  readonly requestId?: string | null;
  readonly cause?: unknown;
}

/** Thrown if a request fails or an option is invalid. The message contains `serverMessage`, the possible actions, and the request. */
export class SandboxError extends Error {
  override readonly name: string = 'SandboxError';
  /** Error code of the API or of this client. It never changes, so use it in programs. */
  readonly code: string;
  /** The message of the error response, or of this client, without the request. */
  readonly serverMessage: string;
  /** HTTP status; 0 without a response. */
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;
  /** Method and path; null if no request was made. */
  readonly call: string | null;
  /** X-Request-Id of the response, for `why` and the log; null without a response. */
  readonly requestId: string | null;

  constructor({ code, serverMessage, status = 0, details = {}, call = null, requestId = null, cause }: SandboxFailure) {
    const made = call === null ? [] : [`(${[call, ...(status === 0 ? [] : [status]), code].join(' ')})`];
    super([serverMessage, ...wrongFieldsOf(serverMessage, details), ...movesOf(serverMessage, details), ...made].join(' '), { cause });
    this.code = code;
    this.serverMessage = serverMessage;
    this.status = status;
    this.details = details;
    this.call = call;
    this.requestId = requestId;
  }
}

/** Maximum number of field errors in the message. */
const mostTold = 5;

/** Returns the messages of the field errors, at most {@link mostTold}; none if the main message already contains one of them. */
function wrongFieldsOf(serverMessage: string, { errors }: Readonly<Record<string, unknown>>): string[] {
  if (!Array.isArray(errors)) return [];
  const messages = errors.map((each: { message?: unknown } | null) => each?.message).filter((each) => typeof each === 'string');
  return messages.some((each) => serverMessage.includes(each)) ? [] : messages.slice(0, mostTold);
}

/** Returns a sentence with the possible actions; nothing if the main message contains them. */
function movesOf(serverMessage: string, { possible }: Readonly<Record<string, unknown>>): string[] {
  if (!Array.isArray(possible) || serverMessage.includes('Possible:')) return [];
  return [
    `Possible: ${possible.length === 0 ? 'nothing' : possible.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join(', ')}.`,
  ];
}

/** Converts an error response to a SandboxError. @param request its method and path @param origin the address of the sandbox */
export async function errorFromResponse(response: Response, request: string, origin: string): Promise<SandboxError> {
  const text = await response.text();
  // A missing resource may exist in another sandbox, so the message names the address.
  const call = response.status === 404 ? `${request} at ${origin}` : request;
  const requestId = response.headers.get('x-request-id');
  const { status } = response;
  const body = parsed(text);
  if (typeof body?.['code'] !== 'string' || typeof body['message'] !== 'string') {
    const serverMessage = `The response does not seem to come from a sandbox: ${startOf(text, 200).trim() || 'it is empty'}.`;
    return new SandboxError({ code: clientErrorCodes.notUnderstood, serverMessage, status, call, requestId });
  }
  const details = (body['details'] ?? {}) as Readonly<Record<string, unknown>>;
  return new SandboxError({ code: body['code'], serverMessage: body['message'], status, details, call, requestId });
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
