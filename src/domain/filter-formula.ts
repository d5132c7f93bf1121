/** Some of a filter's conditions, a bit each. There are at most 64 of them. */
export class Conditions {
  low = 0;
  high = 0;

  add(condition: number): this {
    if (condition < 32) this.low |= 1 << condition;
    else this.high |= 1 << (condition - 32);
    return this;
  }

  clear(): this {
    this.low = 0;
    this.high = 0;
    return this;
  }

  addAll(others: Conditions): void {
    this.low |= others.low;
    this.high |= others.high;
  }
}

/** Conditions and groups of which all must hold, or one. */
export interface Group {
  readonly kind: 'and' | 'or';
  readonly conditions: Conditions;
  readonly groups: Group[];
}

export function newGroup(kind: Group['kind']): Group {
  return { kind, conditions: new Conditions(), groups: [] };
}

/** Whether a group holds, given the conditions that do: two comparisons for all of its conditions together. */
export function isTrue({ kind, conditions, groups }: Group, held: Conditions): boolean {
  const { low, high } = held;
  if (kind === 'and') {
    if ((low & conditions.low) !== conditions.low || (high & conditions.high) !== conditions.high) return false;
  } else if ((low & conditions.low) !== 0 || (high & conditions.high) !== 0) return true;
  return kind === 'and' ? groups.every((each) => isTrue(each, held)) : groups.some((each) => isTrue(each, held));
}
