import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { call, isPartner, missingWorld, needsToken, setToken, token } from './api.js';
import { ClockBar } from './clock-bar.js';
import { Help } from './dialogs.js';
import { idsOf } from './ids.js';
import { Inspector, inspectorWidth } from './inspector.js';
import { Narrow, NavList } from './nav.js';
import { closeDialog, dialog } from './keys.js';
import { runAction, loadQuietly } from './notices.js';
import { Dialog } from './parts/dialog.js';
import { loadedOnDemand } from './parts/later.js';
import { newRowsAbove, toTop } from './parts/list.js';
import { NoticeBar } from './parts/notice.js';
import { QuestionDialog } from './parts/question.js';
import { Empty } from './parts/section.js';
import { ThemeChoice } from './parts/theme-choice.js';
import { go, isNamed, linkTo, address, show, world } from './router.js';
import { DropHint } from './replay/choose-file.js';
import { isScreen, screenNamed } from './screens.js';
import { changes, connection, hasMoreWorlds, refreshWorlds, worlds } from './store.js';

/** The command palette. */
const Commands = loadedOnDemand((parts) => parts.Commands);

const connectionWords = { connecting: 'connecting', live: 'live', lost: 'lost, trying', refused: 'refused' } as const;

/** The frame of every screen: header, navigation, content and inspector. */
export function App(): JSX.Element {
  const { screen, query } = address.value;
  const found = screenNamed(screen);
  // An item of the world is not shown next to a file, nor a step of the file next to a world.
  const isInspecting = Boolean(query['show']) && query['show']!.startsWith('replay/') === (found.isLocal === true);
  const isReady = found.isLocal === true || (!needsToken.value && missingWorld.value === null);
  useEffect(() => {
    document.title = [found.title, ...(isNamed.value ? [world.value] : []), 'crossborder-sandbox'].join(' · ');
  });
  return (
    <>
      <a class="skip" href="#main">
        Skip to the list
      </a>
      <header>
        <div class="top">
          <span class="name">crossborder-sandbox</span>
          <Narrow />
          {!needsToken.value && (isNamed.value || missingWorld.value === null) && <WorldChoice />}
          <span class={`live ${missingWorld.value === null ? connection.value : 'missing'}`} role="status">
            <span aria-hidden="true">● </span>
            <span class="wordy">{missingWorld.value === null ? connectionWords[connection.value] : 'no such world'}</span>
          </span>
          <button type="button" class="quiet news" hidden={newRowsAbove.value === 0} onClick={toTop}>
            {newRowsAbove.value} new ↑
          </button>
          <span class="space" />
          <form role="search" onSubmit={(event) => (event.preventDefault(), void loadQuietly(() => find(query['q'] ?? '')))}>
            <input
              type="search"
              id="search"
              aria-label="Search calls, ids, events"
              placeholder="Search, an id, or status[eq]=422   /"
              value={query['q'] ?? ''}
              onInput={({ currentTarget }) => go({ query: { q: currentTarget.value } }, { replace: true })}
            />
          </form>
          <ThemeChoice />
          <Help />
          <Dialog title="Commands" open={dialog.value === 'commands'} close={() => closeDialog('commands')}>
            <Commands />
          </Dialog>
        </div>
        {!found.isLocal && <ClockBar />}
      </header>
      <div class={`columns ${isInspecting ? 'inspecting' : ''}`} style={{ '--inspector': `${inspectorWidth.value}px` }}>
        <nav class="nav" aria-label="Screens">
          <NavList />
        </nav>
        {/* The key discards all data that the screen and the inspector have loaded from another world. */}
        <main id="main" tabIndex={-1} key={world.value}>
          <h1 class="unseen">{found.title}</h1>
          <div class="column">
            {!isScreen(screen) ? (
              <NoScreen name={screen} />
            ) : isReady ? (
              <found.Component />
            ) : needsToken.value ? (
              <TokenForm />
            ) : (
              <MissingWorld />
            )}
          </div>
          {isInspecting && (found.isLocal === true || missingWorld.value === null) && <Inspector />}
        </main>
      </div>
      <News />
      <NoticeBar />
      <QuestionDialog />
      <DropHint />
    </>
  );
}

/** The open world, and the others that the caller may open. */
function WorldChoice(): JSX.Element {
  const names = [...new Set([...worlds.value.map(({ name }) => name), world.value])];
  const choose = (name: string) => (name === '' ? go({ screen: 'worlds', id: null }) : go({ world: name }));
  return (
    <label class="world">
      <span class="wordy">world </span>
      {isPartner() ? (
        <b>{world.value}</b>
      ) : (
        <select
          value={world.value}
          onFocus={() => void loadQuietly(refreshWorlds)}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          {names.map((name) => (
            <option key={name} value={name}>
              {name === missingWorld.value ? `${name} (does not exist)` : name}
            </option>
          ))}
          {hasMoreWorlds.value && <option value="">Find another world…</option>}
        </select>
      )}
    </label>
  );
}

/** Searches the timeline. If the text is the beginning of exactly one id, also shows that item in the inspector. */
async function find(text: string): Promise<void> {
  if (address.peek().screen !== 'timeline') go({ screen: 'timeline', id: null, query: { q: text } });
  const [first, ...others] = await idsOf(text);
  if (first !== undefined && others.length === 0) show(first.pane);
}

/** Announces the number of new timeline items to screen readers, every five seconds. */
function News(): JSX.Element {
  const [told, setTold] = useState({ count: 0, text: '' });
  useEffect(() => {
    const timer = setInterval(() => {
      setTold(({ count }) => {
        const now = Object.values(changes.peek()).reduce((sum, each) => sum + each, 0);
        return { count: now, text: now > count ? `${now - count} new` : '' };
      });
    }, 5000);
    return () => clearInterval(timer);
  }, []);
  return (
    <div class="unseen" role="status">
      {told.text}
    </div>
  );
}

/** Says that the world in the address does not exist, and offers the existing worlds. */
function MissingWorld(): JSX.Element {
  const [name, setName] = useState(isNamed.value ? world.value : '');
  const create = () =>
    runAction(async () => {
      const { name: created } = await call<{ name: string }>('POST', '/worlds', name === '' ? {} : { name });
      await refreshWorlds();
      missingWorld.value = null;
      location.href = linkTo({ world: created });
    });
  return (
    <div class="empty" role="alert">
      <h2>{isNamed.value ? `The world ${world.value} does not exist` : 'There is no world yet'}</h2>
      {isNamed.value && <p>It was deleted, or has never been created. {worlds.value.length > 0 && 'These worlds exist:'}</p>}
      <ul class="plain">
        {worlds.value.map((each) => (
          <li key={each.name}>
            <button type="button" class="button" onClick={() => go({ world: each.name })}>
              Open {each.name}
            </button>
          </li>
        ))}
        {hasMoreWorlds.value && <li class="dim">There are more. Put the name of a world in the address to open it.</li>}
      </ul>
      <form class="moves" onSubmit={(event) => (event.preventDefault(), void create())}>
        <input
          type="text"
          aria-label="Name of a new world"
          placeholder="acme"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <button type="submit" class="button">
          Create {name === '' ? 'a world' : name}
        </button>
      </form>
    </div>
  );
}

/** Says that the console has no screen with the name in the address. */
function NoScreen({ name }: { readonly name: string }): JSX.Element {
  return (
    <Empty title={`There is no screen ${name}`}>
      <button type="button" class="button" onClick={() => go({ screen: 'timeline', id: null })}>
        Open the timeline
      </button>
    </Empty>
  );
}

/** Asks for the token of the control API, as a partner or an operator has it. */
function TokenForm(): JSX.Element {
  const [value, setValue] = useState('');
  return (
    <form class="empty" onSubmit={(event) => (event.preventDefault(), setToken(value.trim()))}>
      <h2>This sandbox asks who you are</h2>
      <dl class="facts">
        <dt>You have a world</dt>
        <dd>
          Enter its client id and secret as <code>clientId:clientSecret</code>. You see this world only.
        </dd>
        <dt>You operate the sandbox</dt>
        <dd>Enter the control token, the value of SANDBOX_CONTROL_TOKEN. You see all worlds.</dd>
      </dl>
      <label>
        Credentials or control token{' '}
        <input type="password" autocomplete="off" value={value} onInput={({ currentTarget }) => setValue(currentTarget.value)} />
      </label>{' '}
      <button type="submit" class="button primary">
        Open the console
      </button>
      {token.value !== null && (
        <p class="bad-text" role="alert">
          The sandbox does not accept what was entered before.{' '}
          {isPartner() ? 'Check the secret of the world.' : 'Credentials of a world have the form clientId:clientSecret.'}
        </p>
      )}
      <p class="dim">It stays in this tab and is sent only to this sandbox.</p>
    </form>
  );
}
