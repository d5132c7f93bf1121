import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from './root.js';

/** A message of the protocol, as far as tests read it. */
interface Message {
  readonly jsonrpc?: unknown;
  readonly id?: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** The result of a tool. */
export interface ToolResult {
  readonly text: string;
  readonly isRefused: boolean;
}

/** The built command `mcp` as a process, and the agent at the other end of its standard streams. */
export class McpAgent {
  /** Every line of standard output. */
  readonly lines: string[] = [];
  /** Everything on standard error. */
  errors = '';
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #count = 0;

  private constructor(environment: Record<string, string>) {
    this.#child = spawn(process.execPath, [join(root, 'dist/main.cjs'), 'mcp'], {
      env: { PATH: process.env['PATH'], ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child.stderr!.on('data', (chunk: Buffer) => (this.errors += chunk.toString()));
    createInterface({ input: this.#child.stdout! }).on('line', (line) => {
      this.lines.push(line);
      const message = JSON.parse(line) as Message;
      if (message.id !== undefined) this.#waiting.get(message.id)?.(message);
    });
  }

  /** Starts the command and initialises the connection. */
  static async start(environment: Record<string, string>): Promise<McpAgent> {
    const agent = new McpAgent(environment);
    const clientInfo = { name: 'test', version: '1' };
    await agent.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    agent.#write({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return agent;
  }

  #write(message: object): void {
    this.#child.stdin!.write(`${JSON.stringify(message)}\n`);
  }

  async request(method: string, params: object = {}): Promise<Message> {
    const id = (this.#count += 1);
    const response = new Promise<Message>((resolve) => void this.#waiting.set(id, resolve));
    this.#write({ jsonrpc: '2.0', id, method, params });
    return response;
  }

  /** Calls a tool. @throws Error for an error of the protocol */
  async call(name: string, args: object = {}): Promise<ToolResult> {
    const { result, error } = await this.request('tools/call', { name, arguments: args });
    if (error) throw new Error(`${name}: ${error.code} ${error.message}`);
    const [content] = result!['content'] as [{ text: string }];
    return { text: content.text, isRefused: result!['isError'] === true };
  }

  /** Closes standard input, as an agent does at its end. @returns the exit code */
  async leave(): Promise<number | null> {
    const ended = once(this.#child, 'exit') as Promise<[number | null]>;
    this.#child.stdin!.end();
    return (await ended)[0];
  }
}
