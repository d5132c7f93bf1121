import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { urlPath } from './api.js';
import type { Why } from '../contract/control/analysis/why.js';
import { isKind } from '../contract/shared/kinds.js';
import { Id } from './parts/id.js';
import { useLoaded } from './parts/loaded.js';
import { ImpossibleMoves, Moves } from './parts/moves.js';
import { paneNames } from './parts/resource-pane.js';
import { WhySections } from './parts/why.js';
import { Status } from './parts/status.js';
import { go } from './router.js';
import { inWords } from './parts/words.js';

/** Shows another pane, without a new entry in the browser history. */
const lead = (pane: string, id: string) => go({ query: { show: `${pane}/${id}` } }, { replace: true });

/** Explains how the resource with this id got its status. Redirects to the pane of its kind, if there is one. */
export function WhyPane({ id }: { readonly id: string }): JSX.Element {
  const known = /^(req|ctl)_/.test(id) ? 'calls' : /^[FH][0-9]+$/.test(id) ? 'findings' : undefined;
  const { value: why, error } = useLoaded<Why>(known === undefined ? urlPath`/why/${id}` : null, ['STATE', 'ATTEMPT', 'JOB']);
  const own = known ?? paneNames[why?.resource ?? ''];
  const target = why?.entries.find(({ kind }) => kind === 'DELIVERY' && why.resource === 'DELIVERY')?.id ?? id;
  useEffect(() => {
    if (own !== undefined) lead(own, target);
  }, [own, target]);
  if (why === null || own !== undefined) return <p role="status">{error ?? 'Loading…'}</p>;
  return (
    <>
      <h2>
        {inWords(why.resource)} <Id of={id} />
        {why.status !== null && <Status of={why.status} />}
      </h2>
      {isKind(why.resource) && <Moves kind={why.resource} id={id} possible={why.possible} entries={why.entries} />}
      <WhySections why={why} />
      {isKind(why.resource) && <ImpossibleMoves kind={why.resource} status={why.status} possible={why.possible} />}
    </>
  );
}
