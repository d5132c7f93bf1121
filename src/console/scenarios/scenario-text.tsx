import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { loadQuietly } from '../notices.js';
import { suggestionsAt, type ScenarioWords, type Suggestions } from './completion.js';

const none: Suggestions = { start: 0, options: [] };

let words: Promise<ScenarioWords> | undefined;

async function readWords(): Promise<ScenarioWords> {
  try {
    const response = await fetch('/_sandbox/console/assets/console-scenario-words.json');
    return (await response.json()) as ScenarioWords;
  } catch (error) {
    words = undefined; // The next editor requests them again.
    throw error;
  }
}

interface ScenarioTextProps {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly maxLength: number;
}

/** A field for the text of a scenario. While the user types, it suggests names and values. */
export function ScenarioText({ text, setText, maxLength }: ScenarioTextProps): JSX.Element {
  const [known, setKnown] = useState<ScenarioWords>({ names: [], values: {} });
  const [{ start, options }, setSuggestions] = useState(none);
  const [chosen, setChosen] = useState(-1);
  const area = useRef<HTMLTextAreaElement>(null);
  /** Cursor position to set after the next render; null to leave the cursor. */
  const cursor = useRef<number | null>(null);
  useEffect(() => void loadQuietly(async () => setKnown(await (words ??= readWords()))), []);
  useLayoutEffect(() => {
    if (cursor.current !== null) area.current!.setSelectionRange(cursor.current, cursor.current);
    cursor.current = null;
  }, [text]);
  const close = () => {
    setSuggestions(none);
    setChosen(-1);
  };
  const accept = (word: string) => {
    cursor.current = start + word.length;
    setText(text.slice(0, start) + word + text.slice(area.current!.selectionStart));
    close();
    area.current!.focus();
  };
  const press = (event: KeyboardEvent) => {
    if (options.length === 0) return;
    if (event.key === 'ArrowDown') setChosen((chosen + 1) % options.length);
    else if (event.key === 'ArrowUp' && chosen >= 0) setChosen(chosen - 1);
    else if (event.key === 'Enter' && chosen >= 0) accept(options[chosen]!);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="completing">
      <textarea
        id="scenario-text"
        ref={area}
        class="mono"
        aria-label="Scenario, as YAML or JSON"
        aria-autocomplete="list"
        aria-controls="scenario-words"
        aria-activedescendant={chosen < 0 ? undefined : `scenario-word-${chosen}`}
        rows={Math.max(6, Math.min(24, text.split('\n').length + 1))}
        spellcheck={false}
        maxLength={maxLength}
        value={text}
        onKeyDown={press}
        onBlur={close}
        onInput={({ currentTarget: { value, selectionStart } }) => {
          setText(value);
          setSuggestions(suggestionsAt(value, selectionStart, known));
          setChosen(-1);
        }}
      />
      <ul class="commands suggestions" id="scenario-words" role="listbox" aria-label="Suggestions" hidden={options.length === 0}>
        {options.map((word, index) => (
          <li
            key={word}
            id={`scenario-word-${index}`}
            role="option"
            aria-selected={index === chosen}
            onMouseDown={(event) => (event.preventDefault(), accept(word))}
          >
            {word}
          </li>
        ))}
      </ul>
      {options.length > 0 && <p class="dim">Press ↓ and Enter to accept a suggestion, Esc to close.</p>}
    </div>
  );
}
