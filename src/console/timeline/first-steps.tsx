import type { JSX } from 'preact';
import { credentials, publicUrl, type Credentials } from '../api-calls.js';
import { CopyButton } from '../parts/button.js';
import { Empty } from '../parts/section.js';
import { world } from '../router.js';

/** Returns the shell command that gets an access token. */
export function tokenCommand(baseUrl: string, known: Credentials | null): string {
  const { clientId, clientSecret } = known ?? { clientId: '<your client id>', clientSecret: '<your client secret>' };
  return `curl -s ${baseUrl}/api/oauth/client/token \\
  -H 'Content-Type: application/json' \\
  -d '{"clientId":"${clientId}","clientSecret":"${clientSecret}"}'`;
}

/** Commands for the first requests to an empty world, with the credentials of its client. */
export function FirstSteps(): JSX.Element {
  const base = publicUrl();
  const command = `TOKEN=$(${tokenCommand(base, credentials())} |
  sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')
curl -s ${base}/api/accounts -H "Authorization: Bearer $TOKEN"`;
  return (
    <Empty title={`Nothing has called ${world.value} yet`}>
      <p>These two calls get an access token and list the accounts. They become the first rows of the timeline:</p>
      <pre class="text" tabIndex={0} role="region" aria-label="First calls">
        {command}
      </pre>
      <CopyButton text={() => command}>Copy</CopyButton>
    </Empty>
  );
}
