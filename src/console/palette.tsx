import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { call, get } from './api.js';
import { advance, freezeOrRun, runClockAction, nextTimer, steps } from './clock-actions.js';
import { idsOf } from './ids.js';
import { closeDialog, keys } from './keys.js';
import { runAction, loadQuietly, unchanged } from './notices.js';
import { chooseReplay } from './replay/choose-file.js';
import { go, show, world } from './router.js';
import { faultText, removeFault } from './scenarios/fault-removal.js';
import { presets } from './scenarios/presets.js';
import { screens } from './screens.js';
import { worlds, type Fault } from './store.js';

/** A command that is available on every screen: its text and its action. */
type Command = readonly [words: string, act: () => unknown];

function takeSnapshot(): Promise<boolean> {
  const name = `console-${Date.now()}`;
  return runAction(() => call('POST', '/snapshots', { name }), `Took the snapshot ${name}.`);
}

/** Keys that the palette does not list: another command does the same, or the key is useful only as a key. */
const known = new Set(['f', '.', '+', '?', '/', 'j', 'k']);

/** The commands of every world. */
const fixed: readonly Command[] = [
  ...screens.map(({ name, title }): Command => [`Go to ${title}`, () => go({ screen: name, id: null })]),
  ['Freeze the clock, or let it run', () => runClockAction(freezeOrRun)],
  ['Advance to the next timer', () => runClockAction(nextTimer)],
  ...steps.map(([, by, words]): Command => [`Advance by ${words}`, () => runClockAction(() => advance({ by }))]),
  ['Advance until nothing is pending', () => runClockAction(() => advance({ untilIdle: true }))],
  ['Take a snapshot', takeSnapshot],
  ...presets.map(([words, fault]): Command => [
    `Add the fault: ${words}`,
    () => runAction(() => call('POST', '/faults', fault), `Added the fault: ${words}.`),
  ]),
  ['Open a replay file', chooseReplay],
  [
    'Deliver all webhooks that are due',
    () => runAction(() => call('POST', '/deliveries/flush', {}), 'All webhooks that were due are delivered.'),
  ],
  ...Object.entries(keys)
    .filter(([key]) => !known.has(key))
    .map(([key, [words, act]]): Command => [`${words[0]!.toUpperCase()}${words.slice(1)} (${key})`, act]),
];

/** Returns the commands of the open world. */
async function commandsNow(): Promise<readonly Command[]> {
  const [scenarios, faults] = await Promise.all([
    get<{ data: readonly { name: string }[] }>('/scenarios'),
    get<{ data: readonly Fault[] }>('/faults'),
  ]);
  return [
    ...scenarios.data.map(({ name }): Command => [
      `Use the scenario ${name}`,
      () => runAction(() => call('PUT', '/scenario', { name }), `The scenario ${name} is active.`),
    ]),
    ...faults.data.map((fault): Command => [`Remove the fault: ${faultText(fault)}`, () => runAction(() => removeFault(fault), unchanged)]),
  ];
}

/** The content of the command palette: searches commands, worlds, scenarios, faults and ids. */
export function Commands(): JSX.Element {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const [now, setNow] = useState<readonly Command[]>([]);
  const [named, setNamed] = useState<readonly Command[]>([]);
  const list = useRef<HTMLUListElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current!.focus(), []); // The dialog may open before this script is loaded.
  useEffect(() => void loadQuietly(async () => setNow(await commandsNow())), []);
  useEffect(() => {
    let isWanted = true;
    const look = async () => {
      const found = await idsOf(text);
      if (isWanted) setNamed(found.map(({ id, what, pane }): Command => [`Show ${id}: ${what}`, () => show(pane)]));
    };
    const timer = setTimeout(() => void loadQuietly(look), 150);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [text]);
  const others = worlds.value
    .filter(({ name }) => name !== world.value)
    .map(({ name }): Command => [`Open the world ${name}`, () => go({ world: name, id: null, query: { show: '' } })]);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const suits = ([each]: Command) => words.every((word) => each.toLowerCase().includes(word));
  const found = [...named, ...[...fixed, ...others, ...now].filter(suits)];
  const chosen = Math.max(0, Math.min(at, found.length - 1));
  useEffect(() => list.current?.children[chosen]?.scrollIntoView({ block: 'nearest' }), [chosen]);
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    closeDialog('commands');
    command[1]();
  };
  const press = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    setAt(Math.max(0, Math.min(chosen + by, found.length - 1)));
  };
  return (
    <>
      <form onSubmit={(event) => (event.preventDefault(), run(found[chosen]))}>
        <input
          type="text"
          ref={input}
          role="combobox"
          aria-label="Command"
          aria-expanded="true"
          aria-controls="commands"
          aria-activedescendant={found.length > 0 ? `command-${chosen}` : undefined}
          placeholder="A command, a world, a scenario, or the first four characters of an id"
          autocomplete="off"
          value={text}
          onKeyDown={press}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            setAt(0);
          }}
        />
      </form>
      <ul class="commands" id="commands" role="listbox" aria-label="Commands" ref={list}>
        {found.map((command, index) => (
          <li key={command[0]} id={`command-${index}`} role="option" aria-selected={index === chosen} onClick={() => run(command)}>
            {command[0]}
          </li>
        ))}
      </ul>
      {found.length === 0 && <p role="status">No command contains these words, and no id starts with them.</p>}
    </>
  );
}
