import { html, raw } from 'hono/html';
import { nearestName } from '../../contract/shared/messages/nearest.js';
import { DomainError } from '../../domain/errors.js';
import { builtFile, htmlPage, type Html } from '../plane/built-page.js';
import { ReadyDocument } from '../plane/ready-document.js';

/** A guide as the build stores it. */
interface Guide {
  readonly name: string;
  readonly section: string;
  readonly title: string;
  readonly html: string;
  readonly markdown: string;
  /** Headings of the guide, each with the text below the heading, for the search. */
  readonly parts: readonly { readonly id: string; readonly title: string; readonly text: string }[];
}

interface BuiltGuides {
  readonly pages: readonly Guide[];
  /** Recipes, images and schemas that the guides link to, by path. */
  readonly files: Readonly<Record<string, { readonly mediaType: string; readonly base64: string }>>;
  readonly llms: string;
}

/** The guides that the sandbox serves. The build renders them. The sandbox reads all of them when the first is requested. */
export class Guides {
  #built: BuiltGuides | undefined;
  readonly #documents = new Map<string, ReadyDocument>();

  /** Returns the name, title and section of each guide, in the order of the contents. @throws DomainError ROUTE_NOT_FOUND if not built */
  contents(): readonly Pick<Guide, 'name' | 'title' | 'section'>[] {
    return this.#read().pages.map(({ name, title, section }) => ({ name, title, section }));
  }

  /** Returns the headings and texts of all guides as JSON, for the search. */
  searchIndex(): string {
    return JSON.stringify(this.#read().pages.map(({ name, title, parts }) => ({ name, title, parts })));
  }

  /** Returns the file llms.txt, an introduction for programs that write code. */
  llms(): string {
    return this.#read().llms;
  }

  /** Returns all guides as Markdown in one file, for programs. A comment before each guide contains its path. */
  llmsFull(): string {
    const { pages } = this.#read();
    return pages.map(({ name, markdown }) => `<!-- /docs/guides/${name}.md -->\n\n${markdown.trim()}\n`).join('\n');
  }

  /** Returns the document at a path below `/docs/guides/` or `/docs/files/`. @throws DomainError ROUTE_NOT_FOUND */
  at(path: string): ReadyDocument {
    const known = this.#documents.get(path);
    if (known) return known;
    const made = this.#make(path);
    if (!made) {
      const nearest = this.#nearest(path);
      const meant = nearest === undefined ? '' : ` Did you mean /docs/guides/${nearest.name}?`;
      const message = `There is no ${path}.${meant} /docs lists all guides, and /docs/guides/index.md has a line for each.`;
      throw new DomainError('ROUTE_NOT_FOUND', message, { method: 'GET', path });
    }
    this.#documents.set(path, made);
    return made;
  }

  /** Returns the page for a browser that asked for a guide that does not exist, with a link to the guide of the nearest name. */
  async missing(path: string): Promise<string> {
    const nearest = this.#nearest(path);
    const link = nearest && html`Did you mean <a href="/docs/guides/${nearest.name}">${nearest.title}</a>? `;
    const body = html`<h1>There is no ${path}</h1>
      <p>${link ?? ''}The <a href="/docs/guides/index">index</a> lists every page.</p>`;
    return String(await pageWith(body, { name: '', title: 'This page does not exist' }, this.#read().pages));
  }

  /** Returns the guide whose name is most similar to the end of a path; undefined if none is similar. */
  #nearest(path: string): Guide | undefined {
    const { pages } = this.#read();
    const nearest = nearestName(
      path.slice(path.lastIndexOf('/') + 1).replace(/\.(?:md|html)$/, ''),
      pages.map(({ name }) => name),
    );
    return pages.find(({ name }) => name === nearest);
  }

  #read(): BuiltGuides {
    return (this.#built ??= JSON.parse(builtFile('guides.json')) as BuiltGuides);
  }

  #make(path: string): ReadyDocument | undefined {
    const { pages, files } = this.#read();
    const [, folder, name = ''] = /^\/docs\/(guides|files)\/(.*)$/.exec(path) ?? [];
    if (folder === 'files') {
      const file = Object.hasOwn(files, name) ? files[name] : undefined;
      return file && new ReadyDocument(() => Buffer.from(file.base64, 'base64'), file.mediaType);
    }
    const guide = pages.find((each) => each.name === name.replace(/\.md$/, ''));
    if (!guide) return undefined;
    if (name.endsWith('.md')) return new ReadyDocument(() => guide.markdown, 'text/markdown; charset=utf-8');
    return new ReadyDocument(async () => String(await guidePage(guide, pages)), 'text/html; charset=utf-8');
  }
}

/** Returns the guides of each section, in the given order. */
function sectionsOf(pages: readonly Guide[]): Map<string, Guide[]> {
  const sections = new Map<string, Guide[]>();
  for (const page of pages) sections.set(page.section, [...(sections.get(page.section) ?? []), page]);
  return sections;
}

function guidePage(guide: Guide, pages: readonly Guide[]): Html {
  return pageWith(raw(guide.html), guide, pages, html` <a href="/docs/guides/${guide.name}.md">Markdown</a>`);
}

/** Returns a page with the list of guides. @param links more links in the header */
function pageWith(body: Html, { name, title }: Pick<Guide, 'name' | 'title'>, pages: readonly Guide[], links: Html | '' = ''): Html {
  const link = (each: Guide) =>
    html`<li><a href="/docs/guides/${each.name}" ${each.name === name ? raw('aria-current="page"') : ''}>${each.title}</a></li>`;
  const lists = [...sectionsOf(pages)].map(
    ([section, guides]) =>
      html`<ul aria-label="${section}">
        ${guides.map(link)}
      </ul>`,
  );
  return htmlPage(
    { title: `${title} · crossborder-sandbox`, styles: '/docs/assets/docs.css' },
    html`
      <div id="app">
        <header>
          <div class="top">
            <span class="name">crossborder-sandbox</span> <a href="/docs">API and search</a> <a href="/docs/guides/index">Guides</a>${links}
          </div>
        </header>
        <div class="columns docs">
          <nav class="nav" aria-label="Guides">${lists}</nav>
          <main>
            <div class="scroll" tabindex="0" role="region" aria-label="${title}">
              <div class="page guide">${body}</div>
            </div>
          </main>
        </div>
      </div>
    `,
  );
}
