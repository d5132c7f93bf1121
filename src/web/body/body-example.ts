import { z } from '@hono/zod-openapi';

/** Returns a body of a route as JSON, made of the examples of its fields; null unless every required field has one. */
export function bodyExample(schema: z.ZodType | undefined): string | null {
  if (!(schema instanceof z.ZodObject)) return null;
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>).filter(([, field]) => !field.safeParse(undefined).success);
  const examples = fields.map(([name, field]) => [name, field.meta()?.['example']] as const);
  return examples.length === 0 || examples.some(([, example]) => example === undefined)
    ? null
    : JSON.stringify(Object.fromEntries(examples));
}
