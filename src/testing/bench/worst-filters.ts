import { filterLimits } from '../../domain/lists/filter.js';
import type { FilterFields } from '../../domain/lists/fields.js';

const several = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));
const or = (conditions: readonly string[]) => `or(${conditions.join(',')})`;

/** Returns as many conditions as a filter may have. */
function filled(make: (index: number) => string): string[] {
  const conditions: string[] = [];
  for (let left = filterLimits.characters - 'or()'.length; conditions.length < filterLimits.conditions;) {
    const next = make(conditions.length);
    left -= next.length + 1;
    if (left < 0) break;
    conditions.push(next);
  }
  return conditions;
}

/** Returns word number `index`. The words have one or two letters and are all different. */
const short = (index: number) =>
  (index < 26 ? '' : String.fromCharCode(96 + Math.floor(index / 26))) + String.fromCharCode(97 + (index % 26));

/** Substrings of most names or ids. */
const common = ['a', 'o', 'e', '-4', 'r', '1', 'li', 's', '-', 'd', 'u', 'ma', 'i'];

/**
 * Returns the most expensive filters of accounts, by name. No account passes, because no name contains a Q, so that a list evaluates all
 * accounts.
 */
export function worstFilters<R>(fields: FilterFields<R>): Record<string, string> {
  const texts = Object.keys(fields).filter((field) => fields[field]!.type === 'TEXT');
  const instants = Object.keys(fields).filter((field) => fields[field]!.type === 'TIMESTAMP');
  const textAt = (index: number) => texts[index % texts.length]!;
  const day = (index: number) => `2031-01-01T00:00:00.${String(index).padStart(3, '0')}Z`;
  return {
    'one condition': 'id[eq]=x',
    '50 × eq of one field': or(filled((index) => `id[eq]=x${index}`)),
    '50 × ne, all true but the last': [...several(49, (index) => `id[ne]=x${index}`), 'id[eq]=x'].join(';'),
    'in with 600 values': `id[in]=${several(700, short).join('|')}`.slice(0, filterLimits.characters),
    '50 × gt of one field': or(filled((index) => `owner.legalName[gt]=zz${short(index)}`)),
    '50 × like of one field': or(filled((index) => `owner.legalName[like]=q${short(index)}`)),
    '50 × like, nearly found everywhere': or(filled((index) => `owner.legalName[like]=${'a'.repeat(index % 15)}q`)),
    '50 × text of one field': or(filled((index) => `owner.legalName[text]=${short(index)} q${short(index)}`)),
    'text with 900 words': `owner.legalName[text]=${several(900, short).join(' ')}`.slice(0, filterLimits.characters),
    '50 × instants': or(filled((index) => `${instants[index % instants.length]}[gt]=${day(index)}`)),
    'eq of every field': or(
      filled((index) => (instants[index] ? `${instants[index]}[eq]=${day(index)}` : `${textAt(index)}[eq]=x${index}`)),
    ),
    'like of every field': or(filled((index) => `${textAt(index)}[like]=q${short(index)}`)),
    'eq, gt, like and text of every field': or(
      filled((index) => {
        const operator = ['eq', 'gt', 'like', 'text'][Math.floor(index / texts.length) % 4]!;
        return `${textAt(index)}[${operator}]=${operator === 'gt' ? '~' : `q${short(index)}`}`;
      }),
    ),
    'like of every field, all but the last letter of each found': or(
      filled((index) => `${textAt(index)}[like]=${common[index % common.length]}q`),
    ),
    'text of every field, of two words one found': or(filled((index) => `${textAt(index)}[text]=${common[index % common.length]} q`)),
    'gt of every field, by letters that are no single units': or(filled((index) => `${textAt(index)}[gt]=~\u{1F600}${index}`)),
    '50 × like, 1,300 letters in all': or(
      filled((index) =>
        `owner.legalName[like]=${several(26, (at) => String.fromCharCode(0x4e00 + index * 26 + at)).join('')}`.slice(0, 42),
      ),
    ),
    '25 groups of 2': or(several(25, (index) => `and(id[gt]=${(index % 16).toString(16)},id[lt]=!)`)),
    '50 groups of 1': or(filled((index) => `and(id[gt]=~${index})`)),
    '50 conditions in 5 levels of groups': `and(or(and(or(and(${several(46, (index) => (index % 2 === 0 ? `id[ne]=${index}` : `owner.type[ne]=${index}`)).join(',')}),id[eq]=a),id[ne]=b),id[eq]=c),id[eq]=d)`,
  };
}
