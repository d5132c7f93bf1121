import { html } from 'hono/html';
import { htmlPage, type Html } from './built-page.js';

/** What the page says of its server. */
export interface StartPageFacts {
  /** As the browser reaches the sandbox: `http://localhost:4010`. */
  readonly baseUrl: string;
  /** The credentials that work at once; null where they are not for everybody to read. */
  readonly credentials: { readonly clientId: string; readonly clientSecret: string } | null;
  /** Whether the control plane answers at the same port. */
  readonly hasControl: boolean;
}

/** The command that gets an access token, for a shell. */
export function tokenCommand(baseUrl: string, { clientId, clientSecret }: NonNullable<StartPageFacts['credentials']>): string {
  return `curl -s ${baseUrl}/api/oauth/client/token \\
  -H 'Content-Type: application/json' \\
  -d '{"clientId":"${clientId}","clientSecret":"${clientSecret}"}'`;
}

/** Where somebody begins who opens the sandbox in a browser: what it is, where to read, what to paste first. */
export function startPage({ baseUrl, credentials, hasControl }: StartPageFacts): Html {
  const command = tokenCommand(baseUrl, credentials ?? { clientId: '<your client id>', clientSecret: '<your client secret>' });
  return htmlPage(
    { title: 'crossborder-sandbox', styles: '/docs/assets/docs.css' },
    html`
      <main class="page">
        <h1>crossborder-sandbox</h1>
        <p>A sandbox of a cross-border payments API. It is running, and this is its base URL: <code>${baseUrl}</code></p>
        <h2>Read</h2>
        <ul>
          <li><a href="/docs">The API, for people</a></li>
          <li>The contract, for programs: <a href="/openapi.json">openapi.json</a>, <a href="/openapi.yaml">openapi.yaml</a></li>
          ${
            hasControl
              ? html`<li><a href="/_sandbox/console">The console</a>: what happens, and what you can have happen</li>
                  <li>What a tester has beyond it: <a href="/_sandbox/openapi.json">the contract of the control plane</a></li>`
              : ''
          }
        </ul>
        <h2>Try it</h2>
        <pre class="text" tabindex="0">${command}</pre>
        <p>The answer has an access token, which every further request carries as <code>Authorization: Bearer …</code>.</p>
      </main>
    `,
  );
}
