import { text, timestamp, type FilterFields, type Value } from './fields.js';
import { current, type StateRecord } from '../machine.js';

/** Filter fields of resources with tags. */
export const tagFilters: FilterFields<
  { readonly tags: readonly { readonly key: Value; readonly value: Value }[] },
  'tags.key' | 'tags.value'
> = {
  'tags.key': text(({ tags }) => tags.map(({ key }) => key)),
  'tags.value': text(({ tags }) => tags.map(({ value }) => value)),
};

/** Filter fields of resources with a history. */
export const historyFilters: FilterFields<{ readonly states: readonly StateRecord<string>[] }, 'states.status' | 'currentState.status'> = {
  'states.status': text(({ states }) => states.map(({ status }) => status)),
  'currentState.status': text(({ states }) => current(states).status),
};

/** Filter fields of resources with timestamps. */
export const timestampFilters: FilterFields<{ readonly createdAt: string; readonly updatedAt: string }, 'createdAt' | 'updatedAt'> = {
  createdAt: timestamp(({ createdAt }) => createdAt),
  updatedAt: timestamp(({ updatedAt }) => updatedAt),
};
