import { z } from 'zod';
import { Search } from '../search.js';
import { ToolError, tool } from '../tool.js';

export const docs = tool(
  'docs',
  'Search the guides of the sandbox: how to do something, what an error code, a finding or a setting means. Returns at most three sections.',
  z.strictObject({ query: z.string().min(1).max(200).describe('Words, an error code or a rule, for example "verify webhook signature".') }),
  async ({ query }, session, signal) => {
    session.search ??= new Search(await session.publicText('/llms-full.txt', signal));
    const found = session.search.find(query);
    if (found === '')
      throw new ToolError(
        `No guide has anything about "${query}".`,
        'Use other words, for example an error code, "idempotency" or "advance the clock".',
      );
    return found;
  },
);
