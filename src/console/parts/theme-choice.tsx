import { signal } from '@preact/signals';
import type { JSX } from 'preact';

const settingName = 'theme';

const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const isTheme = (name: string | null): name is Theme => (themes as readonly (string | null)[]).includes(name);

const stored = localStorage.getItem(settingName);

/** The colour theme of the page. Default: the theme of the operating system. */
const theme = signal<Theme>(isTheme(stored) ? stored : 'system');

theme.subscribe((name) => {
  document.documentElement.style.colorScheme = name === 'system' ? '' : name;
  localStorage.setItem(settingName, name);
});

/** A menu with the colour themes of the page. */
export function ThemeChoice(): JSX.Element {
  return (
    <select
      class="theme"
      aria-label="Colours"
      value={theme.value}
      onChange={({ currentTarget }) => (theme.value = themes.find((name) => name === currentTarget.value)!)}
    >
      {themes.map((name) => (
        <option key={name} value={name}>
          Colours: {name}
        </option>
      ))}
    </select>
  );
}
