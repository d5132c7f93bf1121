import type { ComponentType } from 'preact';
import { Accounts } from './accounts/accounts.js';
import { Beneficiaries } from './beneficiaries/beneficiaries.js';
import { Coverage } from './coverage/coverage.js';
import { Inbox } from './inbox/inbox.js';
import { Ledger } from './ledger/ledger.js';
import { Findings } from './findings/findings.js';
import { Operations } from './operations/operations.js';
import { Scenarios } from './scenarios/scenarios.js';
import { Timeline } from './timeline/timeline.js';
import { TryIt } from './try-it/try-it.js';
import { Webhooks } from './webhooks/webhooks.js';
import { Worlds } from './worlds/worlds.js';

export interface Screen {
  /** Its part of the address. */
  readonly name: string;
  readonly title: string;
  /** The key that leads to it after g; null for none. */
  readonly key: string | null;
  readonly Component: ComponentType;
}

/** The screens in the groups of the navigation. */
export const screenGroups: readonly (readonly Screen[])[] = [
  [
    { name: 'timeline', title: 'Timeline', key: 't', Component: Timeline },
    { name: 'operations', title: 'Operations', key: 'o', Component: Operations },
    { name: 'accounts', title: 'Accounts', key: 'a', Component: Accounts },
    { name: 'beneficiaries', title: 'Beneficiaries', key: 'b', Component: Beneficiaries },
  ],
  [
    { name: 'webhooks', title: 'Webhooks', key: 'w', Component: Webhooks },
    { name: 'inbox', title: 'Inbox', key: 'i', Component: Inbox },
  ],
  [
    { name: 'findings', title: 'Findings', key: 'm', Component: Findings },
    { name: 'coverage', title: 'Coverage', key: null, Component: Coverage },
  ],
  [
    { name: 'scenarios', title: 'Scenarios', key: 's', Component: Scenarios },
    { name: 'ledger', title: 'Ledger', key: 'l', Component: Ledger },
    { name: 'worlds', title: 'Worlds', key: null, Component: Worlds },
    { name: 'try', title: 'Try it', key: null, Component: TryIt },
  ],
];

export const screens: readonly Screen[] = screenGroups.flat();
