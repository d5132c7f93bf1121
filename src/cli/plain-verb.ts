import type { Command } from '../contract/shared/command.js';
import { answered, defined } from '../client/caller.js';
import { idMeaning, idsOf, newestCalls } from './ids.js';
import type { Output } from './output.js';
import { reasonOf, reasonOptions } from './values.js';
import type { Argument, Invocation, Verb } from './verb.js';

/** A command that sends one request: its definition in the route, and the request. */
export interface PlainCommand extends Command {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}

/** The response of a list. */
interface Listed {
  readonly data: readonly object[];
  readonly total?: number;
}

/** Sends a request by method and path. */
type Send = Record<string, (path: string, request: object) => Promise<{ data?: unknown }>>;

/** Returns the name of a company or a person. */
function nameOf({ legalName, firstName, lastName }: Readonly<Record<string, unknown>>): string {
  return [legalName, firstName, lastName].filter((each) => typeof each === 'string').join(' ') || '-';
}

/** Returns a field as a table shows it. @param path names and indexes separated by dots */
export function cellAt(row: object, path: string): string {
  const value = path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | null | undefined)?.[name], row);
  if (typeof value === 'object' && value !== null) return nameOf(value as Record<string, unknown>);
  return typeof value === 'string' ? value : value === undefined || value === null ? '-' : JSON.stringify(value);
}

/** Returns the columns of a table, by the field in each. */
export function columnsOf(fields: Readonly<Record<string, string>>): Record<string, (row: object) => string> {
  return Object.fromEntries(Object.entries(fields).map(([name, path]) => [name, (row: object) => cellAt(row, path)]));
}

/** Returns a line with the fields that it names. A status has its colour. */
function filled(line: string, values: object, out: Output): string {
  return line.replaceAll(/\{([^{}#]+)(?:#([^{}]+))?\}/g, (_all, path: string, noun?: string) => {
    const text = cellAt(values, path);
    if (noun !== undefined) return `${text} ${noun}${text === '1' ? '' : 's'}`;
    return path.split('.').at(-1) === 'status' ? out.status(text) : text;
  });
}

/** Shows a response as its command wants: as a list, a line, a remark or JSON. */
function show(
  { line, done, id, columns, none = '' }: Command,
  answer: unknown,
  values: Readonly<Record<string, string>>,
  out: Output,
): void {
  if (done !== undefined) return out.remark(filled(done, values, out));
  if (columns) {
    const { data, total = 0 } = answer as Listed;
    out.list(data, columnsOf(columns), (row) => filled(id!, row, out), none);
    if (total > data.length) out.note(`Showing the first ${data.length} of ${total}.`);
    return;
  }
  if (line === undefined) return out.line(JSON.stringify(answer, null, 2));
  const text = filled(line, { ...values, ...(answer as object) }, out);
  out.show(answer, [text], id === undefined ? [] : [filled(id, answer as object, out)]);
}

/** Sends the request of a command with these values of arguments. */
async function sent(command: PlainCommand, values: Readonly<Record<string, string>>, reason: object | undefined, invocation: Invocation) {
  const { method, path, timeout, args = [] } = command;
  const { control, timeoutMs, signal } = invocation;
  const isInPath = (field: string) => path.includes(`{${field}}`);
  const fields = (takes: (field: string) => boolean) =>
    Object.fromEntries(args.flatMap(({ field }) => (takes(field) && values[field] !== undefined ? [[field, values[field]]] : [])));
  const others = fields((field) => !isInPath(field));
  const isRead = method === 'GET' || method === 'DELETE';
  const body = {
    ...others,
    ...(timeout === undefined ? {} : defined({ [timeout]: timeoutMs })),
    ...defined({ reason }),
  };
  const inPath = fields(isInPath);
  const request = isRead ? { params: { path: inPath, query: others }, signal } : { params: { path: inPath }, body, signal };
  return answered((control as unknown as Send)[method]!(path, request));
}

/** Returns the verb of a command that sends one request, or one for each id. */
export function plainVerb(command: PlainCommand): Verb {
  const { verb, group, summary, args = [], takesReason, examples, exits, method, path } = command;
  const described = args.map(({ name, idOf, meaning = '', isOptional, isMany }): Argument => ({
    name,
    meaning: idOf === undefined ? meaning : idMeaning(idOf),
    ...(isOptional ? { isOptional } : {}),
    ...(isMany ? { isMany } : {}),
  }));
  return {
    name: verb,
    group,
    summary,
    ...(args.length === 0 ? {} : { args: described }),
    ...(takesReason ? { options: reasonOptions } : {}),
    examples,
    ...(exits ? { exits } : {}),
    calls: [`${method} ${path}`, ...args.flatMap(({ idOf }) => (idOf === undefined ? [] : newestCalls[idOf]))],
    run: async (invocation) => {
      const { world, out, given } = invocation;
      const reason = takesReason ? await reasonOf(given, invocation) : undefined;
      const [first] = args;
      const many = first?.isMany
        ? invocation.args
        : first?.idOf === undefined
          ? invocation.args.slice(0, 1)
          : await idsOf(invocation.args[0]!, first.idOf, invocation);
      const rest = Object.fromEntries(
        args.slice(1).flatMap(({ field }, index) => {
          const value = invocation.args[index + 1];
          return value === undefined ? [] : [[field, value]];
        }),
      );
      for (const each of first === undefined ? [undefined] : many) {
        const values = { ...rest, ...(first === undefined || each === undefined ? {} : { [first.field]: each }) };
        show(command, await sent(command, values, reason, invocation), { world: world.name, ...values }, out);
      }
    },
  };
}
