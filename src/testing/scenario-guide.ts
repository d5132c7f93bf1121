import { z } from '@hono/zod-openapi';
import { DeliveryEffectSchema, RequestEffectSchema } from '../contract/scenario/effects.js';
import { ScenarioSchema, ScenarioStepSchema, triggers, type Scenario, type ScenarioStep } from '../contract/scenario/scenario.js';
import { resourceTriggers } from '../contract/shared/kinds.js';
import { ScenarioSettingsSchema } from '../contract/scenario/settings.js';
import { DeliveryTimeoutSchema, DurationSchema, RealDurationSchema, SettingSpanSchema } from '../contract/shared/duration.js';
import { bankRails, fundingRails } from '../contract/shared/rails.js';
import { kinds } from '../domain/kinds.js';
import { isFinal } from '../domain/machine.js';
import { reasonCatalogue } from '../contract/shared/reason-catalogue.js';
import { compileScenario } from '../scenario/compile.js';
import { chooseRule, type Tally } from '../scenario/match.js';
import { closedValues, fieldPaths } from '../scenario/subjects.js';
import { valueText, type Json } from './json-words.js';
import { code, row, table } from './markdown.js';

const sharesCheck = (a: z.core.$ZodType, b: z.core.$ZodType) => a._zod.def.checks?.includes(b._zod.def.checks!.at(-1)!) ?? false;

/** Formats of durations, more specific formats first. */
const durations = [
  ['a duration of at most 10m', RealDurationSchema],
  ['a duration of at most 2m', DeliveryTimeoutSchema],
  ['a duration of at most 365d', SettingSpanSchema],
  ['a duration', DurationSchema],
] as const;

/** Returns a schema as JSON Schema, in which titles mark durations. */
function jsonOf(schema: z.ZodType): Json {
  return z.toJSONSchema(schema, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      const duration = durations.find(([, each]) => sharesCheck(zodSchema, each));
      if (duration) jsonSchema.title = duration[0];
    },
  }) as Json;
}

/** Returns the table of an object's fields: name, values and meaning. */
function fieldTable(schema: z.ZodType, leftOut: readonly string[] = []): string {
  const fields = Object.entries(jsonOf(schema).properties ?? {}).filter(([name]) => !leftOut.includes(name));
  const rows = fields.map(([name, json]) => row(code(name), valueText(json), json.description ?? ''));
  return table(['field', 'value', 'meaning'], rows);
}

/**
 * Returns the table of condition fields with the triggers that have them. Fields of the same shape share a row: `states.*` has the fields
 * of `currentState.*`, and the account of a resource has the fields of ACCOUNT under `account.`.
 */
function conditionTable(): string {
  const accountFields = fieldPaths('ACCOUNT');
  const fields = new Map<string, { readonly on: Set<string>; readonly texts: Set<string> }>();
  for (const on of triggers) {
    for (const [path, schemas] of fieldPaths(on)) {
      if (on !== 'ACCOUNT' && path.startsWith('account.') && accountFields.has(path.slice('account.'.length))) continue;
      if (/(^|\.)states\./.test(path)) continue;
      const name = path.replace(/^requirements\.\w+\./, 'requirements.*.');
      const field = fields.get(name) ?? { on: new Set(), texts: new Set() };
      field.on.add(on);
      field.texts.add(conditionText(schemas));
      fields.set(name, field);
    }
  }
  const isAccountOnly = (on: ReadonlySet<string>) => on.size === 1 && on.has('ACCOUNT');
  const entries = [...fields].toSorted(([, a], [, b]) => Number(isAccountOnly(a.on)) - Number(isAccountOnly(b.on)));
  return table(
    ['field', '`on`', 'value'],
    entries.map(([path, { on, texts }]) => row(code(path), [...on].join(', '), [...texts].join('; '))),
  );
}

function conditionText(schemas: readonly z.ZodType[]): string {
  const present = schemas.filter((each) => !(each instanceof z.ZodNull));
  const orNull = present.length < schemas.length ? ', or `null`' : '';
  if (present.length === 0) return '`null`, or an object';
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

/** Returns the table of a scenario's rules with conditions. */
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

/** The types of operations, each with its rails. Both determine the possible reasons of a failure. */
const ways: readonly (readonly [type: string, rails: readonly string[]])[] = [
  ['WITHDRAWAL', ['PIX_KEY', ...bankRails, 'CRYPTO']],
  ['DEPOSIT', fundingRails],
  ['TRANSFER', ['']],
  ['SWAP', ['']],
];

/** Returns the table of final statuses of an operation, by its magic cents, type and rail. Rails with equal results share a column. */
function reasonTable(scenario: Scenario): string {
  const rules = compileScenario([scenario]).rulesOn.get('OPERATION') ?? [];
  const tally: Tally = { ageMs: () => 0, count: () => ({ seen: 0, hits: 0 }), record: () => undefined, draw: () => 0 };
  const endOf = (type: string, rail: string, cents: string): string => {
    const intent = { type, beneficiary: { paymentInstruction: { rail } }, fundingInstruction: { rail } };
    const rule = chooseRule(rules, () => ({ intent, requestedAmount: { cents } }), tally);
    if (!rule || rule.on === 'REQUEST' || rule.on === 'DELIVERY') throw new Error(`No rule for ${type} ${cents}.`);
    const last = rule.steps.at(-1)!;
    if (last.pay) return 'ON_HOLD, `AMOUNT_MISMATCH`';
    return last.reason ? `${last.to}, ${code(last.reason.code)}` : String(last.to);
  };
  const magic = Array.from({ length: 11 }, (_, index) => String(11 + index));
  const columns = ways.flatMap(([type, rails]) => {
    const groups = new Map<string, string[]>();
    for (const rail of rails) {
      const ends = JSON.stringify(magic.map((cents) => endOf(type, rail, cents)));
      groups.set(ends, [...(groups.get(ends) ?? []), rail]);
    }
    return [...groups].map(([ends, alike]) => ({
      title: alike.length === rails.length ? type : `${type} by ${alike.join(', ')}`,
      ends: JSON.parse(ends) as string[],
    }));
  });
  return table(
    ['cents', ...columns.map(({ title }) => title)],
    magic.map((cents, index) => row(code(`.${cents}`), ...columns.map(({ ends }) => ends[index]!))),
  );
}

function spanText(after: ScenarioStep['after']): string {
  if (typeof after === 'string') return after;
  if ('min' in after) return `${after.min} to ${after.max}`;
  const { businessDays: days } = after;
  return typeof days === 'number' ? `${days} business days` : `${days.min} to ${days.max} business days`;
}

function stepText({ after, to, pay, reason }: ScenarioStep): string {
  const facts = Object.entries(reason?.details ?? {}).map(([name, value]) => `, ${name} ${String(value)}`);
  if (pay?.amount !== undefined)
    return `${pay.amount} is paid after ${spanText(after)}, unlike what was quoted, which ends as ON_HOLD with AMOUNT_MISMATCH`;
  const what = pay ? 'paid as quoted' : `${to}${reason ? ` with ${reason.code}${facts.join('')}` : ''}`;
  return `${what} after ${spanText(after)}`;
}

/** Returns the generated parts of the documents about scenarios, by document and marker. */
export function scenarioParts(shipped: readonly Scenario[]): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const ruleSchemas = (ScenarioSchema.shape.rules.element as z.ZodDiscriminatedUnion).options as readonly z.ZodObject[];
  const merged = z.object(Object.assign({}, ...ruleSchemas.map((each) => each.shape)) as z.ZodRawShape);
  const standard = shipped.find(({ scenario }) => scenario === 'default')!;
  return {
    'docs/how-to/force-outcomes.md': { 'magic values': magicTable(standard), reasons: reasonTable(standard) },
    'docs/reference/scenarios.md': {
      'file fields': fieldTable(ScenarioSchema, ['rules']),
      'rule fields': fieldTable(merged, ['on', 'when', 'steps', 'effect']),
      'fields in conditions': conditionTable(),
      'step fields': fieldTable(ScenarioStepSchema),
      'step targets': stepTargetTable(),
      'effects on REQUEST': fieldTable(RequestEffectSchema),
      'effects on DELIVERY': fieldTable(DeliveryEffectSchema),
      settings: fieldTable(ScenarioSettingsSchema),
      'shipped scenarios': table(
        ['scenario', 'what it does'],
        shipped.map(({ scenario, summary }) => row(code(scenario), summary)),
      ),
    },
  };
}
