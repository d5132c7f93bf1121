import { signal } from '@preact/signals';
import type { Item } from '../item.js';

const settingName = 'time';

/** Kind of the shown times: world time or real time. */
export const timeMode = signal<'world' | 'real'>(localStorage.getItem(settingName) === 'real' ? 'real' : 'world');

timeMode.subscribe((mode) => localStorage.setItem(settingName, mode));

/** Returns the time of an item in the chosen mode. */
export const timeOf = ({ at, realAt }: Pick<Item, 'at' | 'realAt'>): string => (timeMode.value === 'real' ? realAt : at);
