import manifest from '../../../package.json' with { type: 'json' };
import { finished } from 'node:stream/promises';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { clientErrorCodes, SandboxError } from '../../client/error.js';
import { didYouMean } from '../../contract/shared/messages/nearest.js';
import { printable } from '../../domain/printable.js';
import { Session } from './session.js';
import { withUsedCommand } from '../command-name.js';
import type { Invocation } from '../verb.js';
import { callText, ToolError, type Tool } from './tool.js';
import { tools } from './tools.js';

const instructions =
  'Tools for a local sandbox of a cross-border payments API. Create a world, run your client with its environment, and call verdict. Fix the findings, cover the missing items, and repeat until the exit code is 0.';

/** Replaces the parts of a JSON schema that some agents reject: empty schemas, and lists of types. */
function portable(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(portable);
  const { type, ...rest } = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, portable(value)]));
  const { additionalProperties: others } = rest;
  if (typeof others === 'object' && Object.keys(others as object).length === 0) rest['additionalProperties'] = true;
  if (Array.isArray(type)) return { ...rest, anyOf: type.map((each) => ({ type: each as unknown })) };
  return type === undefined ? rest : { type, ...rest };
}

/** Returns the JSON schema of the arguments of a tool. */
function schemaOf({ input }: Tool): { readonly type: 'object' } & Record<string, unknown> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(input, { io: 'input' });
  return { ...(portable(schema) as object), type: 'object' };
}

/** Returns the definitions of the tools as an agent receives them. */
const definitions = () => tools.map((each) => ({ name: each.name, description: each.description, inputSchema: schemaOf(each) }));

/** Returns the advice after an error response of the sandbox. */
function nextAfter({ code, status }: SandboxError): string {
  if (status === 401 || status === 403)
    return 'Set SANDBOX_CONTROL_TOKEN in the environment of this MCP server (the env of its entry), and restart it.';
  if (code === clientErrorCodes.unreachable || code === clientErrorCodes.noAnswer)
    return 'Start the sandbox with "npx crossborder-sandbox start --data memory", wait with "npx crossborder-sandbox wait", and call again.';
  if (code === clientErrorCodes.notUnderstood)
    return 'Set SANDBOX_URL in the environment of this MCP server to the address of a sandbox, and restart it.';
  if (code === 'RESOURCE_NOT_FOUND')
    return `Look for the right name or id: ${callText('see', { what: 'timeline' })}, or create a world: ${callText('world', { action: 'create' })}.`;
  return `Correct the request as the message says, and call again. ${callText('docs', { query: code })} explains the code.`;
}

/** Parses the arguments of a call. @throws ToolError naming the argument and what is expected */
function argumentsOf({ name, input }: Tool, given: unknown): Record<string, unknown> {
  const parsed = input.safeParse(given ?? {});
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.length === 0 ? 'arguments' : path.join('.')}: ${message}`);
  const known = Object.keys(input.shape);
  throw new ToolError(`${name}: ${wrong.join('; ')}.`, `Call the tool again. Its arguments are: ${known.join(', ')}.`);
}

interface Result {
  readonly [key: string]: unknown;
  readonly content: [{ readonly type: 'text'; readonly text: string }];
  readonly isError?: true;
}

const result = (text: string): Result => ({ content: [{ type: 'text', text: printable(text) }] });

/** Runs a tool. An error becomes a result that names the next step. */
async function called(name: string, given: unknown, session: Session, signal: AbortSignal, command: string): Promise<Result> {
  try {
    const tool = tools.find((each) => each.name === name);
    if (!tool) {
      const names = tools.map((each) => each.name);
      throw new ToolError(`There is no tool "${name}"${didYouMean(name, names) || '.'}`, `Use one of: ${names.join(', ')}.`);
    }
    const args = argumentsOf(tool, given);
    await session.admitted(signal);
    return result(await tool.run(args, session, signal));
  } catch (error) {
    const next =
      error instanceof ToolError
        ? error.next
        : error instanceof SandboxError
          ? nextAfter(error)
          : `Call the tool again. If the error repeats, ${callText('see', { what: 'timeline' })} shows what happened.`;
    return { ...result(withUsedCommand(`${(error as Error).message}\nNext: ${next}`, command)), isError: true };
  }
}

/** The data from the command. Contains no client, because the build has two files, each with its own copy of every error class. */
export type Served = Pick<Invocation, 'command' | 'connection' | 'environment' | 'protocol' | 'signal'> & {
  readonly worldName: string;
  readonly onerror: (error: Error) => void;
};

/** Speaks the Model Context Protocol until standard input ends, or a signal interrupts the command. */
export async function serve({ command, connection, environment, protocol, signal, worldName, onerror }: Served): Promise<void> {
  const leaving = new AbortController();
  const session = new Session(connection, worldName, environment, AbortSignal.any([signal, leaving.signal]));
  const { input, output } = protocol();
  const handle = serveStdio(
    () => {
      const mcp = new McpServer({ name: 'crossborder-sandbox', version: manifest.version }, { capabilities: { tools: {} }, instructions });
      mcp.server.setRequestHandler('tools/list', () => ({ tools: definitions() }));
      mcp.server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
        called(params.name, params.arguments, session, AbortSignal.any([mcpReq.signal, session.ending]), command),
      );
      return mcp;
    },
    { transport: new StdioServerTransport(input, output), onerror },
  );
  await finished(input, { writable: false, signal: session.ending }).catch(() => {}); // An error of the input ends the session too.
  leaving.abort(new Error('The agent left.'));
  await handle.close();
}
