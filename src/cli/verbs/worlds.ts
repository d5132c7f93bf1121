import type { ListedWorld, Settings, WorldDescription } from '../../client/types.js';
import { defaultWorld } from '../../world/identity.js';
import { durationMs } from '../../contract/shared/duration-text.js';
import { answered, defined } from '../../client/caller.js';
import { SandboxError } from '../../client/error.js';
import { listedWorlds } from '../../client/paged.js';
import { UsageError } from '../failure.js';
import type { Columns } from '../output.js';
import { oneOf, textOf } from '../values.js';
import type { WantedWorld } from '../wanted-worlds.js';
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
    const columns: Columns<ListedWorld> = {
      name: (each) => each.name,
      'client id': (each) => each.credentials.clientId,
      rows: (each) => String(each.rows),
      bytes: (each) => String(each.bytes ?? ''),
      'last use': (each) => each.lastUsedAt ?? '',
      node: (each) => each.node ?? '',
      verdict: (each) => each.verdict,
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
    {
      name: 'if-exists',
      value: 'keep|replace',
      meaning: 'Show an existing world unchanged, or create it again without its data.',
      usual: 'an error',
    },
  ],
  examples: [
    'crossborder-sandbox worlds create',
    'crossborder-sandbox worlds create ci-worker-7 --fixtures empty --freeze --ttl 1h',
    'crossborder-sandbox worlds create ci-worker-7 --if-exists replace --seed 43 --json',
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
    const existing = given.text('if-exists');
    if (existing === undefined) {
      const created = await answered(control.POST('/_sandbox/worlds', { body: { ...body, ...defined({ name }) }, signal })).catch(
        (error: unknown) => {
          if (error instanceof SandboxError && error.code === 'RESOURCE_ALREADY_EXISTS')
            error.message += `\nWith this command: crossborder-sandbox worlds create ${name} --if-exists keep, or replace.`;
          throw error;
        },
      );
      return showWorld(invocation, created);
    }
    if (name === undefined) throw new UsageError('--if-exists requires the name of the world.');
    const ifExists = oneOf(existing, '--if-exists', ['keep', 'replace']);
    const params = { path: { worldName: name }, query: { ifExists } };
    showWorld(invocation, await answered(control.PUT('/_sandbox/worlds/{worldName}', { params, body, signal })));
  },
};

/** The change that `worlds apply` made to a world. */
interface Applied {
  readonly name: string;
  readonly result: 'created' | 'kept' | 'changed' | 'replaced' | 'differs' | 'deleted';
  /** The fields that were changed, or that differ. */
  readonly fields: readonly string[];
}

/** Returns the given fields with which an existing world was not created. */
function differences({ seed, scenario, fixtures, clock, ttl }: WantedWorld, existing: WorldDescription): string[] {
  const timeOf = ({ now }: WorldDescription['clock']) => (now === undefined ? null : Date.parse(now));
  const isOther = {
    seed: seed !== undefined && seed !== 'random' && String(seed) !== existing.seed,
    scenario: scenario !== undefined && scenario !== existing.scenario,
    fixtures: fixtures !== undefined && fixtures !== existing.fixtures,
    clock: clock !== undefined && (clock.mode !== existing.clock.mode || timeOf(clock) !== timeOf(existing.clock)),
    ttl: ttl !== undefined && durationMs(ttl) !== durationMs(existing.ttl ?? ''),
  };
  return Object.entries(isOther).flatMap(([field, differs]) => (differs ? [field] : []));
}

/** Creates a world of a file, or changes an existing world to agree with the file. @param mayReplace whether its data may be lost */
async function applyWorld({ sandbox, control, signal }: Invocation, wanted: WantedWorld, mayReplace: boolean): Promise<Applied> {
  const { settings, ...body } = wanted;
  const { name } = body;
  const put = (ifExists: 'keep' | 'replace') =>
    control.PUT('/_sandbox/worlds/{worldName}', { params: { path: { worldName: name }, query: { ifExists } }, body, signal });
  const { data, response } = await put('keep');
  const isNew = response.status === 201;
  const differing = isNew ? [] : differences(body, data!);
  if (differing.length > 0 && !mayReplace) return { name, result: 'differs', fields: differing };
  if (differing.length > 0) await put('replace');
  let changed: string[] = [];
  if (settings) {
    const handle = sandbox.world(name).settings;
    const before = await handle.get({ signal });
    const after = await handle.set(settings, { signal });
    const json = (values: Settings, field: string) => JSON.stringify(values[field as keyof Settings]);
    changed = Object.keys(settings).filter((field) => json(before, field) !== json(after, field));
  }
  if (isNew) return { name, result: 'created', fields: [] };
  if (differing.length > 0) return { name, result: 'replaced', fields: differing };
  return { name, result: changed.length === 0 ? 'kept' : 'changed', fields: changed };
}

const apply: Verb = {
  name: 'worlds apply',
  group,
  summary: 'Create the worlds of a file, and apply its settings to existing ones.',
  args: [
    { name: 'file', meaning: 'YAML or JSON: a list of worlds with name, seed, scenario, fixtures, clock, ttl, settings; - reads input.' },
  ],
  options: [
    { name: 'replace', meaning: 'Create a world again if more than its settings differs from the file. Its data is lost.' },
    { name: 'prune', meaning: 'Delete the worlds that are not in the file, except default.' },
  ],
  examples: [
    'crossborder-sandbox worlds apply docs/recipes/worlds.yaml',
    'crossborder-sandbox worlds apply docs/recipes/worlds.yaml --prune --json',
    'crossborder-sandbox worlds apply docs/recipes/worlds.yaml --replace --quiet',
  ],
  exits: { 1: 'a world differs from the file, or a request was rejected' },
  calls: [
    'PUT /_sandbox/worlds/{worldName}',
    'GET /_sandbox/settings',
    'PUT /_sandbox/settings',
    'GET /_sandbox/worlds',
    'DELETE /_sandbox/worlds/{worldName}',
  ],
  run: async (invocation) => {
    const { control, args, given, out, signal } = invocation;
    const file = args[0]!;
    const { wantedWorlds } = await import('../wanted-worlds.js'); // Loads the schemas for this command only.
    const wanted = wantedWorlds(await textOf(file, invocation), file === '-' ? 'standard input' : file);
    let differ = false;
    const show = (each: Applied) => {
      const { name, result, fields } = each;
      out.item(each, [result, name, ...(fields.length === 0 ? [] : [`(${fields.join(', ')})`])].join(' '), name);
      if (result !== 'differs') return;
      differ = true;
      out.note(`World ${name} was created with other values. --replace creates it again, and its data is lost.`);
    };
    for (const each of wanted) show(await applyWorld(invocation, each, given.has('replace')));
    if (given.has('prune')) {
      const names = new Set([defaultWorld.name, ...wanted.map(({ name }) => name)]);
      for (const { name } of await listedWorlds(control, signal).all()) {
        if (names.has(name)) continue;
        await control.DELETE('/_sandbox/worlds/{worldName}', { params: { path: { worldName: name } }, signal });
        show({ name, result: 'deleted', fields: [] });
      }
    }
    return differ ? 1 : 0;
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

export const worldVerbs: readonly Verb[] = [worlds, create, apply, reset];
