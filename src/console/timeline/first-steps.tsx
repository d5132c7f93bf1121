import type { JSX } from 'preact';
import { CopyButton } from '../parts/button.js';
import { Empty } from '../parts/section.js';
import { world } from '../router.js';
import { status, worlds } from '../store.js';

/** What to do in a world in which nothing has happened: its first call, with its own credentials. */
export function FirstSteps(): JSX.Element {
  const here = worlds.value.find(({ name }) => name === world.value);
  const { clientId = '<client id>', clientSecret = '<client secret>' } = here?.credentials ?? {};
  const command = `curl -s ${status.value?.publicUrl ?? location.origin}/api/oauth/client/token \\
  -H 'Content-Type: application/json' \\
  -d '{"clientId":"${clientId}","clientSecret":"${clientSecret}"}'`;
  return (
    <Empty title={`Nothing has called ${world.value} yet`}>
      <p>This gets an access token for it, and becomes the first row here:</p>
      <pre class="text" tabIndex={0} role="region" aria-label="First call">
        {command}
      </pre>
      <CopyButton text={() => command}>Copy</CopyButton>
    </Empty>
  );
}
