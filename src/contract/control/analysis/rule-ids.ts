/** The rules of the analysis, ordered by the damage that a violation does. */
export const ruleIds = [
  'payment.repeated',
  'idempotency.replay-as-new',
  'money.minor-units',
  'payment.after-final-refusal',
  'idempotency.lost-response-new-key',
  'idempotency.lost-response-abandoned',
  'idempotency.key-reused',
  'idempotency.new-key-after-5xx',
  'idempotency.retry-after-retention',
  'idempotency.weak-key',
  'outcome.never-learned',
  'webhook.none-accepted',
  'webhook.bad-signature-accepted',
  'webhook.duplicate-failed',
  'webhook.redirected',
  'webhook.event-refused',
  'webhook.unknown-type-refused',
  'webhook.genuine-refused',
  'webhook.reserialised',
  'webhook.order-dependent',
  'webhook.slow',
  'webhook.duplicate-subscription',
  'money.json-number',
  'money.float-artefact',
  'money.locale',
  'token.expired-reused',
  'token.per-request',
  'token.stampede',
  'secret.in-url',
  'secret.sent-elsewhere',
  'personal.in-url',
  'retry.too-early',
  'retry.no-backoff',
  'retry.not-retryable',
  'timeout.too-short',
  'quote.expired-retried',
  'state.known-status-ignored',
  'response.unknown-fields',
  'request.unknown-field',
  'request.unknown-parameter',
  'request.unknown-version',
  'request.unknown-route',
  'report.gap',
  'report.local-time',
  'page.wrong-scope',
  'page.loop',
  'page.first-only',
  'beneficiary.recreated',
] as const;

/** Rules that only suggest improvements. */
export const hintIds = [
  'hint.page-unfollowed',
  'hint.tight-polling',
  'hint.polled-after-end',
  'hint.same-beneficiary',
  'hint.work-before-response',
  'hint.token-renewed-late',
  'hint.local-webhook-url',
  'quote.rate-assumed',
  'data.implausible',
  'webhook.unverified-effect',
  'payment.equal',
  'quote.hoarding',
  'version.unpinned',
] as const;

export type RuleId = (typeof ruleIds)[number] | (typeof hintIds)[number];

const allIds: readonly string[] = [...ruleIds, ...hintIds];

/** The rules and groups that a test can announce: `*`, `idempotency.*` and the like, and each rule. */
export const rulePatterns: readonly string[] = [
  '*',
  ...[...new Set(allIds.map((id) => `${id.slice(0, id.indexOf('.'))}.*`))].toSorted(),
  ...allIds,
];
