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

  /** Whether there is no more than one. */
  get isSingle(): boolean {
    const isSingle = (word: number) => (word & (word - 1)) === 0;
    return isSingle(this.low) && isSingle(this.high) && (this.low === 0 || this.high === 0);
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

/** Puts a group into another, or what it is made of where that comes to the same. */
export function addGroup(outer: Group, group: Group): void {
  const isOne = group.groups.length === 0 && group.conditions.isSingle;
  if (!isOne && group.kind !== outer.kind) {
    outer.groups.push(group);
    return;
  }
  outer.conditions.addAll(group.conditions);
  outer.groups.push(...group.groups);
}

/** Whether a group holds, given the conditions that do, in two words: two comparisons for all of its conditions together. */
export function isTrue({ kind, conditions, groups }: Group, low: number, high: number): boolean {
  const isAnd = kind === 'and';
  if (isAnd) {
    if ((low & conditions.low) !== conditions.low || (high & conditions.high) !== conditions.high) return false;
  } else if ((low & conditions.low) !== 0 || (high & conditions.high) !== 0) return true;
  for (let index = 0; index < groups.length; index += 1) if (isTrue(groups[index]!, low, high) !== isAnd) return !isAnd;
  return isAnd;
}
