import { z } from '@hono/zod-openapi';
import { DeliveryEffectSchema, RequestEffectSchema } from '../contract/scenario/effects.js';
import { ScenarioSchema, ScenarioStepSchema, triggers, type Scenario, type ScenarioStep } from '../contract/scenario/scenario.js';
import { resourceTriggers } from '../contract/shared/kinds.js';
import { ScenarioSettingsSchema } from '../contract/scenario/settings.js';
import { DeliveryTimeoutSchema, DurationSchema, RealDurationSchema, SettingSpanSchema } from '../contract/shared/duration.js';
import { kinds } from '../domain/kinds.js';
import { isFinal } from '../domain/machine.js';
import { reasonCatalogue } from '../domain/reasons.js';
import { closedValues, fieldPaths, meaningOf } from '../scenario/subjects.js';
import { valueText, type Json } from './json-words.js';
import { code, row, table } from './markdown.js';

const sharesCheck = (a: z.core.$ZodType, b: z.core.$ZodType) => a._zod.def.checks?.includes(b._zod.def.checks!.at(-1)!) ?? false;

/** How durations are told, the narrower ones first. */
const durations = [
  ['a duration of at most 10m', RealDurationSchema],
  ['a duration of at most 2m', DeliveryTimeoutSchema],
  ['a duration of at most 365d', SettingSpanSchema],
  ['a duration', DurationSchema],
] as const;

/** A schema as JSON Schema, in which durations say that they are. */
function jsonOf(schema: z.ZodType): Json {
  return z.toJSONSchema(schema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      const duration = durations.find(([, each]) => sharesCheck(zodSchema, each));
      if (duration) jsonSchema.title = duration[0];
    },
  }) as Json;
}

/** The fields of an object: their names, what they take, what they mean. */
function fieldTable(schema: z.ZodType, leftOut: readonly string[] = []): string {
  const fields = Object.entries(jsonOf(schema).properties ?? {}).filter(([name]) => !leftOut.includes(name));
  const rows = fields.map(([name, json]) => row(code(name), valueText(json), json.description ?? ''));
  return table(['field', 'value', 'meaning'], rows);
}

/** The fields that the rules on a kind of thing can ask for, as a table that opens. */
function whenTable(on: (typeof triggers)[number]): string {
  const accountFields = [...fieldPaths('ACCOUNT').keys()];
  const paths = [...fieldPaths(on)];
  const isOfAccount = (path: string) =>
    on !== 'ACCOUNT' && path.startsWith('account.') && accountFields.includes(path.slice('account.'.length));
  const hasAccount = accountFields.every((path) => fieldPaths(on).has(`account.${path}`));
  const own = paths.filter(([path]) => !(hasAccount && isOfAccount(path)));
  const rows = own.map(([path, schemas]) => {
    const description = meaningOf(schemas);
    return row(code(path), `${conditionText(schemas)}${description === undefined ? '' : `. ${description}`}`);
  });
  if (hasAccount) rows.push(row(code('account.*'), 'every field of ACCOUNT, of the account that it belongs to'));
  return `<details><summary>The fields of ${on}</summary>\n\n${table(['field', 'value'], rows)}\n\n</details>`;
}

function conditionText(schemas: readonly z.ZodType[]): string {
  const present = schemas.filter((each) => !(each instanceof z.ZodNull));
  const orNull = present.length < schemas.length ? ', or `null`' : '';
  if (present.length === 0) return '`null` when there is none';
  if (present.some((each) => each instanceof z.ZodUnknown)) return 'any value';
  const values = closedValues(present);
  const text = values ? valueText({ enum: [...values] }) : [...new Set(present.map((each) => valueText(jsonOf(each))))].join(' or ');
  return `${text}${orNull}`;
}

function stepTargetTable(): string {
  const rows = resourceTriggers.map((on) => {
    const { stepTargets, transitions, reasons } = kinds[on];
    const codes = reasons.flatMap((place) => Object.keys(reasonCatalogue[place]));
    const final = stepTargets.filter((status) => isFinal(transitions, status));
    return row(on, stepTargets.map(code).join(', '), final.map(code).join(', '), codes.map(code).join(', '));
  });
  return table(['on', '`to`', 'nothing follows', 'reasons of the catalogue'], rows);
}

/** What the rules with conditions of a scenario do. */
function magicTable({ rules }: Scenario): string {
  const rows = rules
    .flatMap((rule) => (rule.on === 'REQUEST' || rule.on === 'DELIVERY' || !rule.when ? [] : [{ ...rule, when: rule.when }]))
    .map(({ on, when, steps }) => {
      const conditions = Object.entries(when).map(([field, value]) => {
        const [[operator, operand]] =
          typeof value === 'object' && value !== null ? (Object.entries(value) as [[string, unknown]]) : [['is', value]];
        return `${code(field)} ${operator === 'like' ? 'contains' : operator} ${code(operand)}`;
      });
      return row(`${on}: ${conditions.join(', ')}`, steps.map(stepText).join(', then '));
    });
  return table(['when', 'what happens'], rows);
}

function stepText({ after, to, pay, reason }: ScenarioStep): string {
  const facts = Object.entries(reason?.details ?? {}).map(([name, value]) => `, ${name} ${String(value)}`);
  if (pay?.amount !== undefined)
    return `${pay.amount} is paid after ${after}, unlike what was quoted, which ends as ON_HOLD with AMOUNT_MISMATCH`;
  const what = pay ? 'paid as quoted' : `${to}${reason ? ` with ${reason.code}${facts.join('')}` : ''}`;
  return `${what} after ${after}`;
}

/** The generated parts of the guide, by the names of their marks. */
export function guideTables(shipped: readonly Scenario[]): Readonly<Record<string, string>> {
  const ruleSchemas = (ScenarioSchema.shape.rules.element as z.ZodDiscriminatedUnion).options as readonly z.ZodObject[];
  const merged = z.object(Object.assign({}, ...ruleSchemas.map((each) => each.shape)) as z.ZodRawShape);
  const defaults = shipped.find(({ scenario }) => scenario === 'default')!;
  return {
    'file fields': fieldTable(ScenarioSchema, ['rules']),
    'rule fields': fieldTable(merged, ['on', 'when', 'steps', 'effect']),
    ...Object.fromEntries(triggers.map((on) => [`fields of ${on}`, whenTable(on)])),
    'step fields': fieldTable(ScenarioStepSchema),
    'step targets': stepTargetTable(),
    'effects on REQUEST': fieldTable(RequestEffectSchema),
    'effects on DELIVERY': fieldTable(DeliveryEffectSchema),
    settings: fieldTable(ScenarioSettingsSchema),
    'magic values': magicTable(defaults),
    'shipped scenarios': table(
      ['scenario', 'what a client meets'],
      shipped.map(({ scenario, summary }) => row(code(scenario), summary)),
    ),
  };
}
