import { html } from 'hono/html';
import { htmlPage, type Html } from './built-page.js';

/** Data that the page shows. */
export interface StartPageFacts {
  /** Base URL for the browser, for example `http://localhost:4010`. */
  readonly baseUrl: string;
  /** Default credentials; null if they are not public. */
  readonly credentials: { readonly clientId: string; readonly clientSecret: string } | null;
  /** Whether the same port serves the control API. */
  readonly hasControl: boolean;
}

/** Returns a shell command that gets an access token. */
export function tokenCommand(baseUrl: string, { clientId, clientSecret }: NonNullable<StartPageFacts['credentials']>): string {
  return `curl -s ${baseUrl}/api/oauth/client/token \\
  -H 'Content-Type: application/json' \\
  -d '{"clientId":"${clientId}","clientSecret":"${clientSecret}"}'`;
}

/** Returns the start page: a description, links to the documentation, and a first command. */
export function startPage({ baseUrl, credentials, hasControl }: StartPageFacts): Html {
  const command = tokenCommand(baseUrl, credentials ?? { clientId: '<your client id>', clientSecret: '<your client secret>' });
  // Everyone who can open the page can then read the timeline too.
  const showsRecent = hasControl && credentials !== null;
  return htmlPage(
    { title: 'crossborder-sandbox', styles: '/docs/assets/docs.css', ...(showsRecent ? { script: '/docs/assets/start.js' } : {}) },
    html`
      <main class="page">
        <h1>crossborder-sandbox</h1>
        <p>A sandbox of a cross-border payments API. It is running, and this is its base URL: <code>${baseUrl}</code></p>
        <h2>Read</h2>
        <ul>
          <li>
            <a href="/docs">The API reference and the guides</a>: <a href="/docs/guides/first-payment">your first payment</a>,
            <a href="/docs/guides/receive-webhooks">your first webhook</a>, <a href="/docs/guides/test-with-vitest">your first test</a>,
            <a href="/docs/guides/how-do-i">how do I…?</a>, <a href="/docs/guides/index">every page</a>
          </li>
          <li>
            Look up: <a href="/docs/guides/fixtures">accounts, beneficiaries and rates</a>,
            <a href="/docs/guides/force-outcomes">amounts that make a payment fail</a>, <a href="/docs/guides/errors">errors</a>,
            <a href="/docs/findings">checks of your client</a>
          </li>
          <li>
            To copy: <a href="/docs/guides/index#recipes">recipes</a> for CI, containers, tests and clients, and
            <a href="/docs/guides/index#fixtures">the files of the fixtures</a>
          </li>
          <li>
            For programs: <a href="/openapi.json">openapi.json</a>, <a href="/openapi.yaml">openapi.yaml</a>,
            <a href="/llms.txt">llms.txt</a>
          </li>
          ${
            hasControl
              ? html`<li><a href="/_sandbox/console">The console</a>: see what happens, and force outcomes</li>
                  <li>Test control: <a href="/_sandbox/openapi.json">the OpenAPI document of the control API</a></li>`
              : ''
          }
        </ul>
        <h2>Credentials</h2>
        ${
          credentials
            ? html`<p>
                Client id <code>${credentials.clientId}</code>, client secret <code>${credentials.clientSecret}</code>. They select the
                world <code>default</code>; <a href="/docs/guides/isolate-tests">other worlds</a> have their own.
              </p>`
            : html`<p>The operator of this sandbox gives you the client id and the client secret of your world.</p>`
        }
        <h2>Try it</h2>
        <pre class="text" tabindex="0">${command}</pre>
        <p>The response contains an access token. Send it with every other request: <code>Authorization: Bearer …</code>.</p>
        ${
          showsRecent
            ? html`<section id="recent" hidden>
                <h2>What happened last</h2>
                <ul>
                  <li>No requests yet.</li>
                </ul>
                <p><a href="/_sandbox/console/default/timeline">All events in the console</a></p>
              </section>`
            : ''
        }
      </main>
    `,
  );
}
