import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inLength } from '../long-run.js';
import { SandboxProcess } from '../process.js';
import { Integrator, Places } from './integrator.js';
import { payrollClients } from './legitimate-payroll.js';
import { stories } from './legitimate-stories.js';
import { hasLanguage } from './payroll.js';

let server: SandboxProcess;
let places: Places;
beforeAll(async () => {
  server = await SandboxProcess.start(['--data', 'memory', '--check-responses', 'true']);
  places = await Places.open(server.url);
});
afterAll(async () => {
  await places.close();
  await server.end('SIGTERM');
});

const rounds = Array.from({ length: inLength(1, 10) }, (_, round) => round);
const clients = [
  ...payrollClients.filter(({ language }) => hasLanguage(language)),
  ...stories.map((story) => ({ language: 'node', ...story })),
];

describe.each(rounds)('a legitimate client in round %i', () => {
  it.concurrent.each(clients)('has no finding above a hint: in $language, it $name', async (legitimate) => {
    const { name, language, scenario, isRunning, play } = legitimate;
    const place = await places.make({ ...(scenario && { scenario }), ...(isRunning && { clock: { mode: 'RUNNING' } }) });
    if (isRunning) await place.control('PUT', '/settings', { delays: { OPERATION: '100ms' } });
    const client = new Integrator(place);
    let error = '';
    await play(place, client).catch((thrown: Error) => (error = thrown.stack ?? thrown.message));
    client.end();
    await place.control('POST', '/deliveries/flush', { timeoutMs: 5000 });
    const report = await place.report();
    const failed = report.coverage.dimensions.resilience.items.filter(({ state }) => state === 'FAILED').map(({ id }) => id);
    const file = process.env['VERDICTS_FILE'];
    if (file) appendFileSync(file, `${JSON.stringify({ name, language, scenario, error, failed, ...report })}\n`);
    const findings = report.findings.map(({ rule, evidence }) => `${rule} ${JSON.stringify(evidence)}`);
    expect({ error, verdict: report.verdict, failed, findings }).toEqual({ error: '', verdict: 'PASSED', failed: [], findings: [] });
  });
});
