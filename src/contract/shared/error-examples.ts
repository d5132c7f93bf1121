import type { ErrorCode } from './error-codes.js';

interface ErrorExample {
  readonly message: string;
  readonly details: Record<string, unknown>;
}

/** Examples of the errors that no request causes directly. The examples of all other errors are recorded responses. */
export const errorExamples: Readonly<Partial<Record<ErrorCode, ErrorExample>>> = {
  RATE_LIMIT_EXCEEDED: { message: 'Too many requests. Try again later.', details: {} },
  SERVICE_UNAVAILABLE: { message: 'The service is not available at the moment. Try again later.', details: {} },
  INTERNAL_ERROR: { message: 'Internal error of the sandbox. See its log for details.', details: {} },
};
