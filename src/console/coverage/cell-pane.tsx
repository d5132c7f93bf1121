import type { JSX } from 'preact';
import type { CoverageItem, CoverageView, ReproductionStep } from '../../contract/control/analysis/coverage.js';
import { call } from '../api.js';
import { callAsCurl, type ApiCall } from '../api-calls.js';
import { Button, CopyButton } from '../parts/button.js';
import { shortTime } from '../parts/timestamp.js';
import { useLoaded } from '../parts/loaded.js';
import { Facts, Section, Text } from '../parts/section.js';
import { presentationOf } from './looks.js';

function callOf({ method, path, body }: ReproductionStep): ApiCall {
  const isControl = path.startsWith('/_sandbox/');
  return {
    plane: isControl ? 'control' : 'public',
    method,
    path,
    body: body === undefined ? null : JSON.stringify(body, null, 2),
    key: isControl || method === 'GET' || path.endsWith('/token') ? null : crypto.randomUUID(),
  };
}

/** A coverage item: its state, and the requests that cover it. @param id dimension and id of the item: `statuses/createQuote.503` */
export function CellPane({ id }: { readonly id: string }): JSX.Element {
  const { value, error } = useLoaded<CoverageView>('/coverage?tier=all', ['REQUEST', 'ATTEMPT', 'WORLD']);
  const [dimension = '', ...rest] = id.split('/');
  const cells: readonly CoverageItem[] = Object.entries(value?.dimensions ?? {}).find(([name]) => name === dimension)?.[1].items ?? [];
  const cell = cells.find((each) => each.id === rest.join('/'));
  if (cell === undefined) return <p role="status">{error ?? (value === null ? 'Loading…' : 'There is no such coverage item.')}</p>;
  const { tone, sign, word } = presentationOf(cell);
  const { how, steps = [], count, firstAt, test } = cell;
  return (
    <>
      <h2>
        {cell.id}
        <span class={`status ${tone}`}>
          {sign} {word}
        </span>
      </h2>
      {how !== undefined && <p>{how}</p>}
      {count > 0 && (
        <Section title="Covered">
          <Facts
            of={[
              ['times', String(count)],
              ['first', firstAt === null ? '—' : shortTime(firstAt)],
              ['test', test ?? 'none was marked'],
            ]}
          />
        </Section>
      )}
      {steps.length > 0 && (
        <Section title="How to cover this item">
          <ol class="steps">
            {steps.map((step, index) => (
              <Step key={index} step={step} />
            ))}
          </ol>
        </Section>
      )}
    </>
  );
}

/** A step towards a coverage item. The page can send control requests; your client should send requests to the public API. */
function Step({ step }: { readonly step: ReproductionStep }): JSX.Element {
  const request = callOf(step);
  const { plane, method, path, body } = request;
  const isOpen = `${path}${body ?? ''}`.includes('{') && /\{\w+\}/.test(`${path}${body ?? ''}`);
  return (
    <li>
      <code>
        {method} {path}
      </code>
      {body !== null && <Text text={body} label={`Body of ${method} ${path}`} />}
      <div class="moves">
        {plane === 'control' && (
          <Button
            act={() => call(method, path.slice('/_sandbox'.length), step.body)}
            done={`Sent ${method} ${path}.`}
            impossible={isOpen ? 'Copy this request, and replace the text in braces by your own value.' : undefined}
            primary
          >
            Send
          </Button>
        )}
        <CopyButton text={() => callAsCurl(request)}>Copy as curl</CopyButton>
        {plane === 'public' && <span class="dim">for your client to send</span>}
      </div>
    </li>
  );
}
