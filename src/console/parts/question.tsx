import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { attempt, type Done, type Outcome } from '../notices.js';
import { Dialog } from './dialog.js';

/** The question before something is destroyed. */
export interface Question {
  /** The action as a title: `Reset the world ci-7`. */
  readonly title: string;
  /** The data that will be lost, and whether it can be undone. */
  readonly text: string;
  /** The word on the button that does it. */
  readonly verb: string;
  /** A name that has to be typed first; absent where a click is enough. */
  readonly typed?: string;
}

interface Asked extends Question {
  readonly act: () => Promise<string | Outcome>;
}

const asked = signal<Asked | null>(null);

const said: Done<string | Outcome> = (outcome) => outcome;

/** Asks in a dialog whether to do something. @param act does it, and returns what is said then */
export function ask(question: Question, act: () => Promise<string | Outcome>): void {
  asked.value = { ...question, act };
}

/** The dialog of the question that is asked now. */
export function QuestionDialog(): JSX.Element {
  const question = asked.value;
  const close = () => (asked.value = null);
  return (
    <Dialog title={question?.title ?? ''} open={question !== null} close={close} hasClose={false}>
      {question !== null && <Answer key={question.title} question={question} close={close} />}
    </Dialog>
  );
}

function Answer({ question: { text, verb, typed, act }, close }: { readonly question: Asked; readonly close: () => void }): JSX.Element {
  const [name, setName] = useState('');
  const isSure = typed === undefined || name === typed;
  const confirm = () => {
    if (!isSure) return;
    close();
    void attempt(act, said);
  };
  return (
    <form class="question" onSubmit={(event) => (event.preventDefault(), confirm())}>
      <p>{text}</p>
      {typed !== undefined && (
        <label>
          Type <b>{typed}</b> to confirm
          <input type="text" autocomplete="off" value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
        </label>
      )}
      <div class="moves">
        <button type="button" class="button" onClick={close}>
          Cancel
        </button>
        <button type="submit" class="button danger" disabled={!isSure}>
          {verb}
        </button>
      </div>
    </form>
  );
}
