import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}
interface Ref {
  readonly $ref?: string;
}
interface Parameter extends Ref {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}
interface Media {
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Response extends Ref {
  readonly description: string;
  readonly content?: Readonly<Record<string, Media>>;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Response>>;
}

/** As much of the document as the page shows. */
export interface ShownDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const style = `:root{color-scheme:light dark;--line:#8884;--soft:#8881;background:light-dark(#fff,#121212);color:light-dark(#1b1b1b,#e8e8e8)}
a{color:light-dark(#0645ad,#8ab4f8)}
*{box-sizing:border-box}body{margin:0;overflow-wrap:break-word;font:16px/1.5 system-ui,sans-serif;display:grid;grid-template-columns:17rem minmax(0,1fr)}
nav{overflow-wrap:anywhere;position:sticky;top:0;height:100vh;overflow:auto;padding:1rem;border-right:1px solid var(--line);font-size:.9rem}
nav ul{list-style:none;margin:0 0 1rem;padding:0}main{padding:1rem 2rem 4rem;max-width:70rem}
h2{margin-top:3rem;border-bottom:1px solid var(--line)}article{margin:2rem 0;scroll-margin-top:1rem}code,pre{font:.88em/1.45 ui-monospace,monospace}
pre{background:var(--soft);padding:.75rem;overflow:auto;border-radius:.4rem}.method{font-weight:700;text-transform:uppercase;margin-right:.5rem}
table{border-collapse:collapse;width:100%;margin:.5rem 0}th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid var(--line)}
th{font-weight:600}summary{cursor:pointer}@media(max-width:50rem){body{display:block}nav{position:static;height:auto;border:0}main{padding:1rem}
table,tbody,tr,td{display:block}th{display:none}td{padding:.1rem 0;border:0}tr{padding:.3rem 0;border-bottom:1px solid var(--line)}}`;

/** The document as a page to read: no script, nothing from elsewhere. */
export function docsPage(document: ShownDocument): Html {
  const { schemas } = document.components;
  const resolve = <T extends Ref>(value: T): T => {
    if (value.$ref === undefined) return value;
    const steps = value.$ref.split('/').slice(1);
    return steps.reduce<unknown>((each, name) => (each as Record<string, unknown>)[name], document) as T;
  };
  const operations = [
    ...Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    ),
    ...Object.entries(document.webhooks).flatMap(([path, methods]) =>
      Object.values(methods).map((operation) => ({ path, method: 'webhook', operation })),
    ),
  ];
  const ofTag = (tag: string) => operations.filter(({ operation }) => operation.tags.includes(tag));
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${document.info.title}</title>
        <link rel="icon" href="data:," />
        <style>
          ${raw(style)}
        </style>
      </head>
      <body>
        <nav aria-label="Operations">
          ${document.tags.map(
            (tag) =>
              html`<strong><a href="#${tag.name}">${tag.name}</a></strong>
                <ul>
                  ${ofTag(tag.name).map(({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`)}
                </ul>`,
          )}<strong><a href="#schemas">Shapes</a></strong>
        </nav>
        <main>
          <h1>${document.info.title}</h1>
          ${document.info.description.split('\n\n').map((paragraph) => html`<p>${prose(paragraph)}</p>`)}
          <p>
            Version ${document.info.version}. For programs: <a href="/openapi.json">openapi.json</a>,
            <a href="/openapi.yaml">openapi.yaml</a>.
          </p>
          ${document.tags.map(
            (tag) =>
              html`<section aria-labelledby="${tag.name}">
                <h2 id="${tag.name}">${tag.name}</h2>
                <p>${prose(tag.description)}</p>
                ${ofTag(tag.name).map(({ path, method, operation }) => operationPart(path, method, operation, resolve))}
              </section>`,
          )}
          <section aria-labelledby="schemas">
            <h2 id="schemas">Shapes</h2>
            ${Object.entries(schemas)
              .toSorted(([a], [b]) => (a < b ? -1 : 1))
              .map(([name, schema]) => schemaPart(name, schema))}
          </section>
        </main>
      </body>
    </html>`;
}

function operationPart(path: string, method: string, operation: Operation, resolve: <T extends Ref>(value: T) => T): Html {
  const parameters = (operation.parameters ?? []).map(resolve);
  const body = Object.entries(operation.requestBody?.content ?? {});
  return html`<article id="${operation.operationId}">
    <h3>${operation.summary}</h3>
    <p><span class="method">${method}</span><code>${path}</code></p>
    ${operation.description === undefined ? '' : html`<p>${prose(operation.description)}</p>`}
    ${
      parameters.length === 0
        ? ''
        : html`<table>
            <tr>
              <th>Parameter</th>
              <th>Type</th>
              <th>Meaning</th>
            </tr>
            ${parameters.map(
              (each) =>
                html`<tr>
                  <td><code>${each.name}</code><br /><small>${each.in}${each.required ? ', required' : ''}</small></td>
                  <td>${typePart(each.schema)}</td>
                  <td>${prose(each.description ?? '')}</td>
                </tr>`,
            )}
          </table>`
    }
    ${body.map(([type, media]) => mediaPart(`Body, ${type}`, media))}
    ${Object.entries(operation.responses).map(([status, given]) => {
      const { description, content } = resolve(given);
      return Number(status) >= 400
        ? html`<p><strong>${status}</strong> ${description}</p>`
        : html`<p><strong>${status}</strong> ${description}</p>
            ${Object.values(content ?? {}).map((media) => mediaPart('Answer', media))}`;
    })}
  </article>`;
}

function mediaPart(title: string, { schema, examples = {} }: Media): Html {
  const [example] = Object.values(examples);
  return html`<p>${title}: ${schema ? typePart(schema) : ''}</p>
    ${
      example === undefined
        ? ''
        : html`<details open>
            <summary>Example</summary>
            <pre tabindex="0">${JSON.stringify(example.value, null, 2)}</pre>
          </details>`
    }`;
}

function schemaPart(name: string, schema: Schema): Html {
  const fields = Object.entries(schema.properties ?? {});
  return html`<article id="schema-${name}">
    <h3>${name}</h3>
    ${schema.description === undefined ? '' : html`<p>${prose(schema.description)}</p>`}
    ${
      fields.length === 0
        ? html`<p>${typePart(schema)}</p>`
        : html`<table>
            <tr>
              <th>Field</th>
              <th>Type</th>
              <th>Meaning</th>
            </tr>
            ${fields.map(
              ([field, each]) =>
                html`<tr>
                  <td><code>${field}</code>${schema.required?.includes(field) ? '' : html`<br /><small>optional</small>`}</td>
                  <td>${typePart(each)}</td>
                  <td>${prose(each.description ?? '')}</td>
                </tr>`,
            )}
          </table>`
    }
  </article>`;
}

/** A text with its `code` set as such. */
function prose(text: string): Html {
  return html`${text.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`;
}

/** The type of a schema in a few words, with links to the shapes it names. */
function typePart(schema: Schema): Html {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    return html`<a href="#schema-${name}">${name}</a>`;
  }
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return html`${choices.map((each, index) => html`${index > 0 ? ' or ' : ''}${typePart(each)}`)}`;
  if (schema.allOf?.[0]) return typePart(schema.allOf[0]);
  if (schema.items) return html`list of ${typePart(schema.items)}`;
  const values = schema.const === undefined ? schema.enum : [schema.const];
  if (values) return html`<code>${values.map(String).join(' | ')}</code>`;
  const type = [schema.type ?? 'any value'].flat().join(' or ');
  const range = schema.minimum === undefined && schema.maximum === undefined ? '' : `, ${schema.minimum ?? ''} to ${schema.maximum ?? ''}`;
  const initial = schema.default === undefined ? '' : `, ${JSON.stringify(schema.default)} by default`;
  return html`${schema.format ?? type}${range}${initial}`;
}
