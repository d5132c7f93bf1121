import type { z } from 'zod';
import type { Session } from './session.js';

/** An error of a tool call, with the next step for the agent. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  readonly next: string;

  /** @param next an instruction for the agent */
  constructor(message: string, next: string) {
    super(message);
    this.next = next;
  }
}

/** A tool that an agent can call. */
export interface Tool {
  /** Never changes, because agents and their settings use the name. */
  readonly name: string;
  /** Explains to an agent when and how to call the tool. */
  readonly description: string;
  readonly input: z.ZodObject;
  /** @throws ToolError, or SandboxError of a request */
  run(args: Readonly<Record<string, unknown>>, session: Session, signal: AbortSignal): Promise<string>;
}

/** Defines a tool whose implementation gets the parsed arguments. */
export function tool<S extends z.ZodObject>(
  name: string,
  description: string,
  input: S,
  run: (args: z.output<S>, session: Session, signal: AbortSignal) => Promise<string>,
): Tool {
  return { name, description, input, run: (args, session, signal) => run(args as z.output<S>, session, signal) };
}

/** Returns the call of a tool as an agent would write it. */
export const callText = (name: string, args: object) => `${name} ${JSON.stringify(args)}`;
