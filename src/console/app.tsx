import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { call, missingWorld, needsToken, setToken } from './api.js';
import { ClockBar } from './clock-bar.js';
import { Help } from './dialogs.js';
import { idsOf } from './ids.js';
import { Inspector, inspectorWidth } from './inspector.js';
import { Narrow, NavList } from './nav.js';
import { attempt, load } from './notices.js';
import { Palette } from './palette.js';
import { above, toTop } from './parts/list.js';
import { NoticeBar } from './parts/notice.js';
import { QuestionDialog } from './parts/question.js';
import { Empty } from './parts/section.js';
import { ThemeChoice } from './parts/theme-choice.js';
import { go, place, show, world } from './router.js';
import { DropHint } from './replay/choose-file.js';
import { isScreen, screenNamed } from './screens.js';
import { changes, connection, refreshWorlds, worlds } from './store.js';

const connectionWords = { connecting: 'connecting', live: 'live', lost: 'lost, trying', refused: 'refused' } as const;

/** The frame of every screen: header, navigation, content and inspector. */
export function App(): JSX.Element {
  const { screen, query } = place.value;
  const found = screenNamed(screen);
  // An item of the world is not shown next to a file, nor a step of the file next to a world.
  const isInspecting = Boolean(query['show']) && query['show']!.startsWith('replay/') === (found.isLocal === true);
  const isReady = found.isLocal === true || (!needsToken.value && missingWorld.value === null);
  useEffect(() => {
    document.title = `${found.title} · ${world.value} · crossborder-sandbox`;
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
          <label class="world">
            <span class="wordy">world </span>
            <select value={world.value} onChange={({ currentTarget }) => go({ world: currentTarget.value })}>
              {[...new Set([...worlds.value.map(({ name }) => name), world.value])].map((name) => (
                <option key={name} value={name}>
                  {name === missingWorld.value ? `${name} (does not exist)` : name}
                </option>
              ))}
            </select>
          </label>
          <span class={`live ${missingWorld.value === null ? connection.value : 'missing'}`} role="status">
            <span aria-hidden="true">● </span>
            <span class="wordy">{missingWorld.value === null ? connectionWords[connection.value] : 'no such world'}</span>
          </span>
          <button type="button" class="quiet news" hidden={above.value === 0} onClick={toTop}>
            {above.value} new ↑
          </button>
          <span class="space" />
          <form role="search" onSubmit={(event) => (event.preventDefault(), void load(() => find(query['q'] ?? '')))}>
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
          <Palette />
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

/** Searches the timeline. If the text is the beginning of exactly one id, also shows that item in the inspector. */
async function find(text: string): Promise<void> {
  if (place.peek().screen !== 'timeline') go({ screen: 'timeline', id: null, query: { q: text } });
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

/** Says that the world in the address does not exist, and lists the existing worlds. */
function MissingWorld(): JSX.Element {
  const name = missingWorld.value!;
  const create = () =>
    attempt(async () => {
      await call('POST', '/worlds', { name });
      await refreshWorlds();
      missingWorld.value = null;
      location.reload();
    });
  return (
    <div class="empty" role="alert">
      <h2>The world {name} does not exist</h2>
      <p>It was deleted, or has never been created. {worlds.value.length > 0 && 'These worlds exist:'}</p>
      <ul class="plain">
        {worlds.value.map((each) => (
          <li key={each.name}>
            <button type="button" class="button" onClick={() => go({ world: each.name })}>
              Open {each.name}
            </button>
          </li>
        ))}
      </ul>
      <p>
        <button type="button" class="button" onClick={() => void create()}>
          Create {name}
        </button>
      </p>
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

function TokenForm(): JSX.Element {
  const [value, setValue] = useState('');
  return (
    <form class="empty" onSubmit={(event) => (event.preventDefault(), setToken(value))}>
      <h2>This sandbox asks for its control token</h2>
      <p>The token is the value of SANDBOX_CONTROL_TOKEN. It stays in this tab and is sent only to this sandbox.</p>
      <label>
        Control token{' '}
        <input type="password" autocomplete="off" value={value} onInput={({ currentTarget }) => setValue(currentTarget.value)} />
      </label>{' '}
      <button type="submit" class="button primary">
        Go on
      </button>
    </form>
  );
}
