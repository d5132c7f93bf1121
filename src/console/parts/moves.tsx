import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { PossibleMove, WhyEntry } from '../../contract/control/analysis/why.js';
import { kindOf, segmentOf, type KindName } from '../../contract/shared/kinds.js';
import { force, urlPath } from '../api.js';
import { loadQuietly } from '../notices.js';
import { withSnapshot } from '../undo.js';
import { Button, DangerButton } from './button.js';
import { shortId } from './id.js';
import { PaneLink } from './pane-link.js';
import { Status } from './status.js';
import { inWords } from './words.js';

/** The actions that are shown first: each moves a resource towards its usual final status. */
const usual = ['resume', 'activate', 'complete'];
const rankOf = (verb: string): number => (usual.includes(verb) ? usual.indexOf(verb) : usual.length);

/** The actions that permanently end a resource which others use. These actions ask for confirmation. */
const ending: ReadonlySet<string> = new Set(['close', 'deactivate']);

const wordOf = (verb: string): string =>
  verb === 'process' ? 'Start processing' : `${verb.charAt(0).toUpperCase()}${verb.slice(1).replaceAll('-', ' ')}`;

/** Returns the name of an action for a sentence: `require action`. */
const inSentence = (verb: string): string => verb.replaceAll('-', ' ');

interface MoveFacts {
  readonly kind: KindName;
  readonly possible: readonly PossibleMove[];
  /** Whether the scenario has a next step for the resource. */
  readonly hasNextStep?: boolean;
}

interface MovesProps extends MoveFacts {
  readonly id: string;
  /** The history of the resource. After an action, the entries that it caused are shown. */
  readonly entries: readonly WhyEntry[];
}

/** Returns the actions of a kind: those that are possible now, and the others. */
function verbsOf({ kind, possible, hasNextStep = false }: MoveFacts) {
  const allowed = new Set(possible.filter(({ asset }) => asset === undefined).map(({ verb }) => verb));
  if (hasNextStep) allowed.add('next');
  const verbs = kindOf(kind)
    .verbs.map(({ verb }) => verb)
    .toSorted((a, b) => rankOf(a) - rankOf(b));
  return { shown: verbs.filter((verb) => allowed.has(verb)), impossible: verbs.filter((verb) => !allowed.has(verb)) };
}

/** Lists in one line the forced actions that are not possible now. */
export function ImpossibleMoves({ status, ...facts }: MoveFacts & { readonly status: string | null }): JSX.Element | null {
  const { impossible } = verbsOf(facts);
  if (impossible.length === 0) return null;
  return (
    <p class="dim impossible">
      Not possible{status === null ? '' : ` while ${inWords(status)}`}: {impossible.map(inSentence).join(', ')}.
    </p>
  );
}

/** Returns the reason codes of a kind with their messages. */
async function codesOf(kind: KindName): Promise<Record<string, string>> {
  const { reasonCatalogue, reasonPlaces } = await import('../../contract/shared/reason-catalogue.js');
  return Object.assign({}, ...reasonPlaces[kind].map((place) => reasonCatalogue[place])) as Record<string, string>;
}

/** Buttons for the forced actions that are possible now. After an action, also shows its effects. */
export function Moves({ id, entries, ...facts }: MovesProps): JSX.Element {
  const { kind } = facts;
  const [reason, setReason] = useState({ code: '', message: '' });
  const [codes, setCodes] = useState<Readonly<Record<string, string>>>({});
  const [forced, setForced] = useState<string | null>(null);
  const { shown } = verbsOf(facts);
  const destructive = new Set(
    kindOf(kind)
      .verbs.filter(({ isDestructive }) => isDestructive)
      .map(({ verb }) => verb),
  );
  const first = shown.find((verb) => !destructive.has(verb));
  const takesReason = (verb: string) => destructive.has(verb) || verb === 'hold' || verb === 'require-action';
  const reasoned = shown.filter(takesReason);
  const body = (verb: string) => {
    return takesReason(verb) && reason.code !== ''
      ? { reason: { code: reason.code, ...(reason.message === '' ? {} : { message: reason.message }) } }
      : {};
  };
  const what = `${inWords(kind)} ${shortId(id)}`;
  const doneText = (verb: string): string => {
    const to = facts.possible.find((each) => each.verb === verb && each.asset === undefined)?.to;
    if (verb === 'next') return `Ran the next step of ${what}.`;
    return to === undefined ? `Done: ${inSentence(verb)} ${what}.` : `The ${what} is now ${to}.`;
  };
  const run = async (verb: string) => setForced(await force(urlPath`/${segmentOf(kind)}/${id}/${verb}`, body(verb)));
  return (
    <>
      {shown.length > 0 && (
        <div class="moves" role="group" aria-label="Forced moves">
          {shown.map((verb) =>
            ending.has(verb) ? (
              <DangerButton
                key={verb}
                question={{
                  title: `${wordOf(verb)} ${what}`,
                  text: `The ${what} cannot be used afterwards. A snapshot is taken first, so you can undo this.`,
                  verb: wordOf(verb),
                }}
                act={() => withSnapshot(verb, `Done: ${inSentence(verb)} ${what}.`, () => run(verb))}
              >
                {wordOf(verb)} the {inWords(kind)}…
              </DangerButton>
            ) : (
              <Button key={verb} act={() => run(verb)} done={doneText(verb)} primary={verb === first} destructive={destructive.has(verb)}>
                {verb === 'next' ? 'Next step now' : wordOf(verb)}
              </Button>
            ),
          )}
        </div>
      )}
      {forced !== null && <Caused by={forced} entries={entries} />}
      {reasoned.length > 0 && (
        <details class="reason" onToggle={() => void loadQuietly(async () => setCodes(await codesOf(kind)))}>
          <summary>Reason (for {reasoned.map(wordOf).join(', ')})</summary>
          <label>
            Code{' '}
            <input
              type="text"
              list="reason-codes"
              value={reason.code}
              placeholder={Object.keys(codes)[0]}
              onInput={({ currentTarget }) => setReason({ ...reason, code: currentTarget.value.trim() })}
            />
          </label>
          <datalist id="reason-codes">
            {Object.entries(codes).map(([code, message]) => (
              <option key={code} value={code}>
                {message}
              </option>
            ))}
          </datalist>
          <label>
            Message{' '}
            <input
              type="text"
              value={reason.message}
              placeholder={codes[reason.code]}
              onInput={({ currentTarget }) => setReason({ ...reason, message: currentTarget.value })}
            />
          </label>
          {reason.code !== '' && codes[reason.code] === undefined && (
            <p class="dim" role="status">
              {reason.code} is not in the catalogue of the API. Your client gets it as it is.
            </p>
          )}
        </details>
      )}
    </>
  );
}

/** The entries that a request caused. */
function Caused({ by, entries }: { readonly by: string; readonly entries: readonly WhyEntry[] }): JSX.Element {
  const caused = entries.filter(({ cause }) => cause.id === by);
  return (
    <div class="caused" role="status">
      Result of your <PaneLink to={`calls/${by}`}>request</PaneLink>: {caused.length === 0 && 'nothing that is shown here.'}
      <ul class="plain">
        {caused.map(({ kind, id, what }, index) => (
          <li key={index}>
            {kind === 'STATE' && <Status of={what} />}
            {kind === 'DELIVERY' && id !== null && (
              <>
                webhook <PaneLink to={`deliveries/${id}`}>{what}</PaneLink>
              </>
            )}
            {kind === 'LEDGER' && <span>booked: {what}</span>}
            {kind === 'ATTEMPT' && <span class="dim">{what}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
