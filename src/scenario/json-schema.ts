import { z } from '@hono/zod-openapi';
import { ScenarioSchema, triggers, type Trigger } from '../contract/scenario/scenario.js';
import { resourceTriggers, type ResourceTrigger } from '../contract/shared/kinds.js';
import { kinds } from '../domain/kinds.js';
import { filterOperators } from '../domain/lists/condition.js';
import { reasonCatalogue } from '../contract/shared/reason-catalogue.js';
import { enumValues, fieldPaths, descriptionOf } from './subjects.js';

type Json = Record<string, unknown>;

const refTo = (name: string): Json => ({ $ref: `#/$defs/${name}` });
const scalar = { type: ['string', 'number', 'boolean', 'null'] };
const isList = (operator: string) => operator === 'in' || operator === 'nin';
const isText = (operator: string) => operator === 'like' || operator === 'text';

/** Returns the schema of a condition: the value of the field, or operators with their operands. */
function conditionOf(value: Json): Json {
  const operand = (operator: string) =>
    isList(operator) ? { type: 'array', minItems: 1, items: value } : isText(operator) ? { type: 'string' } : value;
  const properties = Object.fromEntries(filterOperators.map((each) => [each, operand(each)]));
  return { anyOf: [value, { type: 'object', properties, additionalProperties: false, minProperties: 1 }] };
}

/**
 * Returns the JSON Schema of scenario files, for editors and validators. The schema lists the fields and values of the resources, for
 * conditions, and the statuses that steps can set.
 */
export function scenarioJsonSchema(): unknown {
  const { $schema, ...file } = z.toJSONSchema(ScenarioSchema, { io: 'input' }) as Json & { properties: Json };
  const rules = file.properties['rules'] as { items: { oneOf: RuleShape[] } };
  const shapeOn = (on: Trigger) => rules.items.oneOf.find(({ properties }) => properties.on.const === on)!;
  const definitions: Json = { condition: conditionOf(scalar) };
  const items = { oneOf: triggers.map((on) => ({ title: `A rule on ${on}`, ...ruleOn(on, shapeOn(on), definitions) })) };
  return {
    title: 'Scenario of the cross-border sandbox',
    $schema,
    ...file,
    properties: { ...file.properties, rules: { ...rules, items } },
    $defs: definitions,
  };
}

interface RuleShape {
  readonly properties: Json & { readonly on: { readonly const: Trigger } };
}

function ruleOn(on: Trigger, variant: RuleShape, definitions: Json): Json {
  const { steps, ...properties } = variant.properties;
  const isResource = (each: Trigger): each is ResourceTrigger => (resourceTriggers as readonly Trigger[]).includes(each);
  return {
    ...variant,
    properties: {
      ...properties,
      on: { const: on },
      when: whenOf(on, definitions),
      ...(isResource(on) ? { steps: stepsOf(on, steps as Json) } : {}),
    },
  };
}

/** Returns the schema for conditions on all fields of a trigger. */
function whenOf(on: Trigger, definitions: Json): Json {
  const properties: Json = {};
  const patternProperties: Json = {};
  for (const [path, schemas] of fieldPaths(on)) {
    const description = descriptionOf(schemas);
    const condition = { ...conditionFor(enumValues(schemas), definitions), ...(description === undefined ? {} : { description }) };
    if (path.endsWith('*')) patternProperties[`^${path.slice(0, -1).replaceAll('.', String.raw`\.`)}.`] = condition;
    else properties[path] = condition;
  }
  return {
    description: 'Conditions on its fields; all must hold.',
    type: 'object',
    properties,
    ...(Object.keys(patternProperties).length > 0 ? { patternProperties } : {}),
    additionalProperties: false,
  };
}

/** Returns the schema for conditions on a field with these values. Fields with equal values share a definition. */
function conditionFor(values: ReadonlySet<string> | null, definitions: Json): Json {
  if (values === null) return refTo('condition');
  const list = { enum: [...values, null] };
  const text = JSON.stringify(list);
  const named = Object.keys(definitions).find((name) => JSON.stringify(definitions[name]) === text);
  if (named !== undefined) return refTo(named.replace('values', 'condition'));
  const number = Object.keys(definitions).length;
  definitions[`values${number}`] = list;
  definitions[`condition${number}`] = conditionOf(refTo(`values${number}`));
  return refTo(`condition${number}`);
}

/** Returns the schema for the steps of a resource: its target statuses, reason codes and, for operations, payments. */
function stepsOf(on: ResourceTrigger, steps: Json): Json {
  const items = steps['items'] as Json & { properties: Json };
  const { to, pay, reason, ...properties } = items.properties;
  const codes = kinds[on].reasons.flatMap((place) => Object.keys(reasonCatalogue[place]));
  const { properties: facts, ...shape } = reason as Json & { properties: Json };
  const step = (way: string, value: unknown): Json => ({
    ...items,
    properties: {
      ...properties,
      [way]: value,
      reason: { ...shape, properties: { ...facts, code: { anyOf: [{ enum: codes }, facts['code']] } } },
    },
    required: ['after', way],
  });
  const move = step('to', { ...(to as Json), enum: kinds[on].stepTargets });
  return { ...steps, items: on === 'OPERATION' ? { oneOf: [move, step('pay', pay)] } : move };
}
