/** The panes of the kinds of resources that have their own pane. */
export const paneNames: Readonly<Record<string, string>> = {
  OPERATION: 'operations',
  ACCOUNT: 'accounts',
  BENEFICIARY: 'beneficiaries',
  DELIVERY: 'deliveries',
};

/** Returns the path of a resource in the inspector. */
export const resourcePane = (kind: string | null, id: string): string => `${paneNames[kind ?? ''] ?? 'why'}/${id}`;
