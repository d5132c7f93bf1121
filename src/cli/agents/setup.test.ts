import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommandLine } from '../../testing/command-line.js';
import { root } from '../../testing/root.js';
import { temporaryDirectory } from '../../testing/process.js';
import { withUsedCommand } from '../command-name.js';
import { verbs } from '../verbs.js';

let project: string;
beforeEach(() => void (project = temporaryDirectory()));
afterEach(() => rmSync(project, { recursive: true }));

function put(file: string, text: string): void {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), text);
}

const textOf = (file: string) => readFileSync(join(project, file), 'utf8');
const setup = (options = '') => runCommandLine(`crossborder-sandbox agent setup --directory ${project} ${options}`);
const skill = withUsedCommand(readFileSync(join(root, 'skills/crossborder-payments/SKILL.md'), 'utf8'), 'crossborder-sandbox');
const entry = { command: 'crossborder-sandbox', args: ['mcp'] };

describe('the skill', () => {
  it('names only existing commands, in at most 60 lines', () => {
    const commands = [...skill.matchAll(/`crossborder-sandbox ([a-z]+)(?: ([a-z]+))?/g)].map(([, first, second]) => [
      first!,
      `${first} ${second}`,
    ]);
    const names = new Set(['start', ...verbs.map(({ name }) => name)]);
    expect(commands.length).toBeGreaterThan(10);
    expect(commands.filter((each) => !each.some((name) => names.has(name)))).toEqual([]);
    expect(skill.split('\n').length).toBeLessThanOrEqual(60);
  });
});

describe('agent setup', () => {
  it('writes the skill and the configuration of each tool that the project uses, once', async () => {
    put('CLAUDE.md', 'Rules.\n');
    put('.cursor/rules/a.mdc', '');
    put('.vscode/settings.json', '{}');
    put('AGENTS.md', '# Agents\n');
    const first = await setup();
    expect([first.code, first.stderr]).toEqual([0, 'Restart the agent, so that it reads these files.\n']);
    expect(textOf('.claude/skills/crossborder-payments/SKILL.md')).toBe(skill);
    expect(textOf('.agents/skills/crossborder-payments/SKILL.md')).toBe(skill);
    expect(JSON.parse(textOf('.mcp.json'))).toEqual({ mcpServers: { 'crossborder-sandbox': entry } });
    expect(JSON.parse(textOf('.cursor/mcp.json'))).toEqual({ mcpServers: { 'crossborder-sandbox': entry } });
    expect(JSON.parse(textOf('.vscode/mcp.json'))).toEqual({ servers: { 'crossborder-sandbox': { type: 'stdio', ...entry } } });
    expect(textOf('AGENTS.md')).toMatch(/^# Agents\n\nBefore you change code .+SKILL\.md.+\n$/);
    const before = textOf('AGENTS.md');
    const second = await setup('--json');
    const { files } = JSON.parse(second.stdout) as { files: { outcome: string }[] };
    expect([second.code, files.length, files.filter(({ outcome }) => outcome !== 'unchanged')]).toEqual([0, 6, []]);
    expect(textOf('AGENTS.md')).toBe(before);
  });

  it('keeps comments and other entries, and replaces a different skill or entry only with --force', async () => {
    const mine =
      '{\n  // Ours.\n  "servers": {\n    "db": { "command": "db" },\n    "crossborder-sandbox": { "command": "mine" },\n  }\n}\n';
    put('.vscode/mcp.json', mine);
    put('.agents/skills/crossborder-payments/SKILL.md', 'mine');
    const kept = await setup();
    expect([kept.code, textOf('.vscode/mcp.json'), textOf('.agents/skills/crossborder-payments/SKILL.md')]).toEqual([1, mine, 'mine']);
    expect(kept.stdout).toContain('--force replaces it');
    expect((await setup('--force')).code).toBe(0);
    expect(textOf('.vscode/mcp.json')).toContain('// Ours.');
    expect(textOf('.vscode/mcp.json')).toContain('"db": { "command": "db" }');
    expect(textOf('.vscode/mcp.json')).not.toContain('mine');
    expect(textOf('.agents/skills/crossborder-payments/SKILL.md')).toBe(skill);
  });

  it.each(['{"mcpServers": ', '[]', '{"mcpServers": []}', '7'])('does not change a file with unexpected content: %s', async (text) => {
    put('.mcp.json', text);
    const ran = await setup('--force');
    expect([ran.code, textOf('.mcp.json')]).toEqual([1, text]);
    expect(ran.stdout).toContain('it is not JSON with an object "mcpServers"');
  });

  it('writes nothing in a dry run', async () => {
    const ran = await setup('--for claude,cursor --dry-run');
    expect([ran.code, ran.stdout.match(/would write/g)?.length, existsSync(join(project, '.mcp.json'))]).toEqual([0, 4, false]);
  });

  it('names the supported tools and their files if the project uses none of them', async () => {
    const none = await setup();
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('CLAUDE.md')]);
    expect(none.stderr).toContain('agent setup --for claude');
    const unknown = await setup('--for emacs');
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('claude, cursor, vscode, agents.md')]);
  });
});
