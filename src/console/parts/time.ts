import { signal } from '@preact/signals';
import type { Item } from '../item.js';

const settingName = 'time';

/** Whether times are those of the world, or real ones. */
export const timeMode = signal<'world' | 'real'>(localStorage.getItem(settingName) === 'real' ? 'real' : 'world');

timeMode.subscribe((mode) => localStorage.setItem(settingName, mode));

/** The time of an item in the chosen mode. */
export const timeOf = ({ at, realAt }: Pick<Item, 'at' | 'realAt'>): string => (timeMode.value === 'real' ? realAt : at);
