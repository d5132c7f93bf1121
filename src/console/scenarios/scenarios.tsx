import type { JSX } from 'preact';
import type { z } from 'zod';
import type { ScenarioSummarySchema } from '../../contract/control/scenarios.js';
import type { ScenarioFile } from '../../contract/control/scenario-files.js';
import { call } from '../api.js';
import { Button } from '../parts/button.js';
import { useLoaded } from '../parts/loaded.js';
import { scenario } from '../store.js';
import { ScenarioEditor } from './editor.js';

interface Loaded {
  readonly data: readonly z.infer<typeof ScenarioSummarySchema>[];
  readonly files: readonly ScenarioFile[];
  readonly directory: string | null;
}

/** The scenario of the world with its rules, and the errors in scenario files. */
export function Scenarios(): JSX.Element {
  const { value, reload } = useLoaded<Loaded>('/scenarios', ['SCENARIO']);
  const active = scenario.value;
  const mistakes = value?.files.flatMap((file) => file.errors) ?? [];
  return (
    <div class="scroll sheet" tabIndex={0} role="region" aria-label="Scenarios">
      <p class="moves">
        Go to:
        {[
          ['write', 'Write a scenario'],
          ['rules', 'Rules'],
        ].map(([id, words]) => (
          <button key={id} type="button" class="button" onClick={() => document.getElementById(id!)?.scrollIntoView()}>
            {words}
          </button>
        ))}
      </p>
      {mistakes.length > 0 && (
        <section>
          <h2>Errors in files</h2>
          <ul class="plain">
            {mistakes.map(({ file, line, column, message }) => (
              <li key={`${file}${line}${column}${message}`}>
                <b class="mono">
                  {file}:{line}:{column}
                </b>{' '}
                {message}
              </li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h2>Scenario</h2>
        <ul class="cards">
          {(value?.data ?? []).map(({ name, summary, extends: parent }) => (
            <li key={name} aria-current={name === active?.name ? 'true' : undefined}>
              <span class="grow">
                <b>{name}</b> {summary} {parent !== null && <span class="dim">extends {parent}</span>}
              </span>
              <Button
                act={() => call('PUT', '/scenario', { name })}
                done={`The scenario ${name} is active.`}
                impossible={name === active?.name ? 'This scenario is active.' : undefined}
                label={name === active?.name ? `active: ${name}` : `Use ${name}`}
              >
                {name === active?.name ? 'active' : 'Use'}
              </Button>
            </li>
          ))}
        </ul>
      </section>
      <ScenarioEditor directory={value?.directory ?? null} saved={reload} />
      <section id="rules">
        <h2>Rules, in the order in which they are tried</h2>
        <table>
          <thead>
            <tr>
              <th scope="col">on</th>
              <th scope="col">rule</th>
              <th scope="col">of</th>
              <th scope="col" class="number">
                matched
              </th>
              <th scope="col" class="number">
                applied
              </th>
            </tr>
          </thead>
          <tbody>
            {(active?.rules ?? []).map(({ on, name, scenario: of, matches, hits }, index) => (
              <tr key={index}>
                <td class="mono">{on}</td>
                <td>{name}</td>
                <td class="dim">{of}</td>
                <td class="number">{matches}</td>
                <td class="number">{hits}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}
