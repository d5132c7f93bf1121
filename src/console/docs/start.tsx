import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { credentials, givenCredentials, publicUrl } from '../api-calls.js';
import { setToken } from '../api.js';
import { Facts, Text } from '../parts/section.js';
import { tokenCommand } from '../timeline/first-steps.js';
import type { Contract } from './document.js';
import { Prose } from './prose.js';

/** The start of the documentation: the base URL, the credentials, and the first request. */
export function Start({ contract: { title, description, version } }: { readonly contract: Contract }): JSX.Element {
  const known = credentials();
  const command = tokenCommand(publicUrl(), known);
  return (
    <section class="start">
      <h2>{title}</h2>
      <Facts
        of={[
          ['base URL', <code key="url">{publicUrl()}</code>],
          [
            'credentials',
            known === null ? (
              <span key="none">your own: a sandbox with a control token shows no credentials</span>
            ) : (
              <code key="known">
                {known.clientId} / {known.clientSecret}
              </code>
            ),
          ],
          [
            'contract',
            <span key="contract">
              version {version}, <a href="/openapi.json">openapi.json</a>, <a href="/openapi.yaml">openapi.yaml</a>
            </span>,
          ],
        ]}
      />
      <Text text={command} label="How to get an access token" />
      <Prose text={description} />
    </section>
  );
}

/** A form for the client credentials, if the page does not have any. */
export function CredentialsForm(): JSX.Element | null {
  const [given, setGiven] = useState({ clientId: '', clientSecret: '' });
  if (credentials() !== null) return null;
  return (
    <form class="form" onSubmit={(event) => (event.preventDefault(), (givenCredentials.value = given))}>
      <label>
        Client id
        <input type="text" value={given.clientId} onInput={({ currentTarget }) => setGiven({ ...given, clientId: currentTarget.value })} />
      </label>
      <label>
        Client secret
        <input
          type="password"
          autocomplete="off"
          value={given.clientSecret}
          onInput={({ currentTarget }) => setGiven({ ...given, clientSecret: currentTarget.value })}
        />
      </label>
      <button type="submit" class="button">
        Use them
      </button>
    </form>
  );
}

/** A form for the control token, which the document of the control API requires. */
export function ControlTokenForm(): JSX.Element {
  const [value, setValue] = useState('');
  return (
    <form class="moves" onSubmit={(event) => (event.preventDefault(), setToken(value))}>
      <label>
        Control token{' '}
        <input type="password" autocomplete="off" value={value} onInput={({ currentTarget }) => setValue(currentTarget.value)} />
      </label>
      <button type="submit" class="button">
        Show it
      </button>
      <span class="dim">The token is the value of SANDBOX_CONTROL_TOKEN. It stays in this tab.</span>
    </form>
  );
}
