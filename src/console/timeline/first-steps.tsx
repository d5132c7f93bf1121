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

/** The first request in an empty world, with its credentials. */
export function FirstSteps(): JSX.Element {
  const base = publicUrl();
  const command = `TOKEN=$(${tokenCommand(base, credentials())} |
  sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')
curl -s ${base}/api/accounts -H "Authorization: Bearer $TOKEN"`;
  return (
    <Empty title={`Nothing has called ${world.value} yet`}>
      <p>These two calls get an access token and list the accounts that are there. They become the first rows here:</p>
      <pre class="text" tabIndex={0} role="region" aria-label="First calls">
        {command}
      </pre>
      <CopyButton text={() => command}>Copy</CopyButton>
    </Empty>
  );
}
