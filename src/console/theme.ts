import { signal } from '@preact/signals';

const settingName = 'theme';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const isTheme = (name: string | null): name is Theme => (themes as readonly (string | null)[]).includes(name);

const stored = localStorage.getItem(settingName);

/** The colours of the page: those of the system, or a choice. */
export const theme = signal<Theme>(isTheme(stored) ? stored : 'system');

theme.subscribe((name) => {
  document.documentElement.style.colorScheme = name === 'system' ? '' : name;
  localStorage.setItem(settingName, name);
});
