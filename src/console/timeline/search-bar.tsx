import type { JSX } from 'preact';
import { countText } from '../notices.js';
import { go, address } from '../router.js';
import type { SearchResult } from './search-result.js';
import { facetFields, facetWords, invalidPart, isFilter } from './query.js';
import { isSaved, noSearch, savedSearches, searchOf, searchWords, toggleSaved } from './saved.js';
import { grouped } from '../parts/words.js';

/** The facets, the number of results and the error of a search, and the saved searches. */
export function SearchBar({ found: { items, meta, error, details, more } }: { readonly found: SearchResult }): JSX.Element {
  const { query } = address.value;
  const text = query['q'] ?? '';
  const search = searchOf(query);
  const words = searchWords(search);
  const parts = error === null || !isFilter(text) ? null : invalidPart(text, details);
  return (
    <div class="bar search-bar" role="group" aria-label="Search">
      {facetFields.map((field) => {
        const values = meta?.facets?.find((facet) => facet.field === field)?.values ?? [];
        const chosen = query[field] ?? '';
        if (values.length === 0 && chosen === '') return null;
        return (
          <select
            key={field}
            aria-label={facetWords[field]}
            class={chosen === '' ? '' : 'chosen'}
            value={chosen}
            onChange={({ currentTarget }) => go({ query: { [field]: currentTarget.value } })}
          >
            <option value="">{facetWords[field]}: any</option>
            {values.every(({ value }) => value !== chosen) && chosen !== '' && <option value={chosen}>{chosen} (0)</option>}
            {values.map(({ value, count }) => (
              <option key={value} value={value}>
                {value} ({grouped(count)})
              </option>
            ))}
          </select>
        );
      })}
      {savedSearches.value.length > 0 && (
        <select
          aria-label="Saved searches"
          value=""
          onChange={({ currentTarget }) => {
            const chosen = savedSearches.value[Number(currentTarget.value)];
            if (chosen !== undefined) go({ query: { ...searchOf(chosen), find: 'on' } });
          }}
        >
          <option value="">Saved: {savedSearches.value.length}</option>
          {savedSearches.value.map((each, index) => (
            <option key={searchWords(each)} value={index}>
              {searchWords(each)}
            </option>
          ))}
        </select>
      )}
      {words !== '' && (
        <button type="button" class="quiet" aria-pressed={isSaved(search)} onClick={() => toggleSaved(search)}>
          {isSaved(search) ? 'Delete this search' : 'Save this search'}
        </button>
      )}
      <button type="button" class="quiet" onClick={() => go({ query: noSearch })}>
        Clear
      </button>
      <span class="space" />
      <span class="dim" role="status">
        {meta?.total !== undefined && meta.total !== null && items !== null && (
          <>
            {countText(meta.total, 'event')}
            {items.length < meta.total && `, the newest ${grouped(items.length)} shown`}
          </>
        )}
      </span>
      {more !== null && (
        <button type="button" class="button" onClick={() => void more()}>
          More
        </button>
      )}
      {error !== null && (
        <p class="bad-text" role="alert">
          {parts !== null && (
            <code>
              {parts[0]}
              <u>{parts[1]}</u>
              {parts[2]}
            </code>
          )}{' '}
          {error}
        </p>
      )}
    </div>
  );
}
