import type { JSX } from 'preact';
import { theme, themes } from '../theme.js';

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
