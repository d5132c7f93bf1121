import { SandboxError, clientErrorCodes } from '../client/error.js';

/** Thrown if the command line is invalid. Nothing has been executed. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Thrown if the command itself finds that an object does not exist. */
export class NotFoundError extends Error {
  override readonly name = 'NotFoundError';
}

/** Thrown if a wait timed out. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** Thrown if a signal interrupted the command. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly exitCode: number;

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super(`Interrupted by ${signal}.`);
    this.exitCode = signal === 'SIGINT' ? 130 : 143;
  }
}

const ownExits: Readonly<Record<string, number>> = {
  [clientErrorCodes.invalidOption]: 2,
  [clientErrorCodes.unreachable]: 3,
  [clientErrorCodes.noAnswer]: 3,
  WAIT_TIMEOUT: 4,
};

/** Returns the exit code for an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return 2;
  if (error instanceof NotFoundError) return 1;
  if (error instanceof TimeoutError) return 4;
  if (error instanceof Interrupted) return error.exitCode;
  if (!(error instanceof SandboxError)) return 5;
  const own = ownExits[error.code];
  if (own !== undefined) return own;
  if (error.status >= 500) return 5;
  if (error.details['reason'] === 'INCONCLUSIVE') return 4;
  return error.status === 401 || error.code === clientErrorCodes.notUnderstood ? 2 : 1;
}

/** Formats an error as one line, or as JSON like the API does. */
export function failureText(error: unknown, isJson: boolean): string {
  const { message } = error as Error;
  if (!isJson) return message;
  if (error instanceof SandboxError) return JSON.stringify({ code: error.code, message: error.serverMessage, details: error.details });
  const codes = {
    UsageError: 'INVALID_OPTION',
    NotFoundError: 'RESOURCE_NOT_FOUND',
    TimeoutError: 'WAIT_TIMEOUT',
    Interrupted: 'INTERRUPTED',
  } as const;
  const code = codes[(error as Error).name as keyof typeof codes] ?? 'INTERNAL_ERROR';
  return JSON.stringify({ code, message, details: {} });
}
