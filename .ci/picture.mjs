// Takes the picture of the console for the README: the timeline of the demo, with its withdrawal in the inspector. Needs chromium.
import { execFileSync, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

const file = 'docs/console/timeline.png';
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';

const sandbox = spawn(process.execPath, ['dist/main.cjs', '--port', '0', '--data', 'memory', '--log-level', 'silent'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const url = await new Promise((resolve, reject) => {
    createInterface({ input: sandbox.stdout }).on('line', (line) => /Base URL/.test(line) && resolve(line.trim().split(/\s+/).at(-1)));
    sandbox.once('exit', (code) => reject(new Error(`The sandbox ended with ${code}.`)));
  });
  const id = execFileSync(process.execPath, ['dist/main.cjs', 'demo', '--quiet', '--url', url], { encoding: 'utf8' }).trim();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await page.goto(`${url}/_sandbox/console/demo/timeline?show=operations/${id}`);
  await page.locator('button[aria-expanded=false]').filter({ visible: true }).last().waitFor();
  await page.locator('.inspector h3', { hasText: 'Why' }).waitFor();
  const row = page.locator('[role=row]', { hasText: /^.*withdrawal 27/ }).first();
  await row.locator('button').first().click();
  await page.getByText('OPERATION_COMPLETED').first().waitFor();
  await page.screenshot({ path: file });
  await browser.close();
} finally {
  sandbox.kill();
}
