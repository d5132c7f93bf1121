import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as client from '../index.js';
import { WorldClient } from '../client/world.js';
import { globalOptions, type Verb } from '../cli/verb.js';
import { verbs } from '../cli/verbs.js';
import { settingFacts } from '../server/options.js';
import { blocksOf, textOf } from './doc-blocks.js';
import { root } from './root.js';

const paths = ['public', 'control'].flatMap((plane) => {
  const document = JSON.parse(readFileSync(join(root, `openapi/${plane}.json`), 'utf8')) as { paths: Record<string, object> };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
});

/** Requests of the server that are in no OpenAPI document. */
const otherPaths = /^GET \/(docs|openapi|metrics|llms|_sandbox\/console|_sandbox\/openapi|favicon|robots)/;

/** True if a request is in an OpenAPI document. A `…` at the start stands for the beginning of a path, `{…}` and `$NAME` for a parameter. */
function isRequest(method: string, path: string): boolean {
  const parts = path
    .replace(/[?#].*$/, '')
    .replace(/\/$/, '')
    .split('/');
  const isEnd = parts[0] === '…';
  const wanted = isEnd ? parts.slice(1) : parts;
  return paths.some((each) => {
    const [known, template] = each.split(' ') as [string, string];
    const all = template.split('/');
    const segments = isEnd ? all.slice(-wanted.length) : all;
    if (known !== method || segments.length !== wanted.length) return false;
    return segments.every((segment, index) => segment === wanted[index] || segment.startsWith('{') || /^…$/.test(wanted[index]!));
  });
}

/** Options of other programs that the documents name. */
const foreignOptions = new Set(
  `--read-only --cap-drop --security-opt --user --add-host --rm --build-arg --package --pack-destination --pdeathsig --data-binary
  --data-urlencode --norc --max-old-space-size --network --pull --provenance --access --env-file --name --tag --dry-run --label`.split(
    /\s+/,
  ),
);
const settingOptions = new Set([
  ...settingFacts.map(({ variable }) => `--${variable.replace('SANDBOX_', '').toLowerCase().replaceAll('_', '-')}`),
  '--help',
  '--version',
]);
const optionsOf = ({ options = [] }: Pick<Verb, 'options'>) => [...options, ...globalOptions].map(({ name }) => `--${name}`);
const allOptions = new Set([...verbs.flatMap(optionsOf), ...settingOptions, ...foreignOptions]);

/** Returns what is wrong with a command line after `crossborder-sandbox`; null if nothing is. */
function wrongCommand(line: string): string | null {
  const words = line.split(/\s+/).filter(Boolean);
  const [first = '', second = ''] = words;
  const isServer = first === '' || first === 'start' || first === 'help' || first.startsWith('-') || /^[^a-z]/.test(first);
  const verb = verbs.find(({ name }) => name === `${first} ${second}`) ?? verbs.find(({ name }) => name === first);
  if (!verb && !isServer) return `there is no command "${first} ${second}"`;
  const end = words.indexOf('--exec') < 0 ? words.length : words.indexOf('--exec') + 1;
  const flags = words.slice(0, end).flatMap((word) => /^--[a-z-]+/.exec(word) ?? []);
  const known = verb ? [...optionsOf(verb), '--help'] : settingOptions;
  const wrong = flags.find((flag) => ![...known].includes(flag));
  return wrong === undefined ? null : `${verb ? verb.name : 'start'} has no option ${wrong}`;
}

const worldMembers = new Set([
  ...Object.getOwnPropertyNames(WorldClient.prototype),
  ...Object.getOwnPropertyNames(Object.getPrototypeOf(WorldClient.prototype)),
  ...Object.keys(new WorldClient({ url: '', controlUrl: '', token: null, timeoutMs: 1, fetch }, 'any')),
]);

/** Modules of the package, with their exported names. */
const modules: Readonly<Record<string, readonly string[]>> = {
  'crossborder-sandbox': Object.keys(client),
  'crossborder-sandbox/vitest': ['test'],
  'crossborder-sandbox/jest': ['createTestWorld', 'test'],
};

function wrongImports(text: string): string[] {
  const imports = [...text.matchAll(/import \{([^}]*)\} from '(crossborder-sandbox[^']*)'/g)];
  const names = imports.flatMap(([, list = '', module = '']) => list.split(',').map((name) => [name.trim(), module] as const));
  const wrong = names
    .filter(([name, module]) => !(modules[module] ?? []).includes(name))
    .map(([name, module]) => `${module} exports no ${name}`);
  const members = [...text.matchAll(/\bworld\.(\w+)/g)].map(([, name]) => name!);
  return [...wrong, ...members.filter((name) => !worldMembers.has(name)).map((name) => `world has no ${name}`)];
}

/** Returns the requests, commands, options, npm scripts, files and methods in a document that do not exist. */
export function unknownNames(document: string): string[] {
  const text = textOf(document);
  const withoutOutput = text.replaceAll(/^```(?:json|text)\n[^]*?^```$/gm, '');
  const requests = [...withoutOutput.matchAll(/(\bcontrol )?\b(GET|POST|PUT|PATCH|DELETE) '?((?:\/|…\/)[^\s`"'|,;)]*)/g)]
    .map(([, control, method, path]) => [method!, `${control === undefined ? '' : '/_sandbox'}${path!.replace(/[.:]$/, '')}`] as const)
    .filter(([method, path]) => !otherPaths.test(`${method} ${path}`) && !isRequest(method, path))
    .map(([method, path]) => `there is no request ${method} ${path}`);
  const commands = [...text.matchAll(/npx crossborder-sandbox ?([^`\n|&;>]*)/g)].flatMap(([, line]) => wrongCommand(line!) ?? []);
  const options = [...text.matchAll(/`(--[a-z][a-z-]+)/g)].flatMap(([, name]) =>
    allOptions.has(name!) ? [] : [`there is no option ${name}`],
  );
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  const missing = [...text.matchAll(/npm run ([a-z:-]+)/g)].flatMap(([, name]) =>
    Object.hasOwn(scripts, name!) ? [] : [`there is no script ${name}`],
  );
  const files = [...text.matchAll(/`((?:docs|fixtures|scenarios|profiles|openapi|skills|src|\.ci|\.github)\/[\w./-]*)`/g)].flatMap(
    ([, path]) => (existsSync(join(root, path!)) ? [] : [`there is no file ${path}`]),
  );
  const scripted = blocksOf(document).flatMap(({ language, text: code }) =>
    language === 'js' || language === 'ts' ? wrongImports(code) : [],
  );
  return [...requests, ...commands, ...options, ...missing, ...files, ...scripted];
}
