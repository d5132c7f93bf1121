import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { DomainError } from '../domain/errors.js';

/** Where the scripts and styles of pages are: beside the program, or where the build puts them while it runs from its sources. */
const directory = [import.meta.dirname, join(import.meta.dirname, '../../dist')].find((each) => existsSync(join(each, 'console.js')));

/** What a page of this origin may do: run its own script and styles, ask its own server, and nothing else. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/** What goes with a page and with all that it loads. */
export const pageHeaders = {
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
};

/**
 * The text of a file that the build has made for a page.
 * @throws DomainError ROUTE_NOT_FOUND when it was not built
 */
export function builtFile(name: string): string {
  if (directory === undefined) {
    throw new DomainError('ROUTE_NOT_FOUND', 'The pages are not there: npm run build makes them.', { method: 'GET', path: name });
  }
  return readFileSync(join(directory, name), 'utf8');
}

/** The text of a document that the build has put beside the program; made by `make` if the program runs from its sources. */
export function builtDocument(name: string, make: () => string): string {
  const path = join(import.meta.dirname, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : make();
}

/** The text of a page. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** What is said of a page ahead of its content. */
interface Head {
  readonly title: string;
  /** Where its styles are. */
  readonly styles: string;
  /** Where its script is, if it has one. */
  readonly script?: string;
}

/** A page of this origin. */
export function htmlPage({ title, styles, script }: Head, body: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${styles}" />
        ${script === undefined ? '' : html`<script defer src="${script}"></script>`}
      </head>
      <body>
        ${body}
      </body>
    </html>`;
}

/** What a page begins with before its script runs. */
interface Shell extends Required<Head> {
  /** What its script is told, as JSON in an attribute: no script can stand in the page itself. */
  readonly data?: unknown;
  /** What those read who run no scripts. */
  readonly without: string;
}

/** A page whose content is made by its script. */
export function shellPage({ data = {}, without, ...head }: Shell): Html {
  return htmlPage(
    head,
    html`<div id="app" data-about="${JSON.stringify(data)}"></div>
      <noscript>${without}</noscript>`,
  );
}
