import manifest from '../../../package.json' with { type: 'json' };
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { ownCodes, SandboxError } from '../../client/error.js';
import { didYouMean } from '../../contract/shared/messages/nearest.js';
import { printable } from '../../domain/printable.js';
import type { Session } from './session.js';
import { callText, Refusal, type Tool } from './tool.js';
import { tools } from './tools.js';

const instructions =
  'Tools for a local sandbox of a cross-border payments API. Create a world, run your client with its environment, and call verdict. Fix what it finds, show what is missing, and repeat until the exit code is 0.';

/** Returns the JSON schema of the arguments of a tool. */
function schemaOf({ input }: Tool): { readonly type: 'object' } & Record<string, unknown> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(input, { io: 'input' });
  return { ...schema, type: 'object' };
}

/** Returns the definitions of the tools as an agent receives them. */
const definitions = () => tools.map((each) => ({ name: each.name, description: each.description, inputSchema: schemaOf(each) }));

/** Advises what to do after an error of the sandbox. */
function nextAfter({ code, status }: SandboxError): string {
  if (status === 401 || status === 403)
    return 'Set SANDBOX_CONTROL_TOKEN in the environment of this MCP server (the env of its entry), and restart it.';
  if (code === ownCodes.unreachable || code === ownCodes.noAnswer)
    return 'Start the sandbox with "npx crossborder-sandbox --data memory", wait with "npx crossborder-sandbox wait", and call again.';
  if (code === ownCodes.notUnderstood)
    return 'Set SANDBOX_URL in the environment of this MCP server to the address of a sandbox, and restart it.';
  if (code === 'RESOURCE_NOT_FOUND')
    return `Look for the right name or id: ${callText('see', { what: 'timeline' })}, or create a world: ${callText('world', { action: 'create' })}.`;
  return `Correct what the message names, and call again. ${callText('docs', { query: code })} explains the code.`;
}

/** Parses the arguments of a call. @throws Refusal naming the argument and what is expected */
function argumentsOf({ name, input }: Tool, given: unknown): Record<string, unknown> {
  const parsed = input.safeParse(given ?? {});
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.length === 0 ? 'arguments' : path.join('.')}: ${message}`);
  const known = Object.keys(input.shape);
  throw new Refusal(`${name}: ${wrong.join('; ')}.`, `Call it again. Its arguments are: ${known.join(', ')}.`);
}

interface Result {
  readonly [key: string]: unknown;
  readonly content: [{ readonly type: 'text'; readonly text: string }];
  readonly isError?: true;
}

const result = (text: string): Result => ({ content: [{ type: 'text', text: printable(text) }] });

/** Runs a tool. A refusal is a result that names the next step. */
async function called(name: string, given: unknown, session: Session, signal: AbortSignal): Promise<Result> {
  try {
    const tool = tools.find((each) => each.name === name);
    if (!tool) {
      const names = tools.map((each) => each.name);
      throw new Refusal(`There is no tool "${name}"${didYouMean(name, names) || '.'}`, `Use one of: ${names.join(', ')}.`);
    }
    return result(await tool.run(argumentsOf(tool, given), session, signal));
  } catch (error) {
    const next =
      error instanceof Refusal
        ? error.next
        : error instanceof SandboxError
          ? nextAfter(error)
          : `Call it again. If it repeats, ${callText('see', { what: 'timeline' })} shows what happened.`;
    return { ...result(`${(error as Error).message}\nNext: ${next}`), isError: true };
  }
}

/** Speaks the Model Context Protocol until the input ends, or the session does. */
export async function serve(session: Session, input: Readable, output: Writable, onerror: (error: Error) => void): Promise<void> {
  const handle = serveStdio(
    () => {
      const mcp = new McpServer({ name: 'crossborder-sandbox', version: manifest.version }, { capabilities: { tools: {} }, instructions });
      mcp.server.setRequestHandler('tools/list', () => ({ tools: definitions() }));
      mcp.server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
        called(params.name, params.arguments, session, AbortSignal.any([mcpReq.signal, session.ending])),
      );
      return mcp;
    },
    { transport: new StdioServerTransport(input, output), onerror },
  );
  await finished(input, { writable: false, signal: session.ending }).catch(() => {}); // It is over, however it ended.
  await handle.close();
}
