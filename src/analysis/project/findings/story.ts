import type { Script, Step } from './script.js';
import { cut } from '../../../contract/shared/messages/cut.js';

/** Describes the outcome of a step: its status, or no response. */
const outcomeOf = ({ expect }: Step) => (expect === 'lost' ? 'no response' : expect === 2 ? '2xx' : String(expect));

/** Maximum length of a line, in characters. */
const maxLine = 150;

const plain = (text: string) => decodeURIComponent(text).replaceAll(/\{\{(?:key\.)?([\w. -]+)\}\}/g, '‹$1›');

function lineOf(step: Step): string {
  const { method, path, headers, body, to, timeoutMs } = step;
  if (to === 'receiver')
    return path.startsWith('/pass') ? `${path.slice(path.lastIndexOf('=') + 1)} ms pass` : `the endpoint responds ${answersIn(body!)}`;
  const key = /\{\{key\.(?!own)([\w -]+)\}\}/.exec(headers['X-Idempotency-Key'] ?? '')?.[1];
  const own = Object.entries(headers).filter(([name]) => !/^(authorization|content-type|x-idempotency-key|x-sandbox-world)$/i.test(name));
  const parts = [
    `${method} ${plain(path)}`,
    ...(key === undefined ? [] : [`key ${key}`]),
    ...own.map(([name, value]) => plain(`${name}: ${value}`)),
    ...(body === null || path.startsWith('/api/oauth') ? [] : [plain(body)]),
    ...(timeoutMs === null ? [] : [`gives up after ${timeoutMs} ms`]),
  ];
  const said = parts.join('  ');
  const line = cut(said, maxLine);
  return path.startsWith('/_sandbox') ? line : `${line}  → ${outcomeOf(step)}`;
}

/** Describes the next responses of an endpoint, in order. */
function answersIn(body: string): string {
  const list = JSON.parse(body) as { status: number; afterMs?: number; looksBack?: true }[];
  return list
    .map(({ status, afterMs, looksBack }) => {
      if (looksBack) return `${status} after reading the operation`;
      return afterMs === undefined ? String(status) : `${status} after ${afterMs} ms`;
    })
    .join(', ');
}

/** Describes an example for readers, one line for each step. */
export function storyOf(script: Script): string[] {
  return script.map(lineOf);
}

const severities = { ERROR: 'error', WARNING: 'warning' } as const;
const labels = { CERTAIN: 'certain', LIKELY: 'likely' } as const;

/** Describes the severity and confidence of a rule's findings. */
export function weightOf({ severity, confidence }: { severity: keyof typeof severities; confidence: keyof typeof labels }): string {
  return `${severities[severity]}, ${labels[confidence]}`;
}
