import { describe, expect, it } from 'vitest';
import { controlRoutes } from '../contract/control/routes.js';
import type { AnyRoute } from '../contract/shared/route.js';
import { controlDocument } from '../api/control/document.js';
import { clientSources, type ClientDocument } from './client-source.js';

const document = controlDocument() as unknown as ClientDocument;
const getClock = controlRoutes.find(({ operationId }) => operationId === 'getClock')!;
const withClient = (client: string): AnyRoute[] => [{ ...getClock, client }];

describe('the sources that the routes of the control API determine', () => {
  it.each([
    ['hourglass.get()', /There is no handle hourglass in the client/],
    ['clock.get(', /"clock.get\(" is not a method of the client/],
    ['clock.get(zone)', /getClock: the request has no zone/],
  ])('are rejected for the method %s', (client, message) => {
    expect(() => clientSources(withClient(client), document)).toThrow(message);
  });
});
