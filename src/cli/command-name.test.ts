import { expect, it } from 'vitest';
import { withUsedCommand, commandOf } from './command-name.js';

it.each([
  ['/work/sandbox/dist/main.cjs', '/work/sandbox', {}, 'node dist/main.cjs'],
  ['/work/sandbox/dist/main.cjs', '/work/app', {}, 'node /work/sandbox/dist/main.cjs'],
  ['/work/app/node_modules/.bin/crossborder-sandbox', '/work/app', {}, 'npx crossborder-sandbox'],
  ['/work/app/node_modules/crossborder-sandbox/dist/main.cjs', '/work/app', {}, 'npx crossborder-sandbox'],
  ['/root/.npm/_npx/1f/node_modules/.bin/crossborder-sandbox', '/work/app', {}, 'npx crossborder-sandbox'],
  [
    '/root/.npm/_npx/1f/node_modules/.bin/crossborder-sandbox',
    '/work/app',
    { npm_config_package: './crossborder-sandbox-0.1.0.tgz' },
    'npx --package ./crossborder-sandbox-0.1.0.tgz crossborder-sandbox',
  ],
  ['/usr/local/bin/crossborder-sandbox', '/work/app', {}, 'crossborder-sandbox'],
])('the script %s, started in %s with the environment %j, is run as: %s', (script, directory, environment, expected) => {
  expect(commandOf(script, directory, environment)).toBe(expected);
});

it('asTyped replaces the command in a text, but no other use of the name', () => {
  const text = 'crossborder-sandbox clock run. "npx crossborder-sandbox" starts crossborder-sandbox, crossborder-sandbox <command>';
  expect(withUsedCommand(text, 'node dist/main.cjs')).toBe(
    'node dist/main.cjs clock run. "node dist/main.cjs" starts crossborder-sandbox, node dist/main.cjs <command>',
  );
});
