import MiniSearch from 'minisearch';
import { cutToBytes } from './text.js';

/** A section of a guide: a heading with the text below it. */
interface Section {
  readonly id: number;
  readonly page: string;
  readonly address: string;
  readonly title: string;
  readonly text: string;
}

/** Maximum number of sections in a result, and of bytes in total. */
export const docsLimits = { sections: 3, bytes: 4096 } as const;

/** Finds sections of the guides by words. */
export class Search {
  readonly #sections: readonly Section[];
  readonly #index = new MiniSearch<Section>({
    fields: ['title', 'page', 'text'],
    searchOptions: { boost: { title: 3, page: 2 }, prefix: true, fuzzy: 0.2 },
  });

  /** @param guides the text of `/llms-full.txt` */
  constructor(guides: string) {
    this.#sections = sectionsOf(guides);
    this.#index.addAll(this.#sections);
  }

  /** Returns the best sections as Markdown with their addresses; empty if none matches. */
  find(query: string): string {
    const found = this.#index.search(query).slice(0, docsLimits.sections);
    const sections = found.map(({ id }) => this.#sections[id as number]!);
    const parts: string[] = [];
    let left: number = docsLimits.bytes;
    for (const [index, { address, page, title, text }] of sections.entries()) {
      const head = title === page ? `${page} (${address})` : `${page}: ${title} (${address})`;
      const share = Math.floor(left / (sections.length - index)) - 2;
      const part = cutToBytes(`## ${head}\n\n${text}`, share);
      parts.push(part);
      left -= Buffer.byteLength(part) + 2;
    }
    return parts.join('\n\n');
  }
}

/** Divides the guides at their headings. A `#` inside of a code block starts no section. */
function sectionsOf(guides: string): Section[] {
  const sections: Section[] = [];
  let [page, address, title, isCode] = ['', '', '', false];
  let lines: string[] = [];
  const end = () => {
    const text = lines.join('\n').trim();
    if (text !== '') sections.push({ id: sections.length, page, address, title, text });
    lines = [];
  };
  for (const line of guides.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const source = isCode ? undefined : /^<!-- (\/docs\/guides\/[a-z0-9-]+\.md) -->$/.exec(line)?.[1];
    const heading = isCode ? undefined : /^#{1,6} (.+)$/.exec(line)?.[1];
    if (source !== undefined) {
      end();
      [address, page] = [source, ''];
    } else if (heading !== undefined) {
      end();
      title = heading.replaceAll('`', '');
      if (page === '') page = title;
    } else lines.push(line);
  }
  end();
  return sections;
}
