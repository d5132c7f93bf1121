import { deepEqual, ok } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fromOpenApi } from '@mswjs/source/open-api';
import { setupServer } from 'msw/node';

interface Operation {
  operationId: string;
  responses: Record<string, { content?: Record<string, { examples?: Record<string, { value: unknown }> }> }>;
}

for (const plane of ['public', 'control']) {
  const text = readFileSync(`generated/${plane}.json`, 'utf8');
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, Operation>> };
  const server = setupServer(...(await fromOpenApi(text)));
  server.listen({ onUnhandledRequest: 'error' });
  let compared = 0;
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { operationId, responses }] of Object.entries(methods)) {
      const [status, success] = Object.entries(responses).find(([each]) => each.startsWith('2')) ?? [];
      const example = success?.content?.['application/json']?.examples?.['success']?.value;
      if (example === undefined || success?.content?.['text/markdown']) continue;
      const place = path.replaceAll(/\{[^}]+\}/g, 'd3011808-e527-4fcf-a2da-06406260a730');
      const answer = await fetch(`http://localhost:4010${place}?response=${status}`, { method: method.toUpperCase() });
      deepEqual([operationId, answer.status, await answer.json()], [operationId, Number(status), example]);
      compared += 1;
    }
  server.close();
  ok(compared > 10, `${plane}: ${compared} examples`);
}
