import type { After } from './after.js';

const spanText = (span: string | { min: string; max: string }) => (typeof span === 'string' ? span : `${span.min} to ${span.max}`);

/** Formats the delay of a step for people: `2s`, `2s to 40s`, `1 business day (BR)`. */
export function afterText(after: After): string {
  if (typeof after === 'string' || 'min' in after) return spanText(after);
  const { businessDays, calendar, plus } = after;
  const count = typeof businessDays === 'number' ? String(businessDays) : `${businessDays.min} to ${businessDays.max}`;
  const name = typeof calendar === 'string' ? calendar : 'own calendar';
  return `${count} business ${count === '1' ? 'day' : 'days'} (${name})${plus === undefined ? '' : ` and ${spanText(plus)}`}`;
}
