import type { WorldDescription } from '../../client/types.js';
import { answered, defined } from '../../client/caller.js';
import { listedWorlds } from '../../client/paged.js';
import { UsageError } from '../failure.js';
import type { Columns } from '../output.js';
import { oneOf } from '../values.js';
import type { Invocation, Verb } from '../verb.js';

const group = 'worlds';

function showWorld({ out }: Invocation, world: WorldDescription): void {
  const { name, credentials } = world;
  out.show(world, [`WORLD ${name}`, `  clientId ${credentials.clientId}`, `  clientSecret ${credentials.clientSecret}`], [name]);
}

const worlds: Verb = {
  name: 'worlds',
  group,
  summary: 'List the worlds of the sandbox.',
  examples: ['crossborder-sandbox worlds', 'crossborder-sandbox worlds --json', 'crossborder-sandbox worlds --quiet'],
  calls: ['GET /_sandbox/worlds'],
  run: async ({ control, out, signal }) => {
    const data = await listedWorlds(control, signal).all();
    const columns: Columns<WorldDescription> = {
      name: (each) => each.name,
      'client id': (each) => each.credentials.clientId,
      rows: (each) => String(each.rows),
    };
    out.list(data, columns, (each) => each.name, 'There are no worlds.');
  },
};

const create: Verb = {
  name: 'worlds create',
  group,
  summary: 'Create a world with its own credentials.',
  args: [{ name: 'name', meaning: 'Name of the world. Default: a generated name.', isOptional: true }],
  options: [
    { name: 'seed', value: 'text', meaning: 'Seed for ids and random values.' },
    { name: 'scenario', value: 'name', meaning: 'Initial scenario.' },
    { name: 'fixtures', value: 'default|empty', meaning: 'Initial data.', usual: 'default' },
    { name: 'freeze', meaning: 'Freeze the clock.' },
    { name: 'at', value: 'timestamp', meaning: 'Initial time of the clock.' },
    { name: 'ttl', value: 'duration', meaning: 'Delete the world after this much real time without a request.' },
    { name: 'replace', meaning: 'Replace the world if it exists. The credentials stay the same.' },
  ],
  examples: [
    'crossborder-sandbox worlds create',
    'crossborder-sandbox worlds create ci-worker-7 --fixtures empty --freeze --ttl 1h',
    'crossborder-sandbox worlds create ci-worker-7 --replace --seed 43 --json',
  ],
  calls: ['POST /_sandbox/worlds', 'PUT /_sandbox/worlds/{worldName}'],
  run: async (invocation) => {
    const { control, args, given, signal } = invocation;
    const [name] = args;
    const [seed, scenario, at, ttl] = [given.text('seed'), given.text('scenario'), given.text('at'), given.text('ttl')];
    const fixtures = given.text('fixtures');
    const clock = { mode: given.has('freeze') ? ('FROZEN' as const) : ('RUNNING' as const), ...defined({ now: at }) };
    const body = {
      ...defined({ seed, scenario, ttl }),
      ...(fixtures === undefined ? {} : { fixtures: oneOf(fixtures, '--fixtures', ['default', 'empty']) }),
      ...(given.has('freeze') || at !== undefined ? { clock } : {}),
    };
    if (!given.has('replace'))
      return showWorld(invocation, await answered(control.POST('/_sandbox/worlds', { body: { ...body, ...defined({ name }) }, signal })));
    if (name === undefined) throw new UsageError('--replace requires the name of the world.');
    showWorld(
      invocation,
      await answered(control.PUT('/_sandbox/worlds/{worldName}', { params: { path: { worldName: name } }, body, signal })),
    );
  },
};

const reset: Verb = {
  name: 'reset',
  group,
  summary: 'Reset a world to its initial state. The credentials and snapshots stay.',
  options: [{ name: 'ids', value: 'same|fresh', meaning: 'Ids of the resources: those of a new world, or new ones.', usual: 'same' }],
  examples: ['crossborder-sandbox reset', 'crossborder-sandbox reset --world default', 'crossborder-sandbox reset --ids fresh --json'],
  calls: ['POST /_sandbox/reset'],
  run: async (invocation) => {
    const { given, signal, world } = invocation;
    const ids = given.text('ids');
    const wanted = ids === undefined ? {} : { ids: oneOf(ids, '--ids', ['same', 'fresh']) };
    showWorld(invocation, await world.reset({ ...wanted, signal }));
  },
};

export const worldVerbs: readonly Verb[] = [worlds, create, reset];
