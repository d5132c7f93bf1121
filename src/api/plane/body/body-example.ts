import { z } from '@hono/zod-openapi';

/** Returns an example body as JSON, with the examples of all required fields. Null without required fields, or if one has no example. */
export function bodyExample(schema: z.ZodType | undefined): string | null {
  if (!(schema instanceof z.ZodObject)) return null;
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>).filter(([, field]) => !field.safeParse(undefined).success);
  const examples = fields.map(([name, field]) => [name, field.meta()?.['example']] as const);
  return examples.length === 0 || examples.some(([, example]) => example === undefined)
    ? null
    : JSON.stringify(Object.fromEntries(examples));
}
