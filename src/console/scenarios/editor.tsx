import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ScenarioCheck, ScenarioFile, ScenarioTrials } from '../../contract/control/scenario-files.js';
import { ApiError, call, isPartner } from '../api.js';
import { runAction, loadQuietly, showNotice } from '../notices.js';
import { Button } from '../parts/button.js';
import { download } from '../parts/download.js';
import { ask } from '../parts/question.js';
import { world } from '../router.js';
import { ScenarioText } from './scenario-text.js';
import { Trials } from './trials.js';

/** Milliseconds without typing before the text is checked. */
const typingMs = 300;
const maxLength = 65_536;

const example = `{
  "scenario": "mine",
  "summary": "Withdrawals of 10,000.00 or more are held.",
  "extends": "default",
  "rules": [
    {
      "name": "large withdrawals are held",
      "on": "OPERATION",
      "when": { "intent.type": "WITHDRAWAL", "sourceAmount.value": { "gte": "10000.00" } },
      "steps": [{ "after": "1s", "to": "PROCESSING" }, { "after": "2s", "to": "ON_HOLD" }]
    }
  ]
}
`;

/** Returns the index at which a line of a text begins. @param line from 1 */
const beginningOf = (text: string, line: number): number =>
  text
    .split('\n')
    .slice(0, line - 1)
    .reduce((sum, each) => sum + each.length + 1, 0);

/** Saves a scenario in the directory of the server. Asks before an existing scenario is replaced. */
async function save(text: string, saved: () => void): Promise<void> {
  const send = async (replace: boolean) => {
    const { file } = await call<ScenarioFile>('POST', '/scenarios', { text, replace });
    saved();
    return `Saved as ${file}. Every world can use it.`;
  };
  try {
    showNotice({ text: await send(false), isError: false });
  } catch (error) {
    const { resource, parameters } = error instanceof ApiError ? error.details : {};
    if (resource !== 'Scenario' || parameters?.name === undefined) throw error;
    const question = 'All worlds that use the scenario by name get the new version. The old version is lost.';
    ask({ title: `Replace the scenario ${parameters.name}`, text: question, verb: 'Replace it' }, () => send(true));
  }
}

interface ScenarioEditorProps {
  /** Directory in which the server saves scenarios; null if none is configured. */
  readonly directory: string | null;
  /** Called after a scenario was saved. */
  readonly saved: () => void;
}

/** An editor for scenarios: shows errors while the user types, and tries, uses and saves the scenario. */
export function ScenarioEditor({ directory, saved }: ScenarioEditorProps): JSX.Element {
  const [trials, setTrials] = useState<{ readonly text: string; readonly result: ScenarioTrials } | null>(null);
  const [text, setText] = useState('');
  const [file, setFile] = useState('scenario.yaml');
  const [check, setCheck] = useState<{ readonly text: string; readonly result: ScenarioCheck } | null>(null);
  useEffect(() => {
    if (text.trim() === '' || text.length > maxLength) {
      setCheck(null);
      return undefined;
    }
    const ending = new AbortController();
    const checkNow = async () => {
      const result = await call<ScenarioCheck>('POST', '/scenarios/check', { text, file }, ending.signal);
      setCheck({ text, result });
    };
    const timer = setTimeout(() => void loadQuietly(checkNow), typingMs);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [text, file]);
  const choose = (input: HTMLInputElement) =>
    runAction(async () => {
      const chosen = input.files?.[0];
      input.value = '';
      if (chosen === undefined) return;
      if (chosen.size > maxLength) throw new Error(`${chosen.name} has ${chosen.size} bytes; a scenario has at most ${maxLength}.`);
      setText(await chosen.text());
      setFile(chosen.name);
    });
  const goTo = (line: number, column: number) => {
    const area = document.querySelector<HTMLTextAreaElement>('#scenario-text')!;
    const at = beginningOf(text, line) + column - 1;
    area.focus();
    area.setSelectionRange(at, at);
  };
  const result = check?.text === text ? check.result : null;
  const invalid = result?.valid === true ? undefined : 'The scenario has errors, or is not checked yet.';
  return (
    <section id="write">
      <h2>Write a scenario</h2>
      <div class="form">
        <p>Scenario, as YAML or JSON</p>
        <ScenarioText text={text} setText={setText} maxLength={maxLength} />
        <div class="moves">
          <Button
            act={() => call('PUT', '/scenario', { inline: result?.definition })}
            done={`The scenario is active in ${world.value} only.`}
            impossible={invalid}
            primary
          >
            Use in this world
          </Button>
          <Button
            act={async () => {
              setTrials({ text, result: await call<ScenarioTrials>('POST', '/scenario/trial', { text, file }) });
            }}
            done={null}
            impossible={invalid}
          >
            Try on past requests
          </Button>
          {directory !== null && !isPartner() && (
            <Button act={() => save(text, saved)} done={null} impossible={invalid}>
              Save in {directory}
            </Button>
          )}
          <button type="button" class="button" disabled={text === ''} onClick={() => download(file, 'text/plain', text)}>
            Save as a file
          </button>
          <button
            type="button"
            class="button"
            onClick={() => {
              setText(example);
              setFile('scenario.json');
            }}
          >
            Begin with an example
          </button>
          <label>
            Read a file <input type="file" accept=".yaml,.yml,.json" onChange={({ currentTarget }) => void choose(currentTarget)} />
          </label>
        </div>
        <div role="status">
          {result?.valid === true && <p>Without errors: {result.rules.length} rules, including extended scenarios.</p>}
          <ul class="plain">
            {[...(result?.errors ?? []), ...(result?.warnings ?? [])].map(({ line, column, message }) => (
              <li key={`${line}:${column}${message}`}>
                <button type="button" class="quiet mono" onClick={() => goTo(line, column)}>
                  {line}:{column}
                </button>{' '}
                <span class={result?.valid === true ? '' : 'bad-text'}>{message}</span>
              </li>
            ))}
          </ul>
        </div>
        {trials?.text === text && <Trials of={trials.result} />}
      </div>
    </section>
  );
}
