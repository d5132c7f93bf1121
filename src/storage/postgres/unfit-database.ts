import type { Database } from './database.js';

/** Thrown if a database responds but cannot store worlds. */
export class UnfitDatabase extends Error {
  constructor(
    why: string,
    /** The fix, as a sentence without its full stop. */
    readonly advice: string,
  ) {
    super(why);
  }
}

/** The fix for frequent problems, by the error message of the library or PostgreSQL. */
const advices: readonly (readonly [RegExp, string])[] = [
  [
    /^(self-signed|unable to (get|verify)) /,
    'Set sslrootcert in the URL to the file of the certificate authority, or accept any certificate with sslmode=no-verify',
  ],
  [/, no encryption$/, 'If the server requires encryption, add sslmode=verify-full to the URL'],
  [/password must be a/, 'The server requires a password, but the URL has none: postgres://user:password@host/database'],
  [
    /^permission denied /,
    'The database user needs CREATE on the schema at the first start of each version, and always SELECT, INSERT, UPDATE and DELETE on the tables',
  ],
  [/ in a read-only transaction$/, 'Use the URL of the primary: a standby does not accept writes'],
  [/^relation .* already exists$/, 'Use a separate database for the sandbox'],
];

/** Returns the error for an unusable database: its URL without password, the reason and the fix. */
export function unfit(shownAs: string, error: NodeJS.ErrnoException): Error {
  const why = error.message || error.code!;
  const advice = error instanceof UnfitDatabase ? error.advice : advices.find(([said]) => said.test(why))?.[1];
  return new Error(
    `The database ${shownAs} cannot be used: ${why}. ${advice ?? 'Start the database, correct the URL, or store worlds in a directory'}.`,
    { cause: error },
  );
}

/** @throws UnfitDatabase if the database cannot store all Unicode text */
export async function checkEncoding({ query }: Database): Promise<void> {
  const [row] = await query<{ server_encoding: string }>('SHOW server_encoding');
  const encoding = row!.server_encoding;
  if (encoding === 'UTF8' || encoding === 'SQL_ASCII') return; // SQL_ASCII stores bytes unchanged, here UTF-8.
  throw new UnfitDatabase(`its encoding is ${encoding}`, "Create one with ENCODING 'UTF8'");
}
