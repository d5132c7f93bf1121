import { expect, it } from 'vitest';
import { isOfStatement } from './database.js';

/** An error as the library makes it of what PostgreSQL says. */
const told = (code: string) => Object.assign(new Error('told'), { code, severity: 'ERROR' });

it.each([
  ['a syntax error', told('42601'), true],
  ['a value that is none', told('22P02'), true],
  ['a key that is there already', told('23505'), true],
  ['a connection that the server ends', told('57P01'), false],
  ['a server that recovers', told('57P03'), false],
  ['a statement that is cancelled', told('57014'), false],
  ['a standby', told('25006'), false],
  ['a disk that is full', told('53100'), false],
  ['a disk that cannot be read', told('58030'), false],
  ['a right that was taken away', told('42501'), false],
  ['a table that is gone', told('42P01'), false],
  ['a password that is not taken any more', told('28P01'), false],
  ['a fault of the server', told('XX000'), false],
  ['a connection that breaks', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }), false],
  ['a statement that takes too long', new Error('Query read timeout'), false],
])('tells %s from what passes with time', (_what, error, isItsOwn) => {
  expect(isOfStatement(error)).toBe(isItsOwn);
});
