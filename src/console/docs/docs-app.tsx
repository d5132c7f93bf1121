import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { CallForm } from '../try-it/call-form.js';
import { NoticeBar } from '../parts/notice.js';
import { anchorOf, type Contract } from './document.js';
import { sendableOf } from './draft.js';
import { ContractSections } from './sections.js';
import { ControlTokenForm, CredentialsForm, Start } from './start.js';
import {
  pageData,
  anchor,
  contracts,
  searchDocs,
  isGuarded,
  isLoaded,
  loadGuides,
  loadError,
  searchText,
  triedOperation,
  loadControl,
} from './state.js';

const planes = { public: 'The API', control: 'The control plane' } as const;

/** The frame of the documentation: header, contents, text and the "Try it" form. */
export function DocsApp(): JSX.Element {
  const [first] = contracts.value;
  useEffect(() => {
    document.title = `${anchor.value === '' ? 'Documentation' : anchor.value} · crossborder-sandbox`;
  });
  return (
    <>
      <a class="skip" href="#main">
        Skip to the contents
      </a>
      <header>
        <div class="top">
          <span class="name">crossborder-sandbox</span>
          <span class="dim wide">documentation</span>
          <Menu />
          <span class="space" />
          <form role="search" onSubmit={(event) => (event.preventDefault(), openFirst())}>
            <input
              type="search"
              id="search"
              aria-label="Search guides, operations, codes"
              placeholder="Search guides, operations, codes   /"
              value={searchText.value}
              onInput={({ currentTarget }) => {
                searchText.value = currentTarget.value;
                void loadGuides();
                loadControl();
              }}
            />
          </form>
          {pageData.hasControl && (
            <a class="button" href="/_sandbox/console">
              Console
            </a>
          )}
        </div>
      </header>
      <div class={`columns docs ${triedOperation.value === null ? '' : 'inspecting'}`}>
        <nav class="nav" aria-label="Contents">
          <Contents />
        </nav>
        <main id="main" tabIndex={-1}>
          <h1 class="unseen">Documentation</h1>
          <div class="column">
            <div class="scroll sheet" tabIndex={0} role="region" aria-label="Documentation text">
              {first === undefined ? <p role="status">Loading…</p> : searchText.value === '' ? <Whole /> : <Found />}
            </div>
          </div>
          <TryPane />
        </main>
      </div>
      <NoticeBar />
    </>
  );
}

/** Opens the first result of the search. */
function openFirst(): void {
  const [first] = searchDocs(searchText.peek());
  if (first !== undefined) location.href = first.href;
}

/** Returns the anchors of the parts of a document, with their names. */
function linksOf({ plane, groups }: Contract): (readonly [anchor: string, name: string])[] {
  const own = groups.map(({ anchor: to, name }) => [to, name] as const);
  return [...own, [anchorOf(plane, '', 'errors'), 'Error codes'], [anchorOf(plane, '', 'schemas'), 'Shapes']];
}

/** The contents as a menu, for windows without room for a column. */
function Menu(): JSX.Element {
  const isListed = contracts.value.some((contract) => linksOf(contract).some(([to]) => to === anchor.value));
  return (
    <select
      class="menu"
      aria-label="Contents"
      value={isListed ? anchor.value : ''}
      onChange={({ currentTarget }) => (location.hash = currentTarget.value)}
    >
      <option value="">Contents</option>
      {contracts.value.map((contract) => (
        <optgroup key={contract.plane} label={planes[contract.plane]}>
          {linksOf(contract).map(([to, name]) => (
            <option key={to} value={to}>
              {name}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}

function Contents(): JSX.Element {
  return (
    <>
      {contracts.value.map((contract) => {
        const { plane } = contract;
        return (
          <ul key={plane} aria-label={planes[plane]}>
            {linksOf(contract).map(([to, name]) => (
              <li key={to}>
                <a href={`#${to}`} aria-current={anchor.value === to ? 'true' : undefined}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        );
      })}
      {pageData.hasControl && !isLoaded('control') && (
        <ul aria-label={planes.control}>
          <li>
            <a href="#control">Operations</a>
          </li>
        </ul>
      )}
      {[...new Set(pageData.guides.map(({ section }) => section))].map((section) => (
        <ul key={section} aria-label={`Guides: ${section}`}>
          {pageData.guides
            .filter((each) => each.section === section)
            .map(({ name, title }) => (
              <li key={name}>
                <a href={`/docs/guides/${name}`}>{title}</a>
              </li>
            ))}
        </ul>
      ))}
      <ul aria-label="More">
        <li>
          <a href="/docs/findings">Findings</a>
        </li>
      </ul>
    </>
  );
}

function Whole(): JSX.Element {
  const [first] = contracts.value;
  return (
    <>
      <Start contract={first!} />
      {contracts.value.map((contract) => (
        <section key={contract.plane} aria-labelledby={`plane-${contract.plane}`}>
          <h2 id={`plane-${contract.plane}`}>{planes[contract.plane]}</h2>
          {contract.plane === 'control' && <p class="dim">{contract.description.split('\n\n')[0]}</p>}
          <ContractSections contract={contract} />
        </section>
      ))}
      {pageData.hasControl && !isLoaded('control') && (
        <section>
          <h2 id="control">{planes.control}</h2>
          {isGuarded.value ? (
            <ControlTokenForm />
          ) : (
            <button type="button" class="button" onClick={loadControl}>
              Show the operations of the control API
            </button>
          )}
        </section>
      )}
      {!pageData.hasControl && <p class="dim">The control plane has its own port, which serves its contract at /_sandbox/openapi.json.</p>}
      {loadError.value !== null && <p class="bad-text">{loadError.value}</p>}
    </>
  );
}

function Found(): JSX.Element {
  const all = searchDocs(searchText.value);
  return (
    <>
      <p role="status" class="dim">
        {all.length === 0 ? 'No result contains all these words.' : `${all.length} found${all.length > 100 ? ', the first 100' : ''}`}
      </p>
      <ul class="found">
        {all.slice(0, 100).map(({ href, method, title, detail }) => (
          <li key={href}>
            <a href={href}>
              <b class={`method ${method.toLowerCase()}`}>{method}</b> <code>{title}</code> <span class="dim">{detail}</span>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The form that sends a request for the chosen operation. */
function TryPane(): JSX.Element | null {
  const operation = triedOperation.value;
  if (operation === null) return null;
  return (
    <section class="inspector" aria-label="Try it">
      <button type="button" class="button close" aria-label="Close" onClick={() => (triedOperation.value = null)}>
        ×
      </button>
      <h2>{operation.summary}</h2>
      {operation.plane === 'public' && <CredentialsForm />}
      <CallForm
        key={operation.anchor}
        operation={sendableOf(operation)}
        hasWorld={pageData.hasControl && pageData.credentials !== null}
        about={(requestId) =>
          pageData.hasControl ? (
            <a href={`/_sandbox/console/default/calls/${requestId}`}>see it in the console</a>
          ) : (
            <code>{requestId}</code>
          )
        }
      />
    </section>
  );
}
