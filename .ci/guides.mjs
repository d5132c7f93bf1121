// Renders README, CHANGELOG and docs/ (without contributing/) as the guides that the sandbox serves: each page as HTML and as Markdown, with the
// texts for the search, and the files that the pages link. Markdown is rendered here, at build time, so that the sandbox needs no renderer.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { Marked } from 'marked';

const root = join(import.meta.dirname, '..');
const textOf = (path) => readFileSync(join(root, path), 'utf8');

/** The sections in the order in which `/docs` lists them, each with the folder of its pages. */
const sections = [
  ['Tutorials', 'docs/tutorials'],
  ['How-to guides', 'docs/how-to'],
  ['Reference', 'docs/reference'],
  ['Explanation', 'docs/explanation'],
];

/** The pages of a folder in the order in which docs/index.md links them. */
function inOrder(folder) {
  const index = textOf('docs/index.md');
  const place = (file) => index.indexOf(`(${folder.slice('docs/'.length)}/${file})`);
  const files = readdirSync(join(root, folder)).filter((file) => file.endsWith('.md'));
  return files.toSorted((a, b) => place(a) - place(b)).map((file) => `${folder}/${file}`);
}

const sources = [
  ...['README.md', 'docs/index.md'].map((path) => ({ section: 'Start', path })),
  ...sections.flatMap(([section, folder]) => inOrder(folder).map((path) => ({ section, path }))),
  ...['docs/glossary.md', 'CHANGELOG.md'].map((path) => ({ section: 'More', path })),
];

const nameOf = (path) => basename(path, '.md').toLowerCase();
const pages = new Set(sources.map(({ path }) => path));
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const anchorOf = (title) =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** Media types of the served files; every other file is plain text. */
const mediaTypes = { png: 'image/png', json: 'application/json' };

/**
 * The address of the target of a link, null if the sandbox does not serve it.
 * @param files collects the paths of the files that pages link
 */
function addressOf(from, href, extension, files) {
  if (/^(https?:|\/)/.test(href)) return href;
  const [path, anchor] = href.split('#');
  const target = path === '' ? from : normalize(join(dirname(from), path));
  const place = anchor === undefined ? '' : `#${anchor}`;
  if (pages.has(target)) return `/docs/guides/${nameOf(target)}${extension}${place}`;
  if (target.startsWith('docs/contributing/')) return null;
  if (!existsSync(join(root, target))) throw new Error(`${from} links ${href}, and there is no ${target}.`);
  files.add(target);
  return `/docs/files/${target.replace(/^docs\//, '')}`;
}

/** The table of contents and the plain text of a page: a part for each heading. */
function partsOf(tokens) {
  const parts = [];
  for (const token of tokens) {
    if (token.type === 'heading') parts.push({ id: anchorOf(token.text), title: token.text.replaceAll('`', ''), text: '' });
    else if (token.type !== 'html' && token.type !== 'space' && parts.length > 0) parts.at(-1).text += `${token.raw} `;
  }
  return parts.map((part) => ({ ...part, text: part.text.replaceAll(/[\s|`*#-]+/g, ' ').trim() }));
}

function rendered(path, files) {
  const marked = new Marked({ gfm: true });
  const ids = new Set();
  marked.use({
    renderer: {
      html: ({ text }) => (text.startsWith('<!--') ? '' : escaped(text)),
      heading({ tokens, depth, text }) {
        const id = anchorOf(text);
        ids.add(id);
        return `<h${depth} id="${escaped(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      listitem({ tokens }) {
        const [first] = tokens[0]?.tokens ?? [];
        const isTerm = (first?.type === 'codespan' || first?.type === 'strong') && !ids.has(first.text);
        if (isTerm) ids.add(first.text);
        return `<li${isTerm ? ` id="${escaped(first.text)}"` : ''}>${this.parser.parse(tokens)}</li>\n`;
      },
      code: ({ text }) => `<pre class="text" tabindex="0">${escaped(text)}</pre>\n`,
      table({ header, rows }) {
        const cells = (row, tag) => row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('');
        const lines = rows.map((row) => {
          const [only, ...others] = row[0].tokens;
          const isTerm = others.length === 0 && (only?.type === 'codespan' || only?.type === 'strong') && !ids.has(only.text);
          if (isTerm) ids.add(only.text);
          return `<tr${isTerm ? ` id="${escaped(only.text)}"` : ''}>${cells(row, 'td')}</tr>`;
        });
        const head = cells(header, 'th').replaceAll('<th>', '<th scope="col">');
        return `<div class="wide" tabindex="0" role="region" aria-label="Table"><table><thead><tr>${head}</tr></thead><tbody>${lines.join('')}</tbody></table></div>\n`;
      },
      link({ href, tokens }) {
        const address = addressOf(path, href, '', files);
        const text = this.parser.parseInline(tokens);
        return address === null ? text : `<a href="${escaped(address)}">${text}</a>`;
      },
      image: ({ href, text }) => `<img src="${escaped(addressOf(path, href, '', files))}" alt="${escaped(text)}" />`,
    },
  });
  const markdown = textOf(path);
  return { html: marked.parse(markdown), parts: partsOf(marked.lexer(markdown)) };
}

/** A page as Markdown, with links that work where the sandbox serves it. */
function served(path, files) {
  return textOf(path).replaceAll(/(!?\[[^\]\n]*\])\(([^)\s]+)\)/g, (_whole, label, href) => {
    const address = addressOf(path, href, '.md', files);
    return address === null ? label.slice(1, -1) : `${label}(${address})`;
  });
}

/** The text below a heading of the second level. */
function textBelow(markdown, title) {
  const [, text] = markdown.split(new RegExp(`^## ${title}$`, 'm'));
  if (text === undefined) throw new Error(`No page has the heading "${title}", which llms.txt needs.`);
  return text.split(/^## /m)[0].trim();
}

/** Addresses of llms.txt that are not guides. */
const contracts = [
  ['Payments API', '/openapi.json', 'OpenAPI 3.1'],
  ['Control API', '/_sandbox/openapi.json', 'OpenAPI 3.1'],
  ['Scenario schema', '/docs/files/scenarios/schema.json', 'JSON Schema of scenario files'],
  ['All guides in one file', '/llms-full.txt', 'Markdown'],
];

/** The introduction for programs: what the sandbox is, the facts for generated code, and a line for each guide of docs/index.md. */
function llms(files) {
  const introduction = textOf('README.md').split('\n\n')[1].replaceAll('\n', ' ');
  const facts = 'Facts that prevent most mistakes';
  const index = served('docs/index.md', files);
  const parts = [
    '# crossborder-sandbox',
    `> ${introduction}`,
    `## ${facts}`,
    textBelow(served('docs/how-to/use-coding-agents.md', files), facts),
    '## Contracts',
    contracts.map(([title, address, what]) => `- [${title}](${address}): ${what}`).join('\n'),
    ...sections.flatMap(([title]) => [`## ${title}`, textBelow(index, title)]),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The guides as the build stores them. */
export function guides() {
  const files = new Set(
    readdirSync(join(root, 'docs/recipes'), { recursive: true, withFileTypes: true })
      .filter((each) => each.isFile() && !/node_modules|__pycache__|\.pytest_cache|egg-info|python.build/.test(each.parentPath))
      .map((each) => join(each.parentPath, each.name).slice(root.length + 1)),
  );
  files.add('scenarios/schema.json');
  const made = sources.map(({ section, path }) => {
    const { html, parts } = rendered(path, files);
    return { name: nameOf(path), section, title: parts[0].title, html, markdown: served(path, files), parts };
  });
  const stored = [...files].toSorted().map((path) => [
    path.replace(/^docs\//, ''),
    {
      mediaType: mediaTypes[path.split('.').at(-1)] ?? 'text/plain; charset=utf-8',
      base64: readFileSync(join(root, path)).toString('base64'),
    },
  ]);
  return { pages: made, files: Object.fromEntries(stored), llms: llms(files) };
}
