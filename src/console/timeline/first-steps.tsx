import type { JSX } from 'preact';
import { credentials, publicUrl, type Credentials } from '../api-calls.js';
import { CopyButton } from '../parts/button.js';
import { Empty } from '../parts/section.js';
import { world } from '../router.js';

/** The command that gets an access token, for a shell. */
export function tokenCommand(baseUrl: string, known: Credentials | null): string {
  const { clientId, clientSecret } = known ?? { clientId: '<your client id>', clientSecret: '<your client secret>' };
  return `curl -s ${baseUrl}/api/oauth/client/token \\
  -H 'Content-Type: application/json' \\
  -d '{"clientId":"${clientId}","clientSecret":"${clientSecret}"}'`;
}

/** What to do in a world in which nothing has happened: its first call, with its own credentials. */
export function FirstSteps(): JSX.Element {
  const command = tokenCommand(publicUrl(), credentials());
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
