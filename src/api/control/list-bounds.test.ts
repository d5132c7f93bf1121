import { expect, it } from 'vitest';
import { controlDocument } from './document.js';

// oxlint-disable-next-line typescript/no-explicit-any -- the parsed document has no static type
type Json = any;

it('every list of the control API takes limit and cursor, or documents its maximum length', () => {
  const document: Json = JSON.parse(JSON.stringify(controlDocument()));
  const resolved = (node: Json): Json =>
    node?.$ref === undefined
      ? node
      : (node.$ref as string)
          .split('/')
          .slice(1)
          .reduce((value, name) => value[name], document);
  const isList = ({ type }: Json) => [type].flat().includes('array');
  const lists = Object.values<Json>(document.paths).flatMap(({ get }) => {
    const body = resolved(resolved(get?.responses['200'])?.content?.['application/json']?.schema);
    if (!body) return [];
    const fields = isList(body)
      ? [body]
      : Object.values<Json>(body.properties ?? {})
          .map(resolved)
          .filter(isList);
    const names = new Set((get.parameters ?? []).map((each: Json) => resolved(each).name));
    const isPaged = names.has('limit') && names.has('cursor');
    return fields.map(({ maxItems }: Json) => ({ id: get.operationId, maxItems, isPaged }));
  });
  expect(lists.length).toBeGreaterThan(20);
  expect(lists.filter(({ maxItems, isPaged }: Json) => !isPaged && maxItems === undefined)).toEqual([]);
  expect(lists.filter(({ id }: Json) => id === 'listWorlds')).toEqual([{ id: 'listWorlds', maxItems: 100, isPaged: true }]);
});
