import { Session } from '../agents/session.js';
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
  run: async ({ sandbox, connection, world, environment, signal, protocol, out }) => {
    const { serve } = await import('../agents/serve.js'); // Only here, so that no other command loads the protocol.
    const leaving = new AbortController();
    const session = new Session(sandbox, connection, world.name, environment, AbortSignal.any([signal, leaving.signal]));
    const { input, output } = protocol();
    await serve(session, input, output, ({ message }) => out.remark(message));
    leaving.abort(new Error('The agent left.'));
    signal.throwIfAborted();
  },
};

export const agentVerbs: readonly Verb[] = [agentSetup, mcp];
