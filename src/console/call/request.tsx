import type { JSX } from 'preact';
import type { RecordedCall } from '../../contract/control/analysis/record.js';
import { hasId } from '../../contract/shared/kinds.js';
import { Button } from '../parts/button.js';
import { CopyAs } from '../parts/copy-as.js';
import { shortTime } from '../parts/timestamp.js';
import { PaneLink } from '../parts/pane-link.js';
import { resourcePane } from '../parts/resource-pane.js';
import { Facts, Section, Text } from '../parts/section.js';
import { Status } from '../parts/status.js';
import { canSend, docsUrl, send, type ApiCall } from '../api-calls.js';
import { show } from '../router.js';
import { inWords } from '../parts/words.js';

export const callOf = ({ kind, method, url, body, idempotencyKey }: RecordedCall): ApiCall => ({
  plane: kind === 'CONTROL' ? 'control' : 'public',
  method,
  path: url,
  body: body?.text ?? null,
  key: idempotencyKey,
});

/** Sends a recorded request again, and shows the new one in the inspector. @param sameKey whether to reuse the idempotency key */
export async function sendAgain(entry: RecordedCall, sameKey: boolean): Promise<void> {
  const call = callOf(entry);
  const { requestId } = await send({ ...call, key: call.key === null || sameKey ? call.key : crypto.randomUUID() });
  if (requestId !== null) show(`calls/${requestId}`);
}

/** True if `why` explains resources of this kind by their id. */
const isExplained = (resource: string): boolean => hasId(resource) || resource === 'DELIVERY' || resource === 'LEDGER_ENTRY';

/** A recorded request with its response and its effects. */
export function Request({ entry }: { readonly entry: RecordedCall }): JSX.Element {
  const { method, path, status, response, idempotencyKey, caused, body } = entry;
  const isWhole = body?.truncated !== true && body?.file === undefined;
  const impossible = canSend()
    ? isWhole
      ? undefined
      : 'Only a part of the request body is stored.'
    : 'The API has another origin than this page. Copy the request as curl.';
  return (
    <>
      <h2>
        <span class="mono">{method}</span> {path}
        {status !== null && <Status of={String(status)} />}
      </h2>
      {entry.kind === 'REQUEST' && (
        <div class="moves">
          <Button act={() => sendAgain(entry, true)} done={`Sent ${method} ${path} again.`} primary impossible={impossible}>
            {idempotencyKey === null ? 'Send again' : 'Send again, same key'}
          </Button>
          {idempotencyKey !== null && (
            <Button act={() => sendAgain(entry, false)} done={`Sent ${method} ${path} again with a new key.`} impossible={impossible}>
              Send again with a new key
            </Button>
          )}
          <CopyAs call={callOf(entry)} />
        </div>
      )}
      <CallFacts entry={entry} />
      {caused.length > 0 && (
        <Section title="Caused">
          <ul class="plain">
            {caused.map(({ resource, id }) => {
              const what = (
                <>
                  {inWords(resource)} <code>{id.slice(0, 8)}</code>
                </>
              );
              const link = <PaneLink to={resourcePane(resource, id)}>{what}</PaneLink>;
              return <li key={`${resource}${id}`}>{isExplained(resource) ? link : what}</li>;
            })}
          </ul>
        </Section>
      )}
      {body !== null && (
        <Section title={`Request, ${body.bytes} bytes${body.truncated ? ', its beginning' : ''}`}>
          {body.file && <Facts of={Object.entries(body.file).map(([name, value]) => [name, String(value)])} />}
          {body.text !== '' && <Text text={body.text} label="Request body" />}
        </Section>
      )}
      {response?.body && (
        <Section title={`Response, ${response.body.bytes} bytes${response.body.truncated ? ', its beginning' : ''}`}>
          <Text text={response.body.text} label="Response body" />
        </Section>
      )}
    </>
  );
}

function CallFacts({ entry }: { readonly entry: RecordedCall }): JSX.Element {
  const { operationId, at, startedAt, durationMs, idempotencyKey, connection, code, response, unknown } = entry;
  const facts: (readonly [string, JSX.Element | string] | false)[] = [
    [
      'operation',
      operationId === null ? 'not in the contract' : <a href={docsUrl(entry.kind === 'CONTROL', operationId)}>{operationId}</a>,
    ],
    ['at', `${at === null ? '' : shortTime(at)} (real ${shortTime(startedAt)})`],
    ['took', durationMs === null ? 'in progress' : `${durationMs} ms`],
    ['key', idempotencyKey ?? 'none'],
    ['connection', String(connection ?? '—')],
    code !== null && ['code', <code key="code">{code}</code>],
    Boolean(response?.ruleId) && ['rule', response!.ruleId!],
    response !== null && response.outcome !== 'DELIVERED' && ['response', <Status key="outcome" of={response.outcome} />],
    response?.replay === true && ['replay', 'the stored response to an earlier request'],
    unknown.length > 0 && ['unknown', unknown.join(', ')],
  ];
  return (
    <Section title="Call">
      <Facts of={facts.filter((fact) => fact !== false)} />
    </Section>
  );
}
