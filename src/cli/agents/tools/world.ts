import { z } from 'zod';
import { defined } from '../../../client/caller.js';
import { OwnedWorld } from '../../../client/owned-world.js';
import type { WorldClient } from '../../../client/world.js';
import { callText, ToolError, tool } from '../tool.js';

/** Describes a world, with the environment variables for its client. */
async function described(world: WorldClient, signal: AbortSignal): Promise<string> {
  const [{ mode, now }, variables] = await Promise.all([world.clock.get({ signal }), world.env({ signal })]);
  return [
    `World ${world.name}, clock ${mode} at ${now}. The other tools now use this world.`,
    'Environment of your client:',
    ...Object.entries(variables).map(([name, value]) => `${name}=${value}`),
  ].join('\n');
}

export const world = tool(
  'world',
  'Create, read, reset or delete a world: an isolated copy of the API with its own accounts, clock and credentials. Start with create, and run your client with the environment variables that it returns. reset keeps the credentials.',
  z.strictObject({
    action: z.enum(['create', 'get', 'reset', 'delete']),
    name: z.string().max(64).optional().describe('Default: a new name for create, else the world in use.'),
    scenario: z.string().max(64).optional().describe('For create, for example challenge (faults at known moments) or certification.'),
    seed: z.string().max(200).optional().describe('For create. "random" makes faults unforeseeable.'),
    frozen: z.boolean().optional().describe('For create: true to move its time only with the tool time. Default: true.'),
  }),
  async ({ action, name, scenario, seed, frozen = true }, session, signal) => {
    if (action === 'create') {
      const clock = frozen ? { clock: { mode: 'FROZEN' as const } } : {};
      const made = await session.sandbox.createWorld({ ...defined({ name, scenario, seed }), ...clock, signal });
      session.worldName = made.name;
      return described(made, signal);
    }
    const handle = session.world(name);
    if (action === 'delete') {
      if (name === undefined)
        throw new ToolError(
          'delete needs the name of the world.',
          `Call ${callText('world', { action: 'delete', name: session.worldName })} if you mean the world in use.`,
        );
      await new OwnedWorld(session.connection, name).delete({ signal });
      if (session.worldName === name) session.worldName = 'default';
      return `Deleted world ${name}. The other tools now use world ${session.worldName}.`;
    }
    const { name: known } = action === 'reset' ? await handle.reset({ signal }) : await handle.get({ signal });
    session.worldName = known;
    return described(handle, signal);
  },
);
