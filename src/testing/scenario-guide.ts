import { z } from '@hono/zod-openapi';
import { DeliveryEffectSchema, RequestEffectSchema } from '../contract/scenario/effects.js';
import { ScenarioSchema, triggers, type Scenario, type ScenarioStep } from '../contract/scenario/scenario.js';
import { resourceTriggers } from '../contract/shared/kinds.js';
import { DeliveryTimeoutSchema, DurationSchema, RealDurationSchema, SettingSpanSchema } from '../contract/shared/duration.js';
import { bankRails, fundingRails } from '../contract/shared/rails.js';
import { kinds } from '../domain/kinds.js';
import { reasonCatalogue } from '../contract/shared/reason-catalogue.js';
import { compileScenario } from '../scenario/compile.js';
import { chooseRule, type RuleCounters } from '../scenario/match.js';
import { fieldPaths } from '../scenario/subjects.js';
import { valueText, type Json } from './json-words.js';
import { code, row, table, termList } from './markdown.js';

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

/** Returns the list of an object's fields: name, values and meaning. */
function fieldList(schema: z.ZodType, leftOut: readonly string[] = []): string {
  const fields = Object.entries(jsonOf(schema).properties ?? {}).filter(([name]) => !leftOut.includes(name));
  return termList(fields.map(([name, json]) => [`${code(name)} (${valueText(json)})`, json.description ?? '']));
}

/** Returns the list of the top fields that conditions can name, by trigger. The JSON Schema of scenarios has all paths. */
function conditionList(): string {
  const fields = triggers.map((on): [string, string] => {
    const names = new Set([...fieldPaths(on).keys()].map((path) => (path.endsWith('.*') ? path : path.split('.')[0]!)));
    const top = [...names].filter((name) => name === name.split('.')[0] || !names.has(name.split('.')[0]!));
    return [on, top.map(code).join(', ')];
  });
  return termList(fields);
}

function stepTargetTable(): string {
  const rows = resourceTriggers.map((on) => {
    const { stepTargets, reasons } = kinds[on];
    const codes = reasons.flatMap((place) => Object.keys(reasonCatalogue[place]));
    return row(on, stepTargets.map(code).join(', '), codes.map(code).join(', '));
  });
  return table(['on', '`to`', 'reasons of the catalogue'], rows);
}

/**
 * Returns the table of the names and file names that decide about reviews, all with a rejection. The cents of operations have their own
 * table.
 */
function magicTable({ rules }: Scenario): string {
  const outcomes = new Map<string, string[]>();
  for (const { on, when, steps } of rules.flatMap((rule) => (isReview(rule) ? [rule] : []))) {
    for (const [field, value] of Object.entries(when ?? {})) {
      const [[operator, operand]] =
        typeof value === 'object' && value !== null ? (Object.entries(value) as [[string, unknown]]) : [['is', value]];
      const key = [on, operator === 'like' ? 'contains' : operator, field].join(' ');
      outcomes.set(key, [...(outcomes.get(key) ?? []), `${code(operand)}: ${rejectionText(steps)}`]);
    }
  }
  const fields = new Map<string, string[]>();
  for (const [key, list] of outcomes) {
    const [on = '', operator = '', field = ''] = key.split(' ');
    const rest = [on, operator, list.join('; ')].join('|');
    fields.set(rest, [...(fields.get(rest) ?? []), code(field)]);
  }
  const rows = [...fields].map(([rest, names]) => {
    const [on = '', operator = '', list = ''] = rest.split('|');
    return row(on, `${names.join(' or ')} ${operator}`, list);
  });
  return table(['on', 'when', 'reason'], rows);
}

/** Returns the reason of a rejection. @throws Error if the steps are not one rejection after 2 s, as the page says */
function rejectionText(steps: readonly ScenarioStep[]): string {
  const [{ after, to, reason } = {} as Partial<ScenarioStep>] = steps;
  if (steps.length !== 1 || to !== 'REJECTED' || after !== '2s' || !reason) throw new Error('Not one rejection after 2s.');
  return [reason.code, ...Object.values(reason.details ?? {}).map(String)].join(', ');
}

const isReview = (rule: Scenario['rules'][number]): rule is Extract<Scenario['rules'][number], { steps: unknown }> =>
  rule.on !== 'REQUEST' && rule.on !== 'DELIVERY' && rule.on !== 'OPERATION' && rule.when !== undefined;

/** The types of operations, each with its rails. Both determine the possible reasons of a failure. */
const ways: readonly (readonly [type: string, rails: readonly string[]])[] = [
  ['WITHDRAWAL', ['PIX_KEY', ...bankRails, 'CRYPTO']],
  ['DEPOSIT', fundingRails],
  ['TRANSFER', ['']],
  ['SWAP', ['']],
];

/** Returns the table of final statuses of an operation, by its magic cents, type and rail. The exceptions of a row are the types and rails with another status. */
function reasonTable(scenario: Scenario): string {
  const rules = compileScenario([scenario]).rulesOn.get('OPERATION') ?? [];
  const tally: RuleCounters = { ageMs: () => 0, count: () => ({ seen: 0, hits: 0 }), record: () => undefined, draw: () => 0 };
  const endOf = (type: string, rail: string, cents: string): string => {
    const intent = { type, beneficiary: { paymentInstruction: { rail } }, fundingInstruction: { rail } };
    const rule = chooseRule(rules, () => ({ intent, requestedAmount: { cents } }), tally);
    if (!rule || rule.on === 'REQUEST' || rule.on === 'DELIVERY') throw new Error(`No rule for ${type} ${cents}.`);
    const last = rule.steps.at(-1)!;
    if (last.pay) return 'ON_HOLD, `AMOUNT_MISMATCH`';
    return last.reason ? `${last.to}, ${code(last.reason.code)}` : String(last.to);
  };
  const magic = Array.from({ length: 11 }, (_, index) => String(11 + index));
  const rows = magic.map((cents) => {
    const groups = new Map<string, string[]>();
    for (const [type, rails] of ways) {
      const ends = new Map<string, string[]>();
      for (const rail of rails) ends.set(endOf(type, rail, cents), [...(ends.get(endOf(type, rail, cents)) ?? []), rail]);
      for (const [end, alike] of ends) {
        const title = alike.length === rails.length ? type : `${type} by ${alike.join(', ')}`;
        groups.set(end, [...(groups.get(end) ?? []), title]);
      }
    }
    const [[main], ...others] = [...groups] as [[string], ...[string, string[]][]];
    return row(code(`.${cents}`), main, others.map(([end, titles]) => `${titles.join(', ')}: ${end}`).join('; '));
  });
  return table(['cents', 'WITHDRAWAL, and others without an exception', 'exceptions'], rows);
}

/** Returns the generated parts of the documents about scenarios, by document and marker. */
export function scenarioParts(shipped: readonly Scenario[]): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const ruleSchemas = (ScenarioSchema.shape.rules.element as z.ZodDiscriminatedUnion).options as readonly z.ZodObject[];
  const merged = z.object(Object.assign({}, ...ruleSchemas.map((each) => each.shape)) as z.ZodRawShape);
  const standard = shipped.find(({ scenario }) => scenario === 'default')!;
  return {
    'docs/how-to/force-outcomes.md': { 'magic values': magicTable(standard), reasons: reasonTable(standard) },
    'docs/reference/scenarios.md': {
      'rule fields': fieldList(merged, ['on', 'when', 'steps', 'effect']),
      'fields in conditions': conditionList(),
      'step targets': stepTargetTable(),
      'effects on REQUEST': fieldList(RequestEffectSchema),
      'effects on DELIVERY': fieldList(DeliveryEffectSchema),
      'shipped scenarios': termList(shipped.map(({ scenario, summary }) => [code(scenario), summary])),
    },
  };
}
