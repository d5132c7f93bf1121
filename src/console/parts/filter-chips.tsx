import type { JSX } from 'preact';
import { go, address } from '../router.js';

/** A field by which a list can be narrowed with one click. */
export interface FilterChip {
  readonly label: string;
  /** The field in filters, for example `currentState.status`. */
  readonly field: string;
  /** The values, each with its words. Default words: the value. */
  readonly values: readonly (readonly [value: string, words?: string])[];
}

const conditions = (): readonly string[] => (address.value.query['filters'] ?? '').split(';').filter((each) => each !== '');

/** Replaces a condition of the open list. @param next null to remove it */
function replace(isReplaced: (condition: string) => boolean, next: string | null): void {
  const others = conditions().filter((each) => !isReplaced(each));
  go({ query: { filters: [...others, ...(next === null ? [] : [next])].join(';') } });
}

/** Chips that write the filters of a list. @param failures filter of the failures in the list */
export function FilterChips({ chips, failures }: { readonly chips: readonly FilterChip[]; readonly failures: string }): JSX.Element {
  const now = conditions();
  const isOnlyFailures = now.includes(failures);
  return (
    <>
      {chips
        .filter(({ values }) => values.length > 0)
        .map(({ label, field, values }) => {
          const start = `${field}[eq]=`;
          const value = now.find((each) => each.startsWith(start))?.slice(start.length) ?? '';
          return (
            <select
              key={field}
              aria-label={label}
              class={`pill ${value === '' ? '' : 'chosen'}`}
              value={value}
              onChange={({ currentTarget }) =>
                replace((each) => each.startsWith(start), currentTarget.value === '' ? null : start + currentTarget.value)
              }
            >
              <option value="">{label}: any</option>
              {values.every(([each]) => each !== value) && value !== '' && <option value={value}>{value}</option>}
              {values.map(([each, words = each]) => (
                <option key={each} value={each}>
                  {words}
                </option>
              ))}
            </select>
          );
        })}
      <button
        type="button"
        class="pill"
        aria-pressed={isOnlyFailures}
        onClick={() => replace((each) => each === failures, isOnlyFailures ? null : failures)}
      >
        Only failures
      </button>
    </>
  );
}
