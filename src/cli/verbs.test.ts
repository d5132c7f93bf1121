import { expect, it } from 'vitest';
import { controlRoutes } from '../contract/control/routes.js';
import { verbs } from './verbs.js';

/** Operations that no verb calls, and why. */
const withoutVerb: Readonly<Record<string, string>> = {
  getLiveness: 'It is for the probes of an orchestrator; wait asks whether calls can be made.',
  postToInbox: 'It is for the sender of a webhook.',
  postToListener: 'It is for the sender of a webhook.',
  listKinds: 'Refusals and why name the statuses and moves that are possible.',
  putTest: 'Test runners say which test begins.',
  deleteTest: 'Test runners say which test is over.',
  deleteRequests: 'findings clear begins anew.',
  checkSignature: 'A test has the headers and the body at hand: WorldClient.checkSignature.',
};

it('are there for every operation of the control plane, or a reason says why not', () => {
  const made = new Set(verbs.flatMap(({ calls }) => calls));
  const missing = controlRoutes
    .filter(({ method, path }) => !made.has(`${method.toUpperCase()} ${path}`))
    .map(({ operationId }) => operationId);
  expect(missing.toSorted()).toEqual(Object.keys(withoutVerb).toSorted());
});
