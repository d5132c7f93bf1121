import { signal } from '@preact/signals';
import { facetFields } from './query.js';

const settingName = 'saved-searches';
/** How many searches are saved: the oldest goes for the next. */
const maxSaved = 20;

/** A search, by the parts of the address that make it. */
export type Search = Readonly<Record<string, string>>;

const parts = ['q', 'kinds', 'failures', ...facetFields];

/** Whether something read from the browser is a search. */
const isSearch = (each: unknown): each is Search =>
  typeof each === 'object' && each !== null && Object.values(each).every((value) => typeof value === 'string');

/** Reads what is stored in the browser, which other versions of the page may have written. */
function stored(): Search[] {
  try {
    const all: unknown = JSON.parse(localStorage.getItem(settingName) ?? '[]');
    return Array.isArray(all) ? all.filter(isSearch) : [];
  } catch {
    return [];
  }
}

/** The searches that are saved in this browser, newest first. */
export const savedSearches = signal<readonly Search[]>(stored());

function keep(all: readonly Search[]): void {
  savedSearches.value = all.slice(0, maxSaved);
  localStorage.setItem(settingName, JSON.stringify(savedSearches.value));
}

/** The search in a query of the address. Every part is there, empty if it is not used, so that it replaces another search. */
export const searchOf = (query: Readonly<Record<string, string>>): Search =>
  Object.fromEntries(parts.map((part) => [part, query[part] ?? '']));

/** Ends a search. */
export const noSearch: Search = { ...searchOf({}), find: '' };

/** A search in words. */
export const searchWords = (search: Search): string =>
  parts
    .filter((part) => search[part])
    .map((part) => (part === 'q' ? search[part] : `${part}: ${search[part]}`))
    .join(', ');

export const isSaved = (search: Search): boolean => savedSearches.value.some((each) => searchWords(each) === searchWords(search));

/** Saves a search, or removes it if it is saved. */
export function toggleSaved(search: Search): void {
  const others = savedSearches.peek().filter((each) => searchWords(each) !== searchWords(search));
  keep(isSaved(search) ? others : [search, ...others]);
}
