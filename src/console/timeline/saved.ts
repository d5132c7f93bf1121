import { signal } from '@preact/signals';
import { facetFields } from './query.js';

const settingName = 'saved-searches';
/** Maximum number of saved searches; a further one replaces the oldest. */
const maxSaved = 20;

/** The query parameters of a search. */
export type Search = Readonly<Record<string, string>>;

const parts = ['q', 'kinds', 'failures', ...facetFields];

/** Whether a value from the storage of the browser is a search. */
const isSearch = (each: unknown): each is Search =>
  typeof each === 'object' && each !== null && Object.values(each).every((value) => typeof value === 'string');

/** Reads the saved searches, without invalid ones from other versions of the page. */
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

/** Returns the search in the query of the address. Unused parameters are empty, so that they replace those of another search. */
export const searchOf = (query: Readonly<Record<string, string>>): Search =>
  Object.fromEntries(parts.map((part) => [part, query[part] ?? '']));

/** The query parameters that end a search. */
export const noSearch: Search = { ...searchOf({}), find: '' };

/** Returns a search as text. */
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
