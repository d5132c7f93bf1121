import { versions } from '../contract/versions/versions.js';
import { publicDocument } from '../http/document.js';
import { resolved, type Json as Document } from './documents.js';
import { valueText, type Json } from './json-words.js';
import { code, row, table } from './markdown.js';

/** Enumerations that are told elsewhere: the codes of errors in their own tables, countries by the standard that has them. */
const toldElsewhere = new Set(['Country', 'ErrorCode', 'ErrorItemCode']);

/** Enumerations that are longer are named, and told once. */
const spelledOut = 6;

interface Field {
  readonly value: string;
  readonly meaning: string;
  /** What may be in its place: it may be missing, or be null. */
  readonly lack: 'missing' | 'null' | null;
  /** What holds for some shapes of a union alone. */
  readonly remarks: readonly string[];
}

/** The document's schema with what it refers to in its place; what stands beside a reference goes first. */
function inlined(document: Document, schema: Document): Document {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map((each) => inlined(document, each));
  const { $ref, ...own } = schema as Record<string, Document>;
  const beside = Object.fromEntries(Object.entries(own).map(([name, each]) => [name, inlined(document, each)]));
  if ($ref === undefined) return beside;
  const referred = resolved(document, { $ref });
  const name = ($ref as string).split('/').at(-1)!;
  const isLong = referred.enum?.length > spelledOut && !toldElsewhere.has(name);
  return { ...inlined(document, referred), ...(isLong ? { title: `[${name}](#codes)` } : {}), ...beside };
}

/** A schema without the null that it may be, and whether it may. */
function withoutNull(schema: Json): [schema: Json, isNullable: boolean] {
  if (Array.isArray(schema.type)) {
    const type = (schema.type as string[]).find((each) => each !== 'null');
    return [{ ...schema, type: type! }, true];
  }
  const variants = schema.anyOf?.filter((each) => each.type !== 'null');
  if (variants === undefined || variants.length === schema.anyOf!.length) return [schema, false];
  const { anyOf: _, ...beside } = schema;
  return [variants.length === 1 ? { ...variants[0]!, ...beside } : { ...beside, anyOf: variants }, true];
}

/** What tells a shape of a union from the others: the values that it fixes. */
const shapeName = ({ properties = {} }: Json) =>
  Object.values(properties)
    .flatMap(({ const: fixed }) => (typeof fixed === 'string' ? [fixed] : []))
    .join(' ');

/** The first paragraph of a description. */
const inShort = (description = '') => description.split('\n')[0]!;

/** All fields of a schema by their dotted paths; lists and unions are walked through, and fields of one path are taken together. */
function fieldsOf(given: Json, path = '', isAbsent = false): Map<string, Field> {
  const [schema, isNullable] = withoutNull(given);
  const lack = isAbsent ? 'missing' : isNullable ? 'null' : null;
  const own = (value: string): Field => ({ value, meaning: inShort(schema.description), lack, remarks: [] });
  const itself = (value: string) => new Map(path === '' ? [] : [[path, own(value)]]);
  const parts = (schema.oneOf ?? schema.anyOf ?? schema.allOf ?? []).filter((each) => each.properties);
  if (schema.properties) {
    const fields = Object.entries(schema.properties).map(([name, each]) =>
      fieldsOf(each, path === '' ? name : `${path}.${name}`, !(schema.required ?? []).includes(name)),
    );
    return new Map([...itself('an object'), ...fields.flatMap((each) => [...each])]);
  }
  if (parts.length > 0) {
    const shapes = parts.map((each): Shape => ({ name: shapeName(each), fields: fieldsOf({ ...each, description: '' }, path) }));
    return new Map([...(schema.allOf ? new Map(shapes.flatMap(({ fields }) => [...fields])) : taken(shapes)), ...itself('an object')]);
  }
  if (schema.items?.properties ?? schema.items?.oneOf) {
    return new Map([...itself('a list'), ...[...fieldsOf(schema.items, `${path}[]`)].filter(([each]) => each !== `${path}[]`)]);
  }
  return itself(valueText(schema));
}

interface Shape {
  readonly name: string;
  readonly fields: ReadonlyMap<string, Field>;
}

/** The fields of all shapes of a union, each with what holds for some of them alone. */
function taken(shapes: readonly Shape[]): Map<string, Field> {
  const paths = new Set(shapes.flatMap(({ fields }) => [...fields.keys()]));
  const withField = (path: string) => shapes.filter(({ fields }) => fields.has(path));
  const aroundOf = (path: string) => (paths.has(parentOf(path)) ? withField(parentOf(path)) : shapes);
  return new Map([...paths].map((path) => [path, takenField(path, withField(path), aroundOf(path))]));
}

const parentOf = (path: string) => path.replace(/(\[\])?\.[^.]+$/, '');
const namesOf = (shapes: readonly Shape[]) => shapes.map(({ name }) => name).join(', ');

/** @param having the shapes with the field; @param around those with the object that it stands in */
function takenField(path: string, having: readonly Shape[], around: readonly Shape[]): Field {
  const found = having.map(({ fields }) => fields.get(path)!);
  const meanings = [...new Set(found.map(({ meaning }) => meaning))];
  const saying = (meaning: string) => namesOf(having.filter((_, index) => found[index]!.meaning === meaning));
  const lacking = having.filter((_, index) => found[index]!.lack !== null);
  const isTag = found.every(({ value }) => /^`\w+`$/.test(value));
  const remarks = [
    ...(having.length < around.length && (isTag || meanings.length === 1) ? [`For ${namesOf(having)}.`] : []),
    ...(lacking.length > 0 && lacking.length < having.length ? [`Optional for ${namesOf(lacking)}.`] : []),
    ...new Set(found.flatMap((each) => each.remarks)),
  ];
  return {
    value: [...new Set(found.flatMap(({ value }) => value.split(', ')))].join(', '),
    meaning: isTag
      ? ''
      : meanings.length === 1
        ? meanings[0]!
        : meanings.map((each) => `${saying(each) || 'Otherwise'}: ${each}`).join(' '),
    lack: lacking.length === having.length ? found[0]!.lack : null,
    remarks,
  };
}

/** A table of all fields of a schema, with the words for what may be missing, and for what may be null. */
function fieldTable(document: Document, schema: Document, words: Readonly<Record<'missing' | 'null', string>>): string {
  const rows = [...fieldsOf(inlined(document, schema) as Json)].map(([path, { value, meaning, lack, remarks }]) =>
    row(code(path), value + (lack ? words[lack] : ''), [meaning, ...remarks].filter(Boolean).join(' ')),
  );
  return table(['field', 'value', 'meaning'], rows);
}

const inRequests = { missing: ', optional', null: ', optional' };
const inAnswers = { missing: ', or missing', null: ', or null' };

interface Call {
  readonly title: string;
  readonly operation: Document;
  /** The name of the schema that it answers with, and how the table of calls says so. */
  readonly answers: string | null;
  readonly status: string;
  readonly isList: boolean;
}

function callsOf(document: Document): Call[] {
  return Object.entries<Document>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Document>(methods).map(([method, operation]) => {
      const [status, response] = Object.entries<Document>(operation.responses).find(([each]) => each < '300')!;
      const schema = response.content?.['application/json'].schema;
      const items = resolved(document, schema)?.properties?.data?.items;
      const answers = (items ?? schema)?.$ref.split('/').at(-1) ?? null;
      return { title: `${method.toUpperCase()} ${path}`, operation, answers, status, isList: items !== undefined };
    }),
  );
}

/** Parameters of the query that are not those of every list. */
const ownParameters = (document: Document, { operation, isList }: Call): Document[] =>
  (operation.parameters as Document[])
    .map((each) => resolved(document, each))
    .filter((each) => each.in === 'query' && !(isList && /^(limit|cursor|direction|sortOrder|filters)$/.test(each.name)));

function callText(document: Document, call: Call): string {
  const { title, operation } = call;
  const parameters = ownParameters(document, call).map(({ name, required, description, schema }) =>
    row(code(name), valueText(inlined(document, schema)) + (required ? '' : ', optional'), inShort(description)),
  );
  const [body] = Object.values<Document>(operation.requestBody?.content ?? {});
  return [
    `### ${title}`,
    operation.description ?? `${operation.summary}.`,
    ...(parameters.length === 0 ? [] : [table(['parameter', 'value', 'meaning'], parameters)]),
    ...(body ? [fieldTable(document, body.schema, inRequests)] : []),
  ].join('\n\n');
}

/** The generated parts of the page about the public API, by the names of their marks. */
export function apiTables(): Readonly<Record<string, string>> {
  const document: Document = JSON.parse(publicDocument(versions[0]!).json());
  const calls = callsOf(document);
  const answered = [...new Set(calls.flatMap(({ answers }) => answers ?? []))];
  const schemas = document.components.schemas as Record<string, Document>;
  const link = (name: string) => `[${name}](#${name.toLowerCase()})`;
  return {
    calls: table(
      ['call', 'what it does', 'answers'],
      calls.map(({ title, operation, answers, status, isList }) =>
        row(code(title), operation.summary, `${status}${answers ? `, ${isList ? 'a page of ' : ''}${link(answers)}` : ', no body'}`),
      ),
    ),
    requests: calls
      .filter((call) => call.operation.requestBody || ownParameters(document, call).length > 0)
      .map((call) => callText(document, call))
      .join('\n\n'),
    answers: answered
      .map(
        (name) =>
          `### ${name}\n\n${schemas[name].description}\n\n${fieldTable(document, { $ref: `#/components/schemas/${name}` }, inAnswers)}`,
      )
      .join('\n\n'),
    codes: table(
      ['name', 'codes'],
      Object.entries(schemas)
        .filter(([name, { enum: codes }]) => codes && !toldElsewhere.has(name))
        .map(([name, { enum: codes }]) => row(name, (codes as string[]).map(code).join(', '))),
    ),
  };
}
