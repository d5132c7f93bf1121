import type { ComponentType } from 'preact';
import { loadedOnDemand } from './parts/later.js';
import { Timeline } from './timeline/timeline.js';

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
    { name: 'operations', title: 'Operations', key: 'o', Component: loadedOnDemand((parts) => parts.Operations) },
    { name: 'accounts', title: 'Accounts', key: 'a', Component: loadedOnDemand((parts) => parts.Accounts) },
    { name: 'beneficiaries', title: 'Beneficiaries', key: 'b', Component: loadedOnDemand((parts) => parts.Beneficiaries) },
  ],
  [
    { name: 'webhooks', title: 'Webhooks', key: 'w', Component: loadedOnDemand((parts) => parts.Webhooks) },
    { name: 'inbox', title: 'Inbox', key: 'i', Component: loadedOnDemand((parts) => parts.Inbox) },
  ],
  [
    { name: 'findings', title: 'Findings', key: 'm', Component: loadedOnDemand((parts) => parts.Findings) },
    { name: 'report', title: 'Report', key: null, Component: loadedOnDemand((parts) => parts.Report) },
    { name: 'coverage', title: 'Coverage', key: null, Component: loadedOnDemand((parts) => parts.Coverage) },
    { name: 'replay', title: 'Replay file', key: null, Component: loadedOnDemand((parts) => parts.Replay), isLocal: true },
  ],
  [
    { name: 'scenarios', title: 'Scenarios', key: 's', Component: loadedOnDemand((parts) => parts.Scenarios) },
    { name: 'faults', title: 'Faults', key: 'f', Component: loadedOnDemand((parts) => parts.Faults) },
    { name: 'ledger', title: 'Ledger', key: 'l', Component: loadedOnDemand((parts) => parts.Ledger) },
    { name: 'worlds', title: 'Worlds', key: null, Component: loadedOnDemand((parts) => parts.Worlds) },
    { name: 'try', title: 'Try it', key: null, Component: loadedOnDemand((parts) => parts.TryIt) },
  ],
];

export const screens: readonly Screen[] = screenGroups.flat();

/** Whether a screen with this name exists. */
export const isScreen = (name: string): boolean => screens.some((each) => each.name === name);

/** Returns the screen with this name; the first screen if no screen has it. */
export const screenNamed = (name: string): Screen => screens.find((each) => each.name === name) ?? screens[0]!;
