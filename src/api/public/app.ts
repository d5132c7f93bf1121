import type { Context } from 'hono';
import type { Version } from '../../contract/versions/version.js';
import { contractHeaders } from '../plane/every-response.js';
import { builtDocument, builtFile, pageHeaders, shellPage } from '../plane/built-page.js';
import { checkBrowser, checkSite } from '../plane/guard.js';
import { favicon } from '../plane/favicon.js';
import type { DocumentResponse } from '../plane/plane.js';
import { ReadyDocument } from '../plane/ready-document.js';
import { unrouted, withoutEndSlashes } from '../plane/unrouted.js';
import { otherWays } from './other-ways.js';
import { DomainError } from '../../domain/errors.js';
import { findingsPage } from '../../analysis/project/findings/page.js';
import { startPage } from '../plane/start-page.js';
import { defaultWorld } from '../../world/identity.js';
import { publicDocument } from './document.js';
import { Guides } from './guides.js';
import { PublicPlane, type PublicPlaneOptions } from './plane.js';
import { serveRoutes } from './routes.js';

/** Creates the payments API of a sandbox. */
export function createPublicPlane(options: PublicPlaneOptions): PublicPlane {
  const plane = new PublicPlane(options);
  const { app } = plane;
  serveRoutes(plane);
  serveDocument(plane, options);

  app.notFound((c) => {
    const places = [...plane.versionOf(c).routes, ...plane.documentPaths];
    return plane.reject(c, unrouted(places, c.req.method, c.req.path, '/openapi.json', otherWays));
  });
  return plane;
}

/** Serves the OpenAPI document and the pages of the API. */
function serveDocument(plane: PublicPlane, { isGuarded = false, hasControl = true }: PublicPlaneOptions): void {
  const documents = new Map(plane.sandbox.versions.map((version, index) => [version, readyDocuments(version, index === 0)]));
  const documentFor = (c: Context) => documents.get(plane.versionOf(c))!;
  plane.serveDocument('/openapi.json', 'application/json', (c) => documentFor(c).json, contractHeaders);
  plane.serveDocument('/openapi.yaml', 'application/yaml', (c) => documentFor(c).yaml, contractHeaders);
  const page = (path: string, type: string, text: (c: Context) => DocumentResponse | Promise<DocumentResponse>) =>
    plane.serveDocument(
      path,
      type,
      (c) => {
        checkBrowser(c.req.raw.headers, plane);
        checkSite(c.req.raw);
        return text(c);
      },
      pageHeaders,
    );
  const html = 'text/html; charset=utf-8';
  const credentials = isGuarded ? null : defaultWorld;
  const guides = new Guides();
  const shell = () =>
    shellPage({
      title: 'Documentation · crossborder-sandbox',
      script: '/docs/assets/docs.js',
      styles: '/docs/assets/docs.css',
      data: {
        credentials: credentials && { clientId: credentials.clientId, clientSecret: credentials.clientSecret },
        hasControl,
        guides: guides.contents(),
      },
      without:
        'The documentation requires JavaScript. The same content is in /openapi.json and /openapi.yaml, and the guides are at /docs/guides/index.',
    });
  const ready = (path: string, type: string, text: () => string | Buffer | Promise<string>) => {
    const made = new ReadyDocument(text);
    page(path, type, () => made);
  };
  ready('/docs', html, async () => String(await shell()));
  ready('/docs/guides.json', 'application/json', () => guides.searchIndex());
  ready('/llms.txt', 'text/plain; charset=utf-8', () => guides.llms());
  ready('/llms-full.txt', 'text/plain; charset=utf-8', () => guides.llmsFull());
  page('/docs/guides/*', html, (c) => {
    if (withoutEndSlashes(c.req.path) === '/docs/guides') return { status: 302, body: null, headers: { Location: '/docs/guides/index' } };
    return guideFor(c, guides);
  });
  ready('/favicon.ico', 'image/x-icon', () => favicon);
  ready('/robots.txt', 'text/plain; charset=utf-8', () => 'User-agent: *\nDisallow: /\n');
  page('/docs/files/*', 'text/plain; charset=utf-8', (c) => guides.at(c.req.path));
  ready('/docs/assets/docs.js', 'text/javascript; charset=utf-8', () => builtFile('docs.js'));
  ready('/docs/assets/start.js', 'text/javascript; charset=utf-8', () => builtFile('start.js'));
  ready('/docs/assets/docs.css', 'text/css; charset=utf-8', () => builtFile('docs.css'));
  ready('/docs/findings', html, async () => String(await findingsPage()));
  page('/', html, (c) => {
    if (!c.req.header('accept')?.includes('text/html')) throw nothingHere();
    return startPage({ baseUrl: new URL(c.req.url).origin, credentials, hasControl });
  });
}

/** Returns the OpenAPI document of a version. @param isNewest true for the newest version, whose document the build has written */
function readyDocuments(version: Version, isNewest: boolean): { readonly json: ReadyDocument; readonly yaml: ReadyDocument } {
  const { json, yaml } = publicDocument(version);
  return {
    json: new ReadyDocument(() => (isNewest ? builtDocument('openapi-public.json', json) : json())),
    yaml: new ReadyDocument(() => (isNewest ? builtDocument('openapi-public.yaml', yaml) : yaml())),
  };
}

/** Returns the guide at the path of a request; for a browser, a page with status 404 if there is none. @throws DomainError ROUTE_NOT_FOUND */
function guideFor(c: Context, guides: Guides): DocumentResponse | Promise<DocumentResponse> {
  try {
    return guides.at(c.req.path);
  } catch (error) {
    if (!(error instanceof DomainError) || !c.req.header('accept')?.includes('text/html')) throw error;
    return guides.missing(c.req.path).then((body) => ({ status: 404, body, headers: {} }));
  }
}

/** Returns the error for GET / from a client that does not accept HTML. */
function nothingHere(): DomainError {
  const message = 'There is no GET /. See GET /openapi.json for all requests, or open /docs in a browser.';
  return new DomainError('ROUTE_NOT_FOUND', message, { method: 'GET', path: '/' });
}
