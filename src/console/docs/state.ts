import { signal } from '@preact/signals';
import { givenCredentials, isIssuing, type Credentials } from '../api-calls.js';
import { ApiError, call, token } from '../api.js';
import { decoded } from '../router.js';
import { contractOf, type Contract, type Operation } from './document.js';

/** The facts about the server that are embedded in the page. */
interface About {
  /** Client credentials for immediate use; null if they are not public. */
  readonly credentials: Credentials | null;
  /** Whether the control API has the same port as the page. */
  readonly hasControl: boolean;
  /** The guides that the sandbox serves, in the order of the contents. */
  readonly guides: readonly { readonly name: string; readonly title: string; readonly section: string }[];
}

/** A guide with its headings and the text below each, for the search. */
interface SearchedGuide {
  readonly name: string;
  readonly title: string;
  readonly parts: readonly { readonly id: string; readonly title: string; readonly text: string }[];
}

export const pageData = JSON.parse(document.getElementById('app')?.dataset['about'] ?? '{}') as About;

/** The loaded OpenAPI documents, the public one first. */
export const contracts = signal<readonly Contract[]>([]);
/** True if the document of an API is loaded. */
export const isLoaded = (plane: Contract['plane']): boolean => contracts.value.some((contract) => contract.plane === plane);
/** The reason why a document is missing; null if none is. */
export const loadError = signal<string | null>(null);
/** Whether the document of the control API requires a token that the page does not have. */
export const isGuarded = signal(false);

/** The anchor in the address, of an operation, group, schema or code; empty without one. */
export const anchor = signal(decoded(location.hash.slice(1)));
/** The search text. */
export const searchText = signal('');
/** The texts of the guides; empty until the first search loads them. */
const guideTexts = signal<readonly SearchedGuide[]>([]);

/** Loads the texts of the guides for the search, once. */
export async function loadGuides(): Promise<void> {
  if (guideTexts.peek().length > 0) return;
  const response = await fetch('/docs/guides.json');
  if (response.ok) guideTexts.value = (await response.json()) as SearchedGuide[];
}

/** The operation in the "Try it" form; null without one. */
export const triedOperation = signal<Operation | null>(null);

/** The request for the document of the control API; undefined until the reader needs it. */
let loading: Promise<void> | undefined;

/** Loads the document of the control API, unless it is already loaded or requested. */
export function loadControl(): void {
  if (!pageData.hasControl || isLoaded('control')) return;
  loading ??= readControl().finally(() => (loading = undefined));
}

async function readControl(): Promise<void> {
  loadError.value = null;
  try {
    const document = await call<Parameters<typeof contractOf>[1]>('GET', '/openapi.json');
    contracts.value = [...contracts.peek().filter(({ plane }) => plane === 'public'), contractOf('control', document)];
    isGuarded.value = false;
  } catch (error) {
    isGuarded.value = error instanceof ApiError && error.code === 'CONTROL_TOKEN_REQUIRED';
    if (!isGuarded.value) loadError.value = 'The contract of the control plane could not be read.';
  }
}

/** Loads the OpenAPI documents, and follows changes of the address. */
export async function startDocs(): Promise<void> {
  givenCredentials.value = pageData.credentials;
  isIssuing.value = pageData.hasControl && pageData.credentials !== null;
  addEventListener('hashchange', () => {
    anchor.value = decoded(location.hash.slice(1));
    searchText.value = '';
  });
  const response = await fetch('/openapi.json');
  contracts.value = [contractOf('public', (await response.json()) as Parameters<typeof contractOf>[1])];
  anchor.subscribe((name) => {
    if (name.split('-')[0] === 'control') loadControl();
  });
  token.subscribe(() => isGuarded.peek() && loadControl());
}

interface Match {
  readonly href: string;
  readonly method: string;
  readonly title: string;
  readonly detail: string;
  /** The name for the ranking; for an operation, its id. */
  readonly name: string;
}

/** Returns the rank of a name in a search: 0 for an equal name, 3 for a name without the text. */
function rankOf(name: string, text: string): number {
  const plain = name.toLowerCase();
  if (plain === text) return 0;
  return plain.startsWith(text) ? 1 : plain.includes(text) ? 2 : 3;
}

/** Returns the operations, codes, schemas and parts of guides that contain every word of a text, best matching names first. */
export function searchDocs(text: string): readonly Match[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (...texts: readonly string[]) => words.every((word) => texts.join(' ').toLowerCase().includes(word));
  const inContracts = contracts.value.flatMap(({ groups, codes, shapes }) => [
    ...groups
      .flatMap((group) => group.operations)
      .filter(({ operationId, path, summary, description = '' }) => matches(operationId, path, summary, description))
      .map(({ anchor: to, method, path, summary, operationId }) => ({
        href: `#${to}`,
        method,
        title: path,
        detail: summary,
        name: operationId,
      })),
    ...codes
      .filter(({ code, meaning }) => matches(code, meaning))
      .map(({ anchor: to, code, meaning }) => ({ href: `#${to}`, method: 'code', title: code, detail: meaning, name: code })),
    ...shapes
      .filter(({ name, schema }) => matches(name, schema.description ?? ''))
      .map(({ anchor: to, name, schema }) => ({
        href: `#${to}`,
        method: 'shape',
        title: name,
        name,
        detail: schema.description?.split('\n')[0] ?? '',
      })),
  ]);
  const inGuides = guideTexts.value.flatMap(({ name, title, parts }) =>
    parts
      .filter((part) => matches(title, part.title, part.text))
      .map((part) => ({ href: `/docs/guides/${name}#${part.id}`, method: 'guide', title: part.title, detail: title, name: part.title })),
  );
  const name = words.join('');
  return [...inContracts, ...inGuides].toSorted((a, b) => rankOf(a.name, name) - rankOf(b.name, name));
}
