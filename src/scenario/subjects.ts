import { z } from '@hono/zod-openapi';
import { AccountAssetSchema, AccountSchema } from '../contract/public/accounts.js';
import { BeneficiarySchema, PaymentInstructionSchema } from '../contract/public/beneficiaries.js';
import { AmountSchema } from '../contract/shared/common.js';
import { DocumentSchema } from '../contract/public/documents.js';
import { operationIds } from '../contract/public/operation-ids.js';
import { OperationSchema } from '../contract/public/operations.js';
import type { Trigger } from '../contract/scenario/scenario.js';
import { UboSchema } from '../contract/public/ubos.js';
import { eventTypes } from '../contract/public/webhooks.js';

/** A request as rules see it. */
const RequestSubjectSchema = z.object({
  operationId: z.enum(operationIds),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  path: z.string(),
  query: z.record(z.string(), z.string()),
  /** By their names in lower case. */
  headers: z.record(z.string(), z.string()),
});

export type RequestSubject = z.infer<typeof RequestSubjectSchema>;

/** An attempt to deliver a webhook as rules see it. */
const DeliverySubjectSchema = z.object({
  messageId: z.string(),
  eventType: z.enum(eventTypes),
  subscriptionId: z.string(),
  url: z.string(),
  resourceId: z.string(),
  kind: z.enum(['FIRST', 'RETRY', 'DUPLICATE', 'RESEND']),
  /** Which attempt this is, from 1. */
  attempt: z.number(),
  retryAttempts: z.number(),
  payload: z.unknown(),
});

/** What the rules on each kind of thing look at: its resource as the API shows it, and a little more. Made when a rule is first checked. */
export const subjects: Readonly<Record<Trigger, z.ZodType>> = {
  OPERATION: z.lazy(() => OperationSchema.extend({ requestedAmount: AmountSchema.extend({ cents: z.string().nullable() }) })),
  PAYMENT_INSTRUCTION: z.lazy(() => PaymentInstructionSchema.extend({ beneficiary: BeneficiarySchema })),
  DOCUMENT: z.lazy(() => DocumentSchema.extend({ fileName: z.string(), account: AccountSchema })),
  UBO: z.lazy(() => UboSchema.extend({ account: AccountSchema })),
  ACCOUNT: AccountSchema,
  ASSET: z.lazy(() => AccountAssetSchema.extend({ account: AccountSchema })),
  REQUEST: RequestSubjectSchema,
  DELIVERY: DeliverySubjectSchema,
};

const knownPaths = new Map<Trigger, ReadonlyMap<string, readonly z.ZodType[]>>();

/**
 * All fields that the rules on a kind of thing can ask for, as dotted paths with what each may hold; lists and unions are walked through.
 * A last `*` stands for any name: of a header, of a fact that a reason brings.
 */
export function fieldPaths(on: Trigger): ReadonlyMap<string, readonly z.ZodType[]> {
  const known = knownPaths.get(on);
  if (known) return known;
  const paths = new Map<string, z.ZodType[]>();
  knownPaths.set(on, paths);
  const walk = (schema: unknown, path: string): void => {
    if (schema instanceof z.ZodLazy || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) walk(schema.unwrap(), path);
    else if (schema instanceof z.ZodNullable) for (const each of [schema.unwrap(), z.null()]) walk(each, path);
    else if (schema instanceof z.ZodArray) walk(schema.element, path);
    else if (schema instanceof z.ZodUnion) for (const each of schema.options) walk(each, path);
    else if (schema instanceof z.ZodObject)
      for (const [name, each] of Object.entries(schema.shape)) walk(each, path === '' ? name : `${path}.${name}`);
    else if (schema instanceof z.ZodRecord) walk(schema.valueType, `${path}.*`);
    else if (schema instanceof z.ZodUnknown) paths.set(path.endsWith('.*') ? path : `${path}.*`, [schema]);
    else paths.set(path, [...(paths.get(path) ?? []), schema as z.ZodType]);
  };
  walk(subjects[on], '');
  return paths;
}

/** The schemas that a field path leads to, arrays and unions walked through; null when there is no such field. */
export function schemasAt(schema: unknown, path: readonly string[]): z.ZodType[] | null {
  const [name, ...rest] = path;
  if (schema instanceof z.ZodLazy || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return schemasAt(schema.unwrap(), path);
  if (schema instanceof z.ZodArray) return schemasAt(schema.element, path);
  if (schema instanceof z.ZodUnion) {
    const found = schema.options.map((option) => schemasAt(option, path)).filter((each) => each !== null);
    return found.length === 0 ? null : found.flat();
  }
  if (name === undefined) return [schema as z.ZodType];
  if (schema instanceof z.ZodObject) {
    const shape = schema.shape as Record<string, unknown>;
    return Object.hasOwn(shape, name) ? schemasAt(shape[name], rest) : null;
  }
  if (schema instanceof z.ZodRecord) return schemasAt(schema.valueType, rest);
  return schema instanceof z.ZodUnknown ? [schema] : null;
}
