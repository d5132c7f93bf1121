import type { JSX } from 'preact';
import { anchorOf, type PlaneName, type Schema } from './document.js';
import { Prose, TextWithCode } from './prose.js';

/** The type of a schema in a few words, with links to referenced schemas. */
export function Type({ of: schema, plane }: { readonly of: Schema; readonly plane: PlaneName }): JSX.Element {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    return <a href={`#${anchorOf(plane, 'schema', name)}`}>{name}</a>;
  }
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) {
    return (
      <>
        {choices.map((each, index) => (
          <span key={index}>
            {index > 0 ? ' or ' : ''}
            <Type of={each} plane={plane} />
          </span>
        ))}
      </>
    );
  }
  if (schema.allOf?.[0]) return <Type of={schema.allOf[0]} plane={plane} />;
  if (schema.items)
    return (
      <>
        list of <Type of={schema.items} plane={plane} />
      </>
    );
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (values) return <code>{values.map(String).join(' | ')}</code>;
  const type = [schema.type ?? 'any value'].flat().join(' or ');
  const range = schema.minimum === undefined && schema.maximum === undefined ? '' : `, ${schema.minimum ?? ''} to ${schema.maximum ?? ''}`;
  const initial = schema.default === undefined ? '' : `, ${JSON.stringify(schema.default)} by default`;
  return <>{`${schema.format ?? type}${range}${initial}`}</>;
}

/** A field of a schema, or a parameter of an operation. */
export interface Field {
  readonly name: string;
  /** Location of a parameter and `required`, or `optional` for a field; empty for a required field. */
  readonly note: string;
  readonly schema: Schema;
  readonly description: string;
}

export function Fields({ fields, plane }: { readonly fields: readonly Field[]; readonly plane: PlaneName }): JSX.Element {
  return (
    <dl class="fields">
      {fields.map(({ name, note, schema, description }) => (
        <div key={`${name}${note}`}>
          <dt>
            <code>{name}</code> {note !== '' && <span class="dim">{note}</span>}
          </dt>
          <dd>
            <span class="type">
              <Type of={schema} plane={plane} />
            </span>{' '}
            <TextWithCode text={description} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The fields of a schema. */
export function Shape({ schema, plane }: { readonly schema: Schema; readonly plane: PlaneName }): JSX.Element {
  const { properties = {}, required = [], description } = schema;
  const fields = Object.entries(properties).map(([name, each]) => ({
    name,
    schema: each,
    note: required.includes(name) ? '' : 'optional',
    description: each.description ?? '',
  }));
  return (
    <>
      {description !== undefined && <Prose text={description} />}
      {fields.length === 0 ? (
        <p>
          <Type of={schema} plane={plane} />
        </p>
      ) : (
        <Fields fields={fields} plane={plane} />
      )}
    </>
  );
}
