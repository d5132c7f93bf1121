import { expect, it } from 'vitest';
import { controlRoutes } from '../contract/control/routes.js';
import { verbs } from './verbs.js';

/** Control operations without a command, with the reason. */
const withoutVerb: Readonly<Record<string, string>> = {
  getLiveness: 'For probes of an orchestrator; wait checks readiness.',
  postToInbox: 'For the sender of a webhook.',
  postToListener: 'For the sender of a webhook.',
  listKinds: 'Errors and why list the possible statuses and actions.',
  putClient: 'For the start of a client or its tests; report --subject names the build.',
  deleteRequests: 'findings clear deletes the findings.',
  saveScenario: 'Write the file to the scenario directory; the sandbox reads it at once.',
  issueToken: 'For the console; token gets one as a client does.',
  countItems: 'For the console; lists can be counted with --quiet | wc -l.',
  checkSignature: 'A test has the headers and the body: use WorldClient.checkSignature.',
};

it('every control API operation has a command, except those in `withoutVerb`', () => {
  const made = new Set(verbs.flatMap(({ calls }) => calls));
  const missing = controlRoutes
    .filter(({ method, path }) => !made.has(`${method.toUpperCase()} ${path}`))
    .map(({ operationId }) => operationId);
  expect(missing.toSorted()).toEqual(Object.keys(withoutVerb).toSorted());
});
