import { groupTitles } from '../cli/help.js';
import { exitCodes, groups, type Verb } from '../cli/verb.js';
import { verbs } from '../cli/verbs.js';
import { errorCatalogue, errorCodes } from '../contract/shared/error-codes.js';
import { requirementTransitions } from '../domain/accounts/requirement.js';
import { keptKinds } from '../domain/kept-memory.js';
import { kinds } from '../domain/kinds.js';
import type { Transitions } from '../domain/machine.js';
import { deliveryTransitions } from '../domain/webhooks/delivery.js';
import { rules } from '../analysis/project/findings/rules.js';
import { weightOf } from '../analysis/project/findings/story.js';
import { settingFacts } from '../server/options.js';
import { callList } from './api-guide.js';
import { code, termList } from './markdown.js';
import { scenarioParts } from './scenario-guide.js';
import { scenariosOf } from './scenarios.js';

const statusTables: Readonly<Record<string, Transitions<string>>> = {
  ...Object.fromEntries(Object.entries(kinds).map(([name, { transitions }]) => [name, transitions])),
  REQUIREMENT: requirementTransitions,
  DELIVERY: deliveryTransitions,
};

/** Returns the list of the statuses of the domain; the first status of each line is the initial one. */
function statusList(): string {
  const lines = Object.entries(statusTables).map(([name, transitions]): [string, string] => {
    const moves = Object.entries(transitions).flatMap(([from, next]) => (next.length === 0 ? [] : [`${from} → ${next.join(', ')}`]));
    return [name, moves.join('; ')];
  });
  return termList(lines);
}

const namesOf = (group: Verb['group']) =>
  verbs
    .filter((verb) => verb.group === group)
    .map(({ name }) => code(name))
    .join(', ');

/** Returns a list for each group, below its title. */
function groupedList<T>(items: readonly T[], titleOf: (item: T) => string, entryOf: (item: T) => readonly [string, string]): string {
  const titles = [...new Set(items.map(titleOf))].toSorted((a, b) => a.localeCompare(b));
  return titles
    .map(
      (title) =>
        `**${title[0]!.toUpperCase()}${title.slice(1)}:**\n\n${termList(items.filter((item) => titleOf(item) === title).map(entryOf))}`,
    )
    .join('\n\n');
}

/** Returns the generated parts of the documents, by document and marker. */
export function generatedParts(): Readonly<Record<string, Readonly<Record<string, string>>>> {
  return {
    'docs/reference/api.md': { calls: callList() },
    'docs/reference/cli.md': {
      verbs: termList(groups.map((group) => [groupTitles[group], namesOf(group)])),
      'exit codes': termList(Object.entries(exitCodes).map(([exit, meaning]) => [code(exit), meaning])),
    },
    'docs/contributing/architecture.md': { statuses: statusList() },
    'docs/reference/errors.md': {
      'error codes': groupedList(
        errorCodes,
        (each) => `Status ${errorCatalogue[each].status}`,
        (each) => [code(each), errorCatalogue[each].remedy],
      ),
    },
    'docs/reference/checks.md': {
      rules: groupedList(rules, weightOf, ({ id, title }) => [code(id), title]),
    },
    'docs/reference/settings.md': {
      settings: termList(
        settingFacts.map(({ variable, usual, meaning }) => [
          code(variable),
          usual === '' ? meaning : `${meaning} Default: ${code(usual)}.`,
        ]),
      ),
    },
    'docs/how-to/operate.md': {
      'kept memory': termList(
        Object.values(keptKinds).map(({ what, of, bound, beyond }) => [
          what,
          `${bound}${of === 'world' ? ' for each world' : ''}; ${beyond}`,
        ]),
      ),
    },
    ...scenarioParts([...scenariosOf().all]),
  };
}
