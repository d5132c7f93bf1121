import type { Database } from './database.js';

/** A database that answers and yet is none to keep worlds in. */
export class UnfitDatabase extends Error {
  constructor(
    why: string,
    /** What an operator does about it, as a sentence without its full stop. */
    readonly advice: string,
  ) {
    super(why);
  }
}

/** What to do about the mistakes that are often made, by what the library or PostgreSQL says of them. */
const advices: readonly (readonly [RegExp, string])[] = [
  [
    /^(self-signed|unable to (get|verify)) /,
    'Name the file of its authority with sslrootcert in the URL, or take any with sslmode=no-verify',
  ],
  [/, no encryption$/, 'If it takes encrypted connections alone, add sslmode=verify-full to the URL'],
  [/password must be a/, 'It asks for a password, and the URL has none: postgres://user:password@host/database'],
  [
    /^permission denied /,
    'Its user needs CREATE on its schema at the first start of each version, and SELECT, INSERT, UPDATE and DELETE on the tables of it always',
  ],
  [/ in a read-only transaction$/, 'Name the primary: a standby takes no writes'],
  [/^relation .* already exists$/, 'Give the sandbox a database of its own'],
];

/** What is told of a database that a node cannot start with: which one without its password, why, and what to do. */
export function unfit(shownAs: string, error: NodeJS.ErrnoException): Error {
  const why = error.message || error.code!;
  const advice = error instanceof UnfitDatabase ? error.advice : advices.find(([said]) => said.test(why))?.[1];
  return new Error(
    `The database ${shownAs} cannot be used: ${why}. ${advice ?? 'Start it or mend the URL, or keep worlds in a directory'}.`,
    { cause: error },
  );
}

/** @throws UnfitDatabase when the database cannot hold every text that partners write */
export async function checkEncoding({ query }: Database): Promise<void> {
  const [row] = await query<{ server_encoding: string }>('SHOW server_encoding');
  const encoding = row!.server_encoding;
  if (encoding === 'UTF8' || encoding === 'SQL_ASCII') return; // The latter keeps the bytes that come, which are those of UTF-8.
  throw new UnfitDatabase(`its encoding is ${encoding}`, "Make one with ENCODING 'UTF8'");
}
