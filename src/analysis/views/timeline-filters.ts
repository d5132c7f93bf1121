import { facetFields, maxFacetValues, type Facet, type TimelineItem } from '../../contract/control/analysis/stream.js';
import type { FilterFieldOf } from '../../contract/shared/filters.js';
import type { Interruptible } from '../../domain/interruptible.js';
import { decimal, flag, text, timestamp, valuesAt, type FilterFields } from '../../domain/lists/fields.js';
import type { Predicate } from '../../domain/lists/filter.js';
import type { Listing } from '../../domain/lists/page.js';

const at =
  (...path: string[]) =>
  (item: TimelineItem) =>
    valuesAt(item, path);

/** An item with the bodies of its request and response, in which filters search. They are not part of the response to a list. */
export interface ListedItem extends TimelineItem {
  readonly bodies: () => readonly string[];
}

/** The fields for filters on items; null if a kind of item does not have the field. */
export const timelineFilters: FilterFields<ListedItem, FilterFieldOf<'timeline'>> = {
  order: decimal(({ order }) => order),
  at: timestamp((item) => item.at),
  realAt: timestamp(({ realAt }) => realAt),
  kind: text(({ kind }) => kind),
  id: text(({ id }) => id),
  resource: text(({ resource }) => resource),
  resourceId: text(({ resourceId }) => resourceId),
  summary: text(({ summary }) => summary),
  status: text(({ status }) => status),
  ms: decimal(({ ms }) => ms),
  causeId: text(({ causeId }) => causeId),
  generation: decimal(({ generation }) => generation),
  test: text(({ test }) => test),
  'request.method': text(at('request', 'method')),
  'request.path': text(at('request', 'path')),
  'request.operationId': text(at('request', 'operationId')),
  'request.code': text(at('request', 'code')),
  'request.outcome': text(at('request', 'outcome')),
  'request.replay': flag(at('request', 'replay')),
  'request.ruleId': text(at('request', 'ruleId')),
  'request.bodies': text(({ bodies }) => bodies()),
  'attempt.deliveryId': text(at('attempt', 'deliveryId')),
  'attempt.eventType': text(at('attempt', 'eventType')),
  'attempt.url': text(at('attempt', 'url')),
  'attempt.attemptKind': text(at('attempt', 'attemptKind')),
  'attempt.httpStatus': decimal(at('attempt', 'httpStatus')),
  'state.from': text(at('state', 'from')),
  'state.to': text(at('state', 'to')),
  'state.reason.code': text(at('state', 'reason', 'code')),
  'delivery.eventType': text(at('delivery', 'eventType')),
  'delivery.url': text(at('delivery', 'url')),
  'operation.type': text(at('operation', 'type')),
  'operation.payee': text(at('operation', 'payee')),
  'operation.source.asset': text(at('operation', 'source', 'asset')),
  'operation.source.value': decimal(at('operation', 'source', 'value')),
  'operation.target.value': decimal(at('operation', 'target', 'value')),
  'finding.rule': text(at('finding', 'rule')),
  'finding.severity': text(at('finding', 'severity')),
  'rule.scenario': text(at('rule', 'scenario')),
  'rule.name': text(at('rule', 'name')),
};

/** Maximum number of different values of a field that are counted. */
const maxCountedValues = 1000;

/** Counts the matching items of a list, and the values of their facet fields. */
export function* countMatches(
  listing: Listing<ListedItem>,
  passes: Predicate<ListedItem>,
): Interruptible<{ readonly total: number; readonly facets: Facet[] }> {
  const counts = new Map(facetFields.map((field) => [field, new Map<string, number>()]));
  let total = 0;
  for (const item of listing.walk(1, null)) {
    yield;
    if (!passes(item)) continue;
    total += 1;
    for (const [field, values] of counts) {
      const value = [timelineFilters[field].read(item)].flat()[0] ?? null;
      const key = String(value);
      if (value !== null && (values.has(key) || values.size < maxCountedValues)) values.set(key, (values.get(key) ?? 0) + 1);
    }
  }
  const facets = [...counts].map(([field, values]) => ({
    field,
    values: [...values]
      .map(([value, count]) => ({ value, count }))
      .toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .slice(0, maxFacetValues),
  }));
  return { total, facets };
}
