import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { runAction, unchanged, type Outcome } from '../notices.js';
import { Dialog } from './dialog.js';

/** The question before a destructive action. */
export interface Question {
  /** The action as a title: `Reset the world ci-7`. */
  readonly title: string;
  /** The data that will be lost, and whether it can be undone. */
  readonly text: string;
  /** The label of the button that confirms the action. */
  readonly verb: string;
  /** A name that the user must type to confirm; absent if a click is enough. */
  readonly typed?: string;
}

interface Asked extends Question {
  readonly act: () => Promise<string | Outcome>;
}

const asked = signal<Asked | null>(null);

/** Asks for confirmation in a dialog. @param act runs if the user confirms; returns the message to show */
export function ask(question: Question, act: () => Promise<string | Outcome>): void {
  asked.value = { ...question, act };
}

/** The dialog with the current question. */
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
    void runAction(act, unchanged);
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
