import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

/**
 * A text field for filters, which apply when the user presses Enter or leaves the field. Keeps a text that is being typed while the page
 * shows new data.
 */
export function FilterField(props: { value: string; placeholder: string; apply: (text: string) => void }): JSX.Element {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <input
      type="text"
      class="filter"
      aria-label="Filter"
      placeholder={props.placeholder}
      value={typed ?? props.value}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      onChange={({ currentTarget }) => {
        setTyped(null);
        props.apply(currentTarget.value.trim());
      }}
    />
  );
}
