import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { DomainError } from '../../domain/errors.js';

/** Directory of the page scripts and styles: next to the program, or `dist` if it runs from its sources or as a bundle of `.ci/run-ts.mjs`. */
const directory = [import.meta.dirname, join(import.meta.dirname, '../../../dist'), join(import.meta.dirname, '../../dist')].find((each) =>
  existsSync(join(each, 'console.js')),
);

/** Content security policy: a page may only use its own script, styles and server. */
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

/** Headers of a page and of the files that it loads. */
export const pageHeaders = {
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
};

/** Headers of a file whose name contains a hash of its content, so that the content never changes. */
export const hashedHeaders = { ...pageHeaders, 'Cache-Control': 'public, max-age=31536000, immutable' };

/** Returns the names of the scripts from the build that begin with `beginning`. */
export function builtScripts(beginning: string): string[] {
  if (directory === undefined) return [];
  return readdirSync(directory).filter((name) => name.startsWith(beginning) && name.endsWith('.js'));
}

/**
 * Returns the text of a page file from the build.
 * @throws DomainError ROUTE_NOT_FOUND if the pages were not built
 */
export function builtFile(name: string): string {
  if (directory === undefined) {
    throw new DomainError('ROUTE_NOT_FOUND', 'The pages are missing. Create them with npm run build.', { method: 'GET', path: name });
  }
  return readFileSync(join(directory, name), 'utf8');
}

/** Returns a document from the build. Calls `make` instead if the program runs from its sources. */
export async function builtDocument(name: string, make: () => string | Promise<string>): Promise<string> {
  const path = join(import.meta.dirname, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : make();
}

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** The content of `<head>`. */
interface Head {
  readonly title: string;
  /** URL of the styles. */
  readonly styles: string;
  /** URL of the script, if there is one. */
  readonly script?: string;
  /** URLs of the modules that the script imports. The browser loads them at the same time as the script. */
  readonly modules?: readonly string[];
}

/** Returns an HTML page. */
export function htmlPage({ title, styles, script, modules = [] }: Head, body: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${styles}" />
        ${modules.map((url) => html`<link rel="modulepreload" href="${url}" />`)}
        ${script === undefined ? '' : html`<script type="module" src="${script}"></script>`}
      </head>
      <body>
        ${body}
      </body>
    </html>`;
}

/** The content of a page before its script runs. */
interface Shell extends Head {
  /** Data for the script, as JSON in an attribute, because the policy forbids inline scripts. */
  readonly data?: unknown;
  /** Text for browsers without JavaScript. */
  readonly without: string;
}

/** Returns a page whose script creates the content. */
export function shellPage({ data = {}, without, ...head }: Shell): Html {
  return htmlPage(
    head,
    html`<div id="app" data-about="${JSON.stringify(data)}"></div>
      <noscript>${without}</noscript>`,
  );
}
