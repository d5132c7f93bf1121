import type { Script, Step } from './script.js';

/** How a step went: the status, or that no answer came. */
const outcomeOf = ({ expect }: Step) => (expect === 'lost' ? 'no answer' : expect === 2 ? '2xx' : String(expect));

/** The longest line of a story. */
const maxLine = 150;

const plain = (text: string) => decodeURIComponent(text).replaceAll(/\{\{(?:key\.)?([\w. -]+)\}\}/g, '‹$1›');

function lineOf(step: Step): string {
  const { method, path, headers, body, to } = step;
  if (to === 'receiver')
    return path.startsWith('/pass') ? `${path.slice(path.lastIndexOf('=') + 1)} ms pass` : `the endpoint answers ${answersIn(body!)}`;
  const key = /\{\{key\.(?!own)([\w -]+)\}\}/.exec(headers['X-Idempotency-Key'] ?? '')?.[1];
  const own = Object.entries(headers).filter(([name]) => !/^(authorization|content-type|x-idempotency-key|x-sandbox-world)$/i.test(name));
  const parts = [
    `${method} ${plain(path)}`,
    ...(key === undefined ? [] : [`key ${key}`]),
    ...own.map(([name, value]) => plain(`${name}: ${value}`)),
    ...(body === null || path.startsWith('/api/oauth') ? [] : [plain(body)]),
  ];
  const said = parts.join('  ');
  const cut = said.length > maxLine ? `${said.slice(0, maxLine)}…` : said;
  return path.startsWith('/_sandbox') ? cut : `${cut}  → ${outcomeOf(step)}`;
}

/** What an endpoint answers next, one after another. */
function answersIn(body: string): string {
  const list = JSON.parse(body) as { status: number; afterMs?: number; looksBack?: true }[];
  return list
    .map(({ status, afterMs, looksBack }) => {
      if (looksBack) return `${status} after it has read the operation`;
      return afterMs === undefined ? String(status) : `${status} after ${afterMs} ms`;
    })
    .join(', ');
}

/** An example as people read it: a line for each step. */
export function storyOf(script: Script): string[] {
  return script.map(lineOf);
}

const severities = { ERROR: 'error', WARNING: 'warning' } as const;
const labels = { CERTAIN: 'certain', NEAR: 'near' } as const;

/** How bad a rule's findings are and how sure, in words. */
export function weightOf({ severity, label }: { severity: keyof typeof severities; label: keyof typeof labels }): string {
  return `${severities[severity]}, ${labels[label]}`;
}
