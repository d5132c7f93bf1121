import { SandboxError, ownCodes } from '../client/error.js';

/** A command line that means nothing; what it does not say is left undone. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Something that was asked for is not there, although the sandbox was not asked about it. */
export class NotThere extends Error {
  override readonly name = 'NotThere';
}

/** What was waited for did not come in time. */
export class NotInTime extends Error {
  override readonly name = 'NotInTime';
}

/** A signal has ended the command. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly exitCode: number;

  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super(`Ended by ${signal}.`);
    this.exitCode = signal === 'SIGINT' ? 130 : 143;
  }
}

const ownExits: Readonly<Record<string, number>> = {
  [ownCodes.invalidOption]: 2,
  [ownCodes.unreachable]: 3,
  [ownCodes.noAnswer]: 3,
  WAIT_TIMEOUT: 4,
};

/** The exit code for what ended a verb. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return 2;
  if (error instanceof NotThere) return 1;
  if (error instanceof NotInTime) return 4;
  if (error instanceof Interrupted) return error.exitCode;
  if (!(error instanceof SandboxError)) return 5;
  const own = ownExits[error.code];
  if (own !== undefined) return own;
  if (error.status >= 500) return 5;
  if (error.details['reason'] === 'INCONCLUSIVE') return 4;
  return error.status === 401 || error.code === ownCodes.notUnderstood ? 2 : 1;
}

/** What a failure says: a line for people, or the shape in which the API refuses. */
export function failureText(error: unknown, isJson: boolean): string {
  const { message } = error as Error;
  if (!isJson) return message;
  if (error instanceof SandboxError) return JSON.stringify({ code: error.code, message: error.said, details: error.details });
  const codes = {
    UsageError: 'INVALID_OPTION',
    NotThere: 'RESOURCE_NOT_FOUND',
    NotInTime: 'WAIT_TIMEOUT',
    Interrupted: 'INTERRUPTED',
  } as const;
  const code = codes[(error as Error).name as keyof typeof codes] ?? 'INTERNAL_ERROR';
  return JSON.stringify({ code, message, details: {} });
}
