import type { ComponentType } from 'preact';
import { Accounts } from './accounts/accounts.js';
import { Beneficiaries } from './beneficiaries/beneficiaries.js';
import { Findings } from './findings/findings.js';
import { Operations } from './operations/operations.js';
import { later } from './parts/later.js';
import { Timeline } from './timeline/timeline.js';
import { Webhooks } from './webhooks/webhooks.js';

export interface Screen {
  /** Path segment of the screen. */
  readonly name: string;
  readonly title: string;
  /** The key that opens the screen after `g`; null without one. */
  readonly key: string | null;
  readonly Component: ComponentType;
  /** True if the screen neither shows nor changes data of the sandbox. The page then has no clock, and no keys that change a world. */
  readonly isLocal?: true;
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
    { name: 'inbox', title: 'Inbox', key: 'i', Component: later(() => import('./inbox/inbox.js').then((each) => each.Inbox)) },
  ],
  [
    { name: 'findings', title: 'Findings', key: 'm', Component: Findings },
    { name: 'report', title: 'Report', key: null, Component: later(() => import('./report/report.js').then((each) => each.Report)) },
    {
      name: 'coverage',
      title: 'Coverage',
      key: null,
      Component: later(() => import('./coverage/coverage.js').then((each) => each.Coverage)),
    },
    {
      name: 'replay',
      title: 'Replay file',
      key: null,
      Component: later(() => import('./replay/on-demand.js').then((each) => each.Replay)),
      isLocal: true,
    },
  ],
  [
    {
      name: 'scenarios',
      title: 'Scenarios',
      key: 's',
      Component: later(() => import('./scenarios/scenarios.js').then((each) => each.Scenarios)),
    },
    { name: 'ledger', title: 'Ledger', key: 'l', Component: later(() => import('./ledger/ledger.js').then((each) => each.Ledger)) },
    { name: 'worlds', title: 'Worlds', key: null, Component: later(() => import('./worlds/worlds.js').then((each) => each.Worlds)) },
    { name: 'try', title: 'Try it', key: null, Component: later(() => import('./try-it/try-it.js').then((each) => each.TryIt)) },
  ],
];

export const screens: readonly Screen[] = screenGroups.flat();

/** Whether a screen has a name. */
export const isScreen = (name: string): boolean => screens.some((each) => each.name === name);

/** Returns the screen with a name; the first screen if there is none. */
export const screenNamed = (name: string): Screen => screens.find((each) => each.name === name) ?? screens[0]!;
