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
import { callTable } from './api-guide.js';
import { code, row, table } from './markdown.js';
import { scenarioParts } from './scenario-guide.js';
import { scenariosOf } from './scenarios.js';

const statusTables: Readonly<Record<string, Transitions<string>>> = {
  ...Object.fromEntries(Object.entries(kinds).map(([name, { transitions }]) => [name, transitions])),
  REQUIREMENT: requirementTransitions,
  DELIVERY: deliveryTransitions,
};

/** Returns the table of the statuses of the domain; the first status of each row is the initial one. */
function statusTable(): string {
  const rows = Object.entries(statusTables).map(([name, transitions]) => {
    const moves = Object.entries(transitions).flatMap(([from, next]) => (next.length === 0 ? [] : [`${from} → ${next.join(', ')}`]));
    return row(name, moves.join('; '));
  });
  return table(['kind', 'from → to'], rows);
}

const namesOf = (group: Verb['group']) =>
  verbs
    .filter((verb) => verb.group === group)
    .map(({ name }) => code(name))
    .join(', ');

/** Returns the generated parts of the documents, by document and marker. */
export function generatedParts(): Readonly<Record<string, Readonly<Record<string, string>>>> {
  return {
    'docs/reference/api.md': { calls: callTable() },
    'docs/reference/cli.md': {
      verbs: table(
        ['task', 'commands'],
        groups.map((group) => row(groupTitles[group], namesOf(group))),
      ),
      'exit codes': table(
        ['code', 'meaning'],
        Object.entries(exitCodes).map(([exit, meaning]) => row(exit, meaning)),
      ),
    },
    'docs/contributing/architecture.md': { statuses: statusTable() },
    'docs/reference/errors.md': {
      'error codes': table(
        ['code', 'status', 'what helps'],
        errorCodes.map((each) => row(code(each), String(errorCatalogue[each].status), errorCatalogue[each].remedy)),
      ),
    },
    'docs/reference/checks.md': {
      rules: table(
        ['rule', 'what happened'],
        [...new Set(rules.map(weightOf))]
          .toSorted((a, b) => a.localeCompare(b))
          .flatMap((weight) => [
            row(`**${weight}**`, ''),
            ...rules.filter((rule) => weightOf(rule) === weight).map(({ id, title }) => row(code(id), title)),
          ]),
      ),
    },
    'docs/reference/settings.md': {
      settings: table(
        ['variable', 'default', 'meaning'],
        settingFacts.map(({ variable, usual, meaning }) => row(code(variable), usual === '' ? 'none' : code(usual), meaning)),
      ),
    },
    'docs/how-to/operate.md': {
      'kept memory': table(
        ['in memory', 'at most', 'beyond that'],
        Object.values(keptKinds).map(({ what, of, bound, beyond }) =>
          row(what, of === 'world' ? `${bound}, for each world` : bound, beyond),
        ),
      ),
    },
    ...scenarioParts([...scenariosOf().all]),
  };
}
