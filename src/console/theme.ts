import { signal } from '@preact/signals';

const settingName = 'theme';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const isTheme = (name: string | null): name is Theme => (themes as readonly (string | null)[]).includes(name);

const stored = localStorage.getItem(settingName);

/** The colour theme of the page. Default: the theme of the operating system. */
export const theme = signal<Theme>(isTheme(stored) ? stored : 'system');

theme.subscribe((name) => {
  document.documentElement.style.colorScheme = name === 'system' ? '' : name;
  localStorage.setItem(settingName, name);
});
