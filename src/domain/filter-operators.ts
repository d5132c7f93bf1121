export const filterOperators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin', 'like', 'text', 'last', 'last_ne'] as const;
export type FilterOperator = (typeof filterOperators)[number];

/** A condition on a field. */
export interface FieldCondition {
  /** Its number among all conditions of its filter. */
  readonly number: number;
  readonly operator: FilterOperator;
  /** One value, or several for `in` and `nin`; null is the null value. */
  readonly operands: readonly (string | null)[];
}
