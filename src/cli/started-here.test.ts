import { expect, it } from 'vitest';
import { otherSandbox, setVariable } from './started-here.js';

it.each([
  ['nothing was started from here', [], null],
  ['the sandbox at this port was started from here', ['http://localhost:4010', 'http://127.0.0.1:4020'], null],
  ['only another one was started from here', ['http://127.0.0.1:4020'], 'http://127.0.0.1:4020'],
])('a command warns about its address only if %s', (_when, started, named) => {
  const warning = otherSandbox('http://127.0.0.1:4010', started);
  if (named === null) expect(warning).toBeNull();
  else expect(warning).toContain(`started from here is at ${named}: ${setVariable('SANDBOX_URL', named)}`);
});
