import type { JSX } from 'preact';
import { CopyButton } from '../parts/button.js';
import { Section, Text } from '../parts/section.js';
import { Status } from '../parts/status.js';
import { callAsCurl } from '../api-calls.js';
import { fill } from '../try-it/fill.js';
import { sendableOf } from './draft.js';
import { anchorOf, type Media, type Operation, type PlaneName, type Schema } from './document.js';
import { Prose } from './prose.js';
import { Fields, Shape, Type } from './shape.js';
import { contracts } from './state.js';

/** The contract of an operation. @param tryIt opens the form that sends the operation; undefined if it cannot be sent */
export function OperationPart({
  operation,
  tryIt,
}: {
  readonly operation: Operation;
  readonly tryIt: (() => void) | undefined;
}): JSX.Element {
  const { plane, method, path, summary, description, parameters, requestBody, responses } = operation;
  const codeLink = (word: string) =>
    word === 'INVALID_DATA'
      ? `#${anchorOf(plane, 'schema', 'InvalidData')}`
      : /^[A-Z]+(_[A-Z]+)+$/.test(word)
        ? `#${anchorOf(plane, 'error', word)}`
        : null;
  const answers = Object.entries(responses);
  return (
    <div class="operation">
      {description !== undefined && <Prose text={description} />}
      {tryIt !== undefined && (
        <div class="moves">
          <button type="button" class="button primary" aria-label={`Try it: ${summary}`} onClick={tryIt}>
            Try it
          </button>
          <CopyButton text={() => callAsCurl(fill(sendableOf(operation), null))}>Copy as curl</CopyButton>
        </div>
      )}
      {parameters.length > 0 && (
        <Section title="Parameters">
          <Fields
            plane={plane}
            fields={parameters.map(({ name, in: place, required, schema, description: text = '' }) => ({
              name,
              schema,
              description: text,
              note: `${place}${required ? ', required' : ''}`,
            }))}
          />
        </Section>
      )}
      {Object.entries(requestBody?.content ?? {}).map(([type, media]) => (
        <Section key={type} title={method === 'EVENT' ? 'Payload' : 'Body'}>
          <Body
            media={media}
            plane={plane}
            label={`Example of the body of ${method} ${path}`}
            note={type === 'application/json' ? '' : type}
            hasFields
          />
        </Section>
      ))}
      <Section title={method === 'EVENT' ? 'How to respond' : 'Responses'}>
        {answers.map(([status, { description: text, content }]) => (
          <div key={status} class="answer">
            <Status of={status} />
            <div>
              <Prose text={text} linkOf={codeLink} />
              {Number(status) < 400 &&
                Object.values(content ?? {}).map((media, index) => (
                  <Body key={index} media={media} plane={plane} label={`Example of the response ${status} of ${method} ${path}`} />
                ))}
            </div>
          </div>
        ))}
      </Section>
    </div>
  );
}

/** The type of a body, with its first example folded below. */
function Body({
  media: { schema, examples = {} },
  plane,
  label,
  note = '',
  hasFields = false,
}: {
  readonly media: Media;
  readonly plane: Operation['plane'];
  readonly label: string;
  readonly note?: string;
  /** Whether to list the fields of the body. */
  readonly hasFields?: boolean;
}): JSX.Element {
  const [example] = Object.values(examples);
  return (
    <>
      <p>
        {schema !== undefined && <Type of={schema} plane={plane} />} {note !== '' && <span class="dim">{note}</span>}
      </p>
      {hasFields && schema !== undefined && <BodyFields schema={schema} plane={plane} />}
      {example !== undefined && (
        <details>
          <summary>Example</summary>
          <Text text={JSON.stringify(example.value)} label={label} />
        </details>
      )}
    </>
  );
}

/** The fields of a body, or of each variant of the body. */
function BodyFields({ schema, plane }: { readonly schema: Schema; readonly plane: PlaneName }): JSX.Element | null {
  const shapes = contracts.value.find((contract) => contract.plane === plane)?.shapes ?? [];
  const resolve = ({ $ref, ...rest }: Schema): Schema =>
    $ref === undefined ? rest : (shapes.find(({ name }) => $ref.endsWith(`/${name}`))?.schema ?? rest);
  const whole = resolve(schema);
  const variants = whole.oneOf ?? whole.anyOf;
  if (variants === undefined)
    return whole.properties === undefined ? null : (
      <Shape schema={{ properties: whole.properties, required: whole.required ?? [] }} plane={plane} />
    );
  return (
    <>
      {variants.map((variant, index) => (
        <details key={index}>
          <summary>
            Fields of <Type of={variant} plane={plane} />
          </summary>
          <Shape schema={resolve(variant)} plane={plane} />
        </details>
      ))}
    </>
  );
}
