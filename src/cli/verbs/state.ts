import type { Settings, SettingsRequest, StateDocument } from '../../client/types.js';
import { assignments, type Output } from '../output.js';
import { assigned, assignment, dataOf } from '../values.js';
import type { Verb } from '../verb.js';

const group = 'worlds';

const importState: Verb = {
  name: 'state import',
  group,
  summary: 'Replace the state of a world. The world keeps its name, credentials and snapshots.',
  args: [{ name: 'document', meaning: '@file, or - for standard input.' }],
  examples: [
    'crossborder-sandbox state export | crossborder-sandbox state import -',
    'crossborder-sandbox state export | crossborder-sandbox state import - --quiet',
    'crossborder-sandbox state export | crossborder-sandbox state import - --json',
  ],
  calls: ['PUT /_sandbox/state', 'GET /_sandbox/state'],
  run: async (invocation) => {
    const { world, args, out, signal } = invocation;
    const imported = await world.state.import((await dataOf(args[0]!, 'The document', invocation)) as StateDocument, { signal });
    out.show(imported, [`WORLD ${world.name} imported, at ${imported.clock.now}.`], [world.name]);
  },
};

const sideMeaning = 'snapshot:<name> of this world, or world:<name>.';
const compareStates: Verb = {
  name: 'state diff',
  group,
  summary: 'Compare two worlds or snapshots.',
  args: [
    { name: 'from', meaning: sideMeaning },
    { name: 'to', meaning: `${sideMeaning} Default: this world now.`, isOptional: true },
  ],
  examples: [
    'crossborder-sandbox snapshot save funded && crossborder-sandbox state diff snapshot:funded',
    'crossborder-sandbox snapshot save funded && crossborder-sandbox state diff snapshot:funded world:default --json',
    'crossborder-sandbox snapshot save funded && crossborder-sandbox complete @last && crossborder-sandbox state diff snapshot:funded',
  ],
  calls: ['GET /_sandbox/state/differences'],
  run: async ({ world, args, out, signal }) => {
    const found = await world.state.differences(args[0]!, args[1], { signal });
    const lines = found.rows.flatMap(({ table, id, change, fields }) => [
      `${change} ${table} ${id}`,
      ...fields.map(({ path, from, to }) => `  ${path}: ${from ?? 'absent'} -> ${to ?? 'absent'}`),
    ]);
    out.show(found, lines);
    if (found.omitted > 0) out.remark(`${found.omitted} more rows differ.`);
    if (found.tables.length === 0) out.remark('The two states are equal.');
  },
};

/** Shows settings as assignments, without `usdValues`, which cannot be set. */
function showSettings(out: Output, answer: Settings): void {
  const { usdValues: _values, ...settable } = answer;
  out.show(answer, assignments(settable));
}

const settings: Verb = {
  name: 'settings',
  group,
  summary: 'Show the rates, fees, times and policies of a world, in the format of settings set.',
  examples: ['crossborder-sandbox settings', 'crossborder-sandbox settings --json', 'crossborder-sandbox settings --world default'],
  calls: ['GET /_sandbox/settings'],
  run: async ({ world, out, signal }) => {
    showSettings(out, await world.settings.get({ signal }));
  },
};

const set: Verb = {
  name: 'settings set',
  group,
  summary: 'Change settings of a world. Other settings keep their values.',
  args: [
    { name: 'assignment', meaning: 'path=text, for example quoteTtl=1m, or path:=json, for example standardWebhooks:=true.', isMany: true },
  ],
  examples: [
    'crossborder-sandbox settings set quoteTtl=1m',
    'crossborder-sandbox settings set rates.BRL/USD=0.1850 standardWebhooks:=true',
    'crossborder-sandbox settings set deliveryTimeout=2s --json',
  ],
  calls: ['PUT /_sandbox/settings'],
  run: async ({ world, args, out, signal }) => {
    const body = assigned(args.map((each) => assignment(each, 'The assignment'))) as SettingsRequest;
    showSettings(out, await world.settings.set(body, { signal }));
  },
};

export const stateVerbs: readonly Verb[] = [importState, compareStates, settings, set];
