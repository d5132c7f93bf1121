import { expect, it } from 'vitest';
import { settingsIn } from './container.js';

it.each([
  ['node\0dist/main.cjs\0--port\x004020\0', { SANDBOX_PORT: '4020' }],
  ['/sbin/docker-init\0--\0node\0/app/dist/main.cjs\0start\0--control-port=4011\0', { SANDBOX_CONTROL_PORT: '4011' }],
  ['node\0dist/main.cjs\0--port=1\0--host\0::\0--port=2\0', { SANDBOX_HOST: '::', SANDBOX_PORT: '2' }],
  ['node\0/usr/local/bin/crossborder-sandbox\0', {}],
  ['node\0dist/main.cjs\0doctor\0--url\0http://127.0.0.1:4020\0', {}],
  ['node\0other.js\0--port\x004020\0', {}],
  ['sh\0-c\0sleep 1\0', {}],
  ['', {}],
])('container settings are read from the command line %j', (commandLine, settings) => {
  expect(settingsIn(commandLine)).toEqual(settings);
});
