import { agentSetup } from '../agents/setup.js';
import type { Verb } from '../verb.js';

const group = 'agents';

const mcp: Verb = {
  name: 'mcp',
  group,
  summary: 'Offer the sandbox to a coding agent: nine tools of the Model Context Protocol on standard input and output.',
  examples: ['crossborder-sandbox mcp', 'crossborder-sandbox mcp --world default', 'crossborder-sandbox mcp --url http://127.0.0.1:4010'],
  exits: { 0: 'the agent closed standard input' },
  calls: [],
  run: async ({ command, connection, environment, protocol, world, signal, out }) => {
    const { serve } = await import('../agents/serve.js'); // Only here, so that no other command loads the protocol.
    await serve({
      command,
      connection,
      environment,
      protocol,
      signal,
      worldName: world.name,
      onerror: ({ message }) => out.remark(message),
    });
    signal.throwIfAborted();
  },
};

export const agentVerbs: readonly Verb[] = [agentSetup, mcp];
