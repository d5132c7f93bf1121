import type { JSX } from 'preact';
import { go, linkTo, address } from './router.js';
import { screenGroups } from './screens.js';
import { failedDeliveries, findings, hasMoreWorlds, items, listedWorlds, stored, worlds } from './store.js';
import { grouped } from './parts/words.js';

/** Returns the text next to the name of a screen. */
function counts(name: string): string {
  if (name === 'timeline') return grouped(Math.max(stored.value, items.value.length));
  if (name === 'findings' && findings.value.length > 0) return `● ${findings.value.length}`;
  if (name === 'webhooks' && failedDeliveries.value > 0) return `● ${grouped(failedDeliveries.value)}`;
  if (name === 'worlds' && worlds.value.length > 1) return hasMoreWorlds.value ? `${listedWorlds}+` : String(worlds.value.length);
  return '';
}

/** A count in its own component: unlike the links, a count changes with each batch of rows. */
function Count({ name }: { readonly name: string }): JSX.Element {
  return <span class="count">{counts(name)}</span>;
}

export function NavList(): JSX.Element {
  return (
    <>
      {screenGroups.map((group) => (
        <ul key={group[0]!.name}>
          {group.map(({ name, title }) => (
            <li key={name}>
              <a
                href={linkTo({ screen: name })}
                aria-current={address.value.screen === name ? 'page' : undefined}
                onClick={(event) => {
                  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                  event.preventDefault();
                  go({ screen: name, id: null });
                }}
              >
                <span>{title}</span>
                <Count name={name} />
              </a>
            </li>
          ))}
        </ul>
      ))}
    </>
  );
}

/** The screens as a menu, for windows without room for a column. */
export function Narrow(): JSX.Element {
  return (
    <select
      class="menu"
      aria-label="Screen"
      value={address.value.screen}
      onChange={({ currentTarget }) => go({ screen: currentTarget.value, id: null })}
    >
      {screenGroups.flat().map(({ name, title }) => (
        <option key={name} value={name}>
          {title}
        </option>
      ))}
    </select>
  );
}
