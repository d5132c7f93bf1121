import type { z } from '@hono/zod-openapi';
import { flagText, groupTitles, meaningOf, usageOf } from '../cli/help.js';
import { exitCodes, globalOptions, groups } from '../cli/verb.js';
import { verbs } from '../cli/verbs.js';
import { controlRoutes } from '../contract/control/routes.js';
import { publicRoutes } from '../contract/public/routes.js';
import { errorCatalogue, errorCodes, itemCatalogue, itemCodes } from '../contract/shared/error-codes.js';
import { filterable } from '../contract/shared/filters.js';
import type { AnyRoute } from '../contract/shared/route.js';
import { requestFilters } from '../api/control/routes/analysis/record.js';
import { requirementTransitions } from '../domain/accounts/requirement.js';
import { keptKinds } from '../domain/kept-memory.js';
import { kinds } from '../domain/kinds.js';
import type { FieldType } from '../domain/lists/value.js';
import type { Transitions } from '../domain/machine.js';
import { reportFilters } from '../domain/operations/report.js';
import { deliveryTransitions, deliveryFilters, executionLogFilters, subscriptionFilters } from '../domain/webhooks/delivery.js';
import { hints, rules } from '../analysis/project/findings/rules.js';
import { weightOf } from '../analysis/project/findings/story.js';
import { timelineFilters } from '../analysis/views/timeline-filters.js';
import { settingFacts } from '../server/options.js';
import { callTable } from './api-guide.js';
import { code, row, table } from './markdown.js';
import { scenarioParts } from './scenario-guide.js';
import { scenariosOf } from './scenarios.js';
import { accountFilters } from '../domain/accounts/account.js';
import { documentFilters } from '../domain/accounts/document.js';
import { ledgerFilters } from '../domain/operations/ledger.js';
import { operationFilters } from '../domain/operations/operation.js';
import { quoteFilters } from '../domain/operations/quote.js';
import { beneficiaryFilters } from '../domain/payees/beneficiary.js';
import { fundingFilters } from '../domain/payees/funding-instruction.js';
import { messageFilters } from '../domain/webhooks/inbox.js';

const statusTables: Readonly<Record<string, Transitions<string>>> = {
  ...Object.fromEntries(Object.entries(kinds).map(([name, { transitions }]) => [name, transitions])),
  REQUIREMENT: requirementTransitions,
  DELIVERY: deliveryTransitions,
};

/** Returns the status tables of the domain as diagrams; the first status of each table is the initial one. */
function statusDiagrams(): string {
  return Object.entries(statusTables)
    .map(([name, transitions]) => {
      const [first] = Object.keys(transitions);
      const moves = Object.entries(transitions).flatMap(([from, next]) =>
        next.length === 0 ? [`${from} --> [*]`] : next.map((to) => `${from} --> ${to}`),
      );
      const lines = [`[*] --> ${first}`, ...moves].map((line) => `    ${line}`).join('\n');
      return `<details><summary>${name}</summary>\n\n\`\`\`mermaid\nstateDiagram-v2\n${lines}\n\`\`\`\n\n</details>`;
    })
    .join('\n\n');
}

const filtersOf: Readonly<Record<keyof typeof filterable, Readonly<Record<string, { readonly type: FieldType }>>>> = {
  accounts: accountFilters,
  fundingInstructions: fundingFilters,
  subscriptions: subscriptionFilters,
  executionLogs: executionLogFilters,
  flows: reportFilters,
  operations: operationFilters,
  beneficiaries: beneficiaryFilters,
  documents: documentFilters,
  quotes: quoteFilters,
  ledgerEntries: ledgerFilters,
  deliveries: deliveryFilters,
  messages: messageFilters,
  requests: requestFilters,
  timeline: timelineFilters,
};

/** Notes for fields that are not compared as text. */
const typeNotes = { TEXT: '', DECIMAL: ' (number)', BOOLEAN: ' (boolean)', TIMESTAMP: ' (instant)' };

/**
 * Returns a table row with the filter fields of each request that has `filters`. The example of the parameter identifies the list. A
 * request with `{list}` in its path has no row: its fields are those of the list.
 */
function filterRows(): string[] {
  const routes: readonly AnyRoute[] = [...publicRoutes, ...controlRoutes];
  return routes.flatMap(({ method, path, query }) => {
    const filters = query?.shape['filters'] as z.ZodType | undefined;
    if (filters === undefined || path.includes('{list}')) return [];
    const lists = Object.keys(filtersOf) as (keyof typeof filtersOf)[];
    const list = lists.find((each) => filterable[each].example === filters.meta()?.['example'])!;
    const fields = Object.entries(filtersOf[list]).map(([name, { type }]) => `${code(name)}${typeNotes[type]}`);
    return [row(code(`${method.toUpperCase()} ${path}`), fields.join(', '))];
  });
}

/** Returns the generated parts of the documents, by document and marker. */
export function generatedParts(): Readonly<Record<string, Readonly<Record<string, string>>>> {
  return {
    'README.md': {
      verbs: table(
        ['to', 'verbs'],
        groups.map((group) => {
          const words = verbs.filter((verb) => verb.group === group).map(({ name }) => name.split(' ')[0]!);
          return row(groupTitles[group].toLowerCase(), [...new Set(words)].map(code).join(' '));
        }),
      ),
    },
    'docs/reference/api.md': { calls: callTable() },
    'docs/reference/cli.md': {
      verbs: table(
        ['verb', 'what it does'],
        groups.flatMap((group) => [
          row(`**${groupTitles[group]}**`, ''),
          ...verbs.filter((verb) => verb.group === group).map((verb) => row(code(usageOf(verb)), verb.summary)),
        ]),
      ),
      options: table(
        ['option', 'meaning'],
        globalOptions.map((each) => row(code(flagText(each)), meaningOf(each))),
      ),
      'exit codes': table(
        ['code', 'meaning'],
        Object.entries(exitCodes).map(([exit, meaning]) => row(exit, meaning)),
      ),
    },
    'docs/contributing/architecture.md': { statuses: statusDiagrams() },
    'docs/reference/errors.md': {
      'error codes': table(
        ['code', 'status', 'meaning', 'cause', 'what helps'],
        errorCodes.map((each) => {
          const { meaning, cause, remedy } = errorCatalogue[each];
          return row(code(each), String(errorCatalogue[each].status), meaning, cause, remedy);
        }),
      ),
      'item codes': table(
        ['code', 'what is wrong with the field'],
        itemCodes.map((each) => row(code(each), itemCatalogue[each])),
      ),
    },
    'docs/reference/checks.md': {
      rules: table(
        ['rule', 'what happened', 'weight'],
        rules.map(({ id, title, ...weight }) => row(code(id), title, weightOf(weight))),
      ),
      hints: table(
        ['hint', 'what happened', 'what might be better'],
        hints.map(({ id, title, advice }) => row(code(id), title, advice)),
      ),
    },
    'docs/reference/filters.md': {
      'filter fields': table(['list', 'fields'], filterRows()),
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
    'docs/reference/control-api.md': {
      'control calls': table(
        ['request', 'what it does', 'client', 'command'],
        controlRoutes.map(({ method, path, summary, client, cli }) =>
          row(
            code(`${method.toUpperCase()} ${path}`),
            summary,
            client === undefined ? '' : code(client.replace(/\)\.\w+$/, ')')),
            cli === undefined ? '' : code(cli.verb),
          ),
        ),
      ),
    },
    ...scenarioParts([...scenariosOf().all]),
  };
}
