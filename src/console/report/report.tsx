import type { JSX } from 'preact';
import type { Report as ReportData } from '../../contract/control/analysis/report.js';
import { ask, isPartner } from '../api.js';
import { countText } from '../notices.js';
import { Button } from '../parts/button.js';
import { download } from '../parts/download.js';
import { useLoaded } from '../parts/loaded.js';
import { PaneLink } from '../parts/pane-link.js';
import { Status } from '../parts/status.js';
import { go, linkTo, address, world } from '../router.js';
import { slowGapMs } from '../store.js';

/** File formats of the report: format, label, file name. */
const formats = [
  ['json', 'JSON', 'report.json'],
  ['markdown', 'Markdown', 'report.md'],
  ['junit', 'JUnit', 'report.xml'],
  ['html', 'HTML', 'report.html'],
] as const;

/** The selections of the page: query parameter, label, values. The first value is the default. */
const choices = [
  [
    'worlds',
    'Worlds',
    [
      ['', 'this world'],
      ['all', 'all worlds'],
    ],
  ],
  [
    'profile',
    'Profile',
    [
      ['', 'no profile'],
      ['payouts', 'payouts'],
      ['onboarding', 'onboarding'],
      ['webhooks-only', 'webhooks-only'],
    ],
  ],
  [
    'failOn',
    'Fails on',
    [
      ['', 'as the profile says'],
      ['error', 'certain errors'],
      ['warning', 'also warnings'],
      ['never', 'nothing'],
    ],
  ],
  [
    'final',
    'The test run',
    [
      ['', 'is still going'],
      ['true', 'has ended (final checks)'],
    ],
  ],
] as const;

/** Returns the query of the report from the query of the address. */
function queryOf(query: Readonly<Record<string, string>>, name: string): string {
  const asked = new URLSearchParams();
  if (query['worlds'] !== 'all') asked.set('world', name);
  for (const part of ['profile', 'failOn', 'final']) if (query[part]) asked.set(part, query[part]);
  return asked.toString();
}

/** The report on the clients of one or all worlds: verdict, reasons, requirements and findings. The user can filter and save it. */
export function Report(): JSX.Element {
  const { query } = address.value;
  const asked = queryOf(query, world.value);
  const { value, error } = useLoaded<ReportData>(`/report?${asked}`, ['FINDING', 'MARK', 'WORLD'], slowGapMs);
  const save = async (format: string, file: string) => {
    const response = await ask(`/report?${asked}&format=${format}`, {}, {});
    download(file, response.headers.get('content-type') ?? 'text/plain', await response.text());
  };
  return (
    <>
      <div class="bar" role="toolbar" aria-label="Report">
        {choices
          .filter(([name]) => name !== 'worlds' || !isPartner())
          .map(([part, words, values]) => (
            <select
              key={part}
              aria-label={words}
              value={query[part] ?? ''}
              onChange={({ currentTarget }) => go({ query: { [part]: currentTarget.value } })}
            >
              {values.map(([each, title]) => (
                <option key={each} value={each}>
                  {words}: {title}
                </option>
              ))}
            </select>
          ))}
        <input
          type="text"
          class="filter"
          aria-label="Words in findings and requirements"
          placeholder="Words in findings and requirements"
          value={query['words'] ?? ''}
          onInput={({ currentTarget }) => go({ query: { words: currentTarget.value } }, { replace: true })}
        />
        <span class="standing together">
          Save as:
          {formats.map(([format, words, file]) => (
            <Button key={format} act={() => save(format, file)} done={`Saved ${file}.`} label={`Save as ${words}`}>
              {words}
            </Button>
          ))}
        </span>
      </div>
      <div class="scroll sheet" tabIndex={0} role="region" aria-label="The report">
        {value === null ? <p role="status">{error ?? 'Loading…'}</p> : <Content of={value} words={(query['words'] ?? '').toLowerCase()} />}
      </div>
    </>
  );
}

const looks: Readonly<Record<string, string>> = { PASSED: 'COMPLETED', FAILED: 'FAILED', INCONCLUSIVE: 'PENDING', NOT_COVERED: 'PENDING' };

const inWords = (word: string): string => word.toLowerCase().replaceAll('_', ' ');

function Content({ of, words }: { readonly of: ReportData; readonly words: string }): JSX.Element {
  const has = (...texts: (string | null | undefined)[]) => texts.some((text) => text?.toLowerCase().includes(words));
  const findings = of.findings.filter(({ rule, title, severity, state, world: name }) => has(rule, title, severity, state, name));
  const errors = of.findings.filter(({ severity, state }) => severity === 'ERROR' && state === 'NEW').length;
  const requirements = (of.profile?.requirements ?? []).filter(({ id, title, result, what }) => has(id, title, result, what));
  return (
    <>
      <section>
        <h2>
          {errors > 0 && of.verdict === 'PASSED' ? (
            <Status of="ON_HOLD" word={`passed, with ${countText(errors, 'error')}`} />
          ) : (
            <Status of={looks[of.verdict] ?? of.verdict} word={inWords(of.verdict)} />
          )}
        </h2>
        <ul class="plain">
          {of.why.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
        <p class="dim">
          {countText(of.record.calls, 'request')}, {countText(of.record.writes, 'write')},{' '}
          {countText(of.record.attempts, 'webhook attempt')} in {countText(of.worlds.length, 'world')}; {of.coverage.covered} of{' '}
          {of.coverage.total} <a href={linkTo({ screen: 'coverage' })}>API cases</a> covered.
        </p>
      </section>
      {of.profile !== null && (
        <section>
          <h2>
            Requirements of {of.profile.profile}{' '}
            <span class="dim">
              {requirements.length} of {of.profile.requirements.length}
            </span>
          </h2>
          <ul class="cards">
            {requirements.map(({ id, title, result, what, how }) => (
              <li key={id}>
                <span class="grow">
                  <b>{id}</b> {title}
                  <span class="dim">
                    {' '}
                    {what} {how}
                  </span>
                </span>
                <Status of={looks[result] ?? result} word={inWords(result)} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h2>
          Findings{' '}
          <span class="dim">
            {findings.length} of {of.findings.length}
          </span>
        </h2>
        <ul class="cards">
          {findings.map(({ id, rule, title, severity, state, world: name }) => (
            <li key={`${name} ${id}`}>
              <span class="grow">
                {name === world.value ? <PaneLink to={`findings/${id}`}>{title}</PaneLink> : title}{' '}
                <span class="dim">
                  {rule}, {name}
                  {state === 'NEW' ? '' : `, ${inWords(state)}`}
                </span>
              </span>
              <span class={`status ${severity === 'ERROR' ? 'bad' : 'warn'}`}>{inWords(severity)}</span>
            </li>
          ))}
        </ul>
      </section>
      <section>
        <h2>Worlds</h2>
        <table>
          <thead>
            <tr>
              <th scope="col">world</th>
              <th scope="col">scenario</th>
              <th scope="col" class="number">
                requests
              </th>
              <th scope="col" class="number">
                webhook attempts
              </th>
            </tr>
          </thead>
          <tbody>
            {of.worlds.map(({ name, isDeleted, scenario, calls, attempts }) => (
              <tr key={name}>
                <td>
                  {name} {isDeleted && <span class="dim">deleted</span>}
                </td>
                <td>{scenario}</td>
                <td class="number">{calls}</td>
                <td class="number">{attempts}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}
