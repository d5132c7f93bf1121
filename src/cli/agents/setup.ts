import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { applyEdits, modify, parse, type ParseError } from 'jsonc-parser';
import { packageRoot } from '../../server/directories.js';
import { withUsedCommand } from '../command-name.js';
import { UsageError } from '../failure.js';
import { oneOf, toFile } from '../values.js';
import type { Verb } from '../verb.js';

const skillName = 'crossborder-payments';
const entryName = 'crossborder-sandbox';

/** A change to a file: its whole text, an entry in its JSON, or a paragraph at its end. */
type Change =
  | { readonly kind: 'FILE'; readonly path: string; readonly text: string }
  | { readonly kind: 'ENTRY'; readonly path: string; readonly at: readonly [string, string]; readonly value: object }
  | { readonly kind: 'POINTER'; readonly path: string; readonly text: string };

/** Returns the configuration entry that starts the MCP server. @param command the command line that runs this program */
function serverOf(command: string) {
  const words = command.startsWith('node ') ? ['node', resolve(command.slice('node '.length))] : command.split(' ');
  return { command: words[0]!, args: [...words.slice(1), 'mcp'] };
}

/** Returns the skill file, with the command line that runs this program. */
function skillIn(directory: string, command: string): Change {
  const text = readFileSync(join(packageRoot(), 'skills', skillName, 'SKILL.md'), 'utf8');
  return { kind: 'FILE', path: `${directory}/${skillName}/SKILL.md`, text: withUsedCommand(text, command) };
}

const entryIn = (path: string, root: string, value: object): Change => ({ kind: 'ENTRY', path, at: [root, entryName], value });

/** The folder of skills that most tools read; Claude Code has its own. */
const sharedSkills = '.agents/skills';

const pointer = `Before you change code that calls the payments API, read ${sharedSkills}/${skillName}/SKILL.md, and repeat until \`npx crossborder-sandbox report\` exits with 0.`;

/** A coding tool: the files that show that a project uses it, and the changes that set it up. */
interface CodingTool {
  readonly marks: readonly string[];
  /** @param command the command line that runs this program */
  readonly changes: (command: string) => readonly Change[];
}

const codingTools = {
  claude: {
    marks: ['.claude', 'CLAUDE.md', '.mcp.json'],
    changes: (command) => [skillIn('.claude/skills', command), entryIn('.mcp.json', 'mcpServers', serverOf(command))],
  },
  cursor: {
    marks: ['.cursor', '.cursorrules'],
    changes: (command) => [skillIn(sharedSkills, command), entryIn('.cursor/mcp.json', 'mcpServers', serverOf(command))],
  },
  vscode: {
    marks: ['.vscode'],
    changes: (command) => [skillIn(sharedSkills, command), entryIn('.vscode/mcp.json', 'servers', { type: 'stdio', ...serverOf(command) })],
  },
  'agents.md': {
    marks: ['AGENTS.md'],
    changes: (command) => [skillIn(sharedSkills, command), { kind: 'POINTER', path: 'AGENTS.md', text: withUsedCommand(pointer, command) }],
  },
} as const satisfies Readonly<Record<string, CodingTool>>;
type ToolName = keyof typeof codingTools;
const toolNames = Object.keys(codingTools) as ToolName[];

type Outcome = 'written' | 'unchanged' | 'kept';

/** The result for a file: its new text, undefined if the file does not change, and a remark. */
interface Planned {
  readonly outcome: Outcome;
  readonly text?: string;
  readonly note: string;
}

const differs: Planned = { outcome: 'kept', note: 'it exists and differs; --force replaces it' };

/** Returns the planned result for a file. @param before current text of the file; undefined if it does not exist */
function planned(change: Change, before: string | undefined, isForced: boolean): Planned {
  if (change.kind === 'FILE') {
    if (before === change.text) return { outcome: 'unchanged', note: '' };
    return before === undefined || isForced ? { outcome: 'written', text: change.text, note: '' } : differs;
  }
  if (change.kind === 'POINTER') {
    if (before?.includes(change.text)) return { outcome: 'unchanged', note: '' };
    const start = before === undefined || before.trim() === '' ? '' : `${before.trimEnd()}\n\n`;
    return { outcome: 'written', text: `${start}${change.text}\n`, note: start === '' ? '' : 'a paragraph at its end' };
  }
  const errors: ParseError[] = [];
  const options = { allowTrailingComma: true, allowEmptyContent: true };
  const text = before ?? '';
  const document = parse(text, errors, options) as unknown;
  const [root, name] = change.at;
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const servers = isObject(document) ? document[root] : undefined;
  if (errors.length > 0 || (document !== undefined && !isObject(document)) || (servers !== undefined && !isObject(servers)))
    return { outcome: 'kept', note: `it is not JSON with an object "${root}"; correct it, and run this again` };
  const present = servers !== undefined && Object.hasOwn(servers, name) ? servers[name] : undefined;
  if (JSON.stringify(present) === JSON.stringify(change.value)) return { outcome: 'unchanged', note: '' };
  if (present !== undefined && !isForced) return { ...differs, note: `its entry "${name}" differs; --force replaces it` };
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' };
  const edited = applyEdits(text, modify(text, [root, name], change.value, { formattingOptions }));
  return {
    outcome: 'written',
    text: edited.endsWith('\n') ? edited : `${edited}\n`,
    note: before === undefined ? '' : `the entry "${name}"`,
  };
}

/** Returns the tools that an option names, or that the project uses. @throws UsageError */
function toolsFor(directory: string, named: string | undefined): ToolName[] {
  if (named !== undefined) return named.split(',').map((each) => oneOf(each.trim(), '--for', toolNames));
  return toolNames.filter((name) => codingTools[name].marks.some((mark) => existsSync(join(directory, mark))));
}

export const agentSetup: Verb = {
  name: 'agent setup',
  group: 'agents',
  summary: 'Give the coding agents of a project the skill and the MCP entry of the sandbox. Overwrites nothing without --force.',
  options: [
    { name: 'for', value: toolNames.join('|'), meaning: 'Tools, separated by commas.', usual: 'those that the project uses' },
    { name: 'directory', value: 'directory', meaning: 'Root of the project.', usual: 'the current directory' },
    { name: 'force', meaning: 'Replace a skill or an entry that differs.' },
    { name: 'dry-run', meaning: 'Only show what would be written.' },
  ],
  examples: [
    'crossborder-sandbox agent setup --for claude,cursor,vscode --dry-run',
    'crossborder-sandbox agent setup --for claude --directory payments',
    'crossborder-sandbox agent setup --for cursor,agents.md --directory payments --force --json',
  ],
  exits: { 1: 'kept a file that differs' },
  calls: [],
  run: ({ given, out, command }) => {
    const directory = given.text('directory') ?? '.';
    const names = toolsFor(directory, given.text('for'));
    if (names.length === 0) {
      const marks = toolNames.map((name) => `${name}: ${codingTools[name].marks.join(', ')}`).join('; ');
      throw new UsageError(`${directory} has no sign of a coding agent (${marks}). Name the tools: agent setup --for claude.`);
    }
    const changes = new Map(names.flatMap((name) => codingTools[name].changes(command)).map((change) => [change.path, change]));
    const isDry = given.has('dry-run');
    const files = Array.from(changes.values(), (change) => {
      const file = join(directory, change.path);
      const before = existsSync(file) ? readFileSync(file, 'utf8').replace(/^\ufeff/, '') : undefined;
      const { outcome, text, note } = planned(change, before, given.has('force'));
      if (text !== undefined && !isDry)
        toFile(file, (at) => {
          mkdirSync(dirname(at), { recursive: true });
          writeFileSync(at, text);
        });
      return { path: change.path, outcome, note };
    });
    const shown = files.map(
      ({ path, outcome, note }) => `${isDry && outcome === 'written' ? 'would write' : outcome} ${path}${note === '' ? '' : `: ${note}`}`,
    );
    out.show(
      { files },
      shown,
      files.map(({ path }) => path),
    );
    if (files.some(({ outcome }) => outcome === 'written') && !isDry) out.remark('Restart the agent, so that it reads these files.');
    return Promise.resolve(files.some(({ outcome }) => outcome === 'kept') ? 1 : 0);
  },
};
