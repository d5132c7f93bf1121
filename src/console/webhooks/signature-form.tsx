import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { SignatureCheck } from '../../contract/control/signatures.js';
import { call } from '../api.js';
import { runAction } from '../notices.js';
import { Dialog } from '../parts/dialog.js';

/** Returns the headers in a text with one header per line: `X-Message-Id: …`. */
function headersIn(text: string): Record<string, string> {
  const lines = text.split('\n').map((line) => /^\s*([^:\s]+):\s*(.*)$/.exec(line));
  return Object.fromEntries(lines.filter((match) => match !== null).map(([, name = '', value = '']) => [name, value.trim()]));
}

/** A form that checks the signature of a webhook, and shows which part is invalid. */
export function SignatureForm(): JSX.Element {
  const [open, setOpen] = useState(false);
  const [headers, setHeaders] = useState('');
  const [body, setBody] = useState('');
  const [result, setResult] = useState<SignatureCheck | null>(null);
  const check = () =>
    runAction(async () => setResult(await call<SignatureCheck>('POST', '/signatures/check', { headers: headersIn(headers), body })));
  return (
    <>
      <button type="button" class="button" onClick={() => setOpen(true)}>
        Check a signature
      </button>
      <Dialog title="Check a signature" open={open} close={() => setOpen(false)}>
        <form class="form" onSubmit={(event) => (event.preventDefault(), void check())}>
          <label>
            Headers, one per line
            <textarea
              rows={5}
              value={headers}
              placeholder="X-Message-Id: …"
              onInput={({ currentTarget }) => setHeaders(currentTarget.value)}
            />
          </label>
          <label>
            Body, unchanged
            <textarea rows={6} value={body} onInput={({ currentTarget }) => setBody(currentTarget.value)} />
          </label>
          <button type="submit" class="button primary">
            Check
          </button>
        </form>
        <p role="status">{result === null ? '' : `${result.valid ? '✓' : `✕ ${result.part}:`} ${result.message}`}</p>
      </Dialog>
    </>
  );
}
