import type { ComponentChildren, JSX } from 'preact';

/** A text in which words in backticks are shown as code. @param linkOf returns the link target of a code word; null for none */
export function TextWithCode({
  text,
  linkOf = () => null,
}: {
  readonly text: string;
  readonly linkOf?: (word: string) => string | null;
}): JSX.Element {
  const part = (word: string, index: number): ComponentChildren => {
    if (index % 2 === 0) return word;
    const href = linkOf(word);
    return href === null ? (
      <code key={index}>{word}</code>
    ) : (
      <a key={index} href={href}>
        <code>{word}</code>
      </a>
    );
  };
  return <>{text.split('`').map(part)}</>;
}

/** A description in Markdown: paragraphs, lists and tables. */
export function Prose({ text, linkOf }: { readonly text: string; readonly linkOf?: (word: string) => string | null }): JSX.Element {
  const words = (each: string) => <TextWithCode text={each} {...(linkOf === undefined ? {} : { linkOf })} />;
  return (
    <>
      {text.split('\n\n').map((block, index) => {
        const lines = block.split('\n');
        if (lines.every((line) => line.startsWith('- '))) {
          return (
            <ul key={index} class="bullets">
              {lines.map((line) => (
                <li key={line}>{words(line.slice(2))}</li>
              ))}
            </ul>
          );
        }
        if (lines.every((line) => line.startsWith('|'))) return <Table key={index} lines={lines} words={words} />;
        return <p key={index}>{words(block)}</p>;
      })}
    </>
  );
}

function Table({ lines, words }: { readonly lines: readonly string[]; readonly words: (text: string) => JSX.Element }): JSX.Element {
  const [heads = [], , ...rows] = lines.map((line) =>
    line
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim()),
  );
  return (
    <table>
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {row.map((cell, at) => (
              <td key={at}>{words(cell)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
