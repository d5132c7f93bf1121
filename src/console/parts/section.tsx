import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { CopyButton } from './button.js';
import { grouped } from './words.js';

/** A part of the inspector with its own heading. */
export function Section({ title, children }: { readonly title: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <section class="section">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** A list of names and values. */
export function Facts({ of }: { readonly of: readonly (readonly [string, ComponentChildren])[] }): JSX.Element {
  return (
    <dl class="facts">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Number of visible lines of a folded text. */
const foldedLines = 24;
/** Maximum length of a coloured text in characters: each coloured part is a DOM node. */
const maxColoured = 20_000;

/** Returns the index after the name in a line of formatted JSON; `start` if the line has no name. */
function endOfName(line: string, start: number): number {
  if (line[start] !== '"') return start;
  let at = start + 1;
  while (at < line.length && line[at] !== '"') at += line[at] === '\\' ? 2 : 1;
  return line.startsWith(': ', at + 1) ? at + 3 : start;
}

function classOfValue(value: string): string {
  if (value.startsWith('"')) return 'json-text';
  return /^[-\d]/.test(value) ? 'json-number' : /^(true|false|null)$/.test(value) ? 'json-word' : '';
}

/** A line of formatted JSON with its name and value in their colours. */
function JsonLine({ line }: { readonly line: string }): JSX.Element {
  const start = line.length - line.trimStart().length;
  const middle = endOfName(line, start);
  const end = line.endsWith(',') ? line.length - 1 : line.length;
  const [indent, name, value, comma] = [line.slice(0, start), line.slice(start, middle), line.slice(middle, end), line.slice(end)];
  return (
    <>
      {indent}
      {name !== '' && <span class="json-name">{name}</span>}
      <span class={classOfValue(value)}>{value}</span>
      {comma}
      {'\n'}
    </>
  );
}

/** A sent text. JSON is formatted and coloured; long texts are folded. */
export function Text({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  let shown = text;
  let isJson = true;
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    isJson = false; // The text is shown unchanged.
  }
  const lines = shown.split('\n');
  const isLong = lines.length > foldedLines;
  const seen = isLong && !isOpen ? lines.slice(0, foldedLines) : lines;
  return (
    <div class="body">
      <pre class={`text ${isOpen ? 'open' : ''}`} tabIndex={0} role="region" aria-label={label}>
        {isJson && shown.length <= maxColoured ? seen.map((line, index) => <JsonLine key={index} line={line} />) : seen.join('\n')}
      </pre>
      <div class="body-tools">
        <CopyButton text={() => shown}>Copy</CopyButton>
        {isLong && (
          <button type="button" class="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Fold' : `All ${grouped(lines.length)} lines`}
          </button>
        )}
      </div>
    </div>
  );
}

/** The content of an empty screen: the reason, and how to get data. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
