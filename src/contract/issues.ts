import type { z } from '@hono/zod-openapi';

export type Issue = z.core.$ZodIssue;

/** A single mistake that a schema found. */
export interface Mistake {
  readonly issue: Issue;
  /** The name at the end of its path is what is wrong, rather than the value. */
  readonly isKey: boolean;
}

/** The single mistakes of an issue: those of the branch of a union that was meant, and each field that should not be there. */
export function mistakesOf(issue: Issue, isKey = false): Mistake[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      issue: { ...issue, keys: [key], path: [...path, key], message: 'expected no such field' },
      isKey: true,
    }));
  }
  if (issue.code === 'invalid_key') return issue.issues.flatMap((each) => mistakesOf({ ...each, path }, true));
  const branch = issue.code === 'invalid_union' ? nearest(issue.errors) : undefined;
  return branch ? branch.flatMap((each) => mistakesOf({ ...each, path: [...path, ...each.path] }, isKey)) : [{ issue, isKey }];
}

/** The branch of a union that the value was meant as: the one whose mistakes lie deepest. */
function nearest(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const depth = (issues: readonly Issue[]) =>
    Math.max(...issues.map((issue) => issue.path.length + (issue.code === 'invalid_type' && issue.path.length === 0 ? 0 : 1)), 0);
  return branches.toSorted((a, b) => depth(b) - depth(a))[0];
}
