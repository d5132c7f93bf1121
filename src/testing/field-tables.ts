import type { ItemCode } from '../contract/shared/error-codes.js';

/** A value that a field rejects, and the error code. */
export interface Defect {
  readonly value: unknown;
  readonly code: ItemCode;
  /** Other fields that must be valid to detect the defect: the type of a tax number, the asset of an amount. */
  readonly knownBy?: readonly string[];
  /** The field that the error names instead of this field, if the combination of fields is wrong. */
  readonly at?: string;
  /** True if the value is an error only while all other fields are valid. */
  readonly isAlone?: true;
}

/** Invalid values of a kind of field, and valid values at its limits. */
export interface Kind {
  readonly bad: readonly Defect[];
  readonly good: readonly unknown[];
}

/** A request field as listed by the specification. */
export interface Field {
  /** Path in the body, for example `owner.taxId.value`. Errors add the prefix `body:`. */
  readonly name: string;
  readonly kind: Kind;
  /** The error code if the field is missing; null for an optional field. */
  readonly missing: ItemCode | null;
  /** Other fields that must be valid to detect that this field is missing. */
  readonly missingKnownBy?: readonly string[];
  /** The field that the error names as missing instead of this field. */
  readonly missingAt?: string;
  /**
   * True if the field is optional in the schema, even if another check requires it. Default: derived from `missing` and `missingKnownBy`.
   */
  readonly isOptional?: boolean;
  readonly isNullable: boolean;
  /** True if null means the same as a missing field, as in creations. */
  readonly isAbsentAsNull?: boolean;
  /** True if the field selects the variant of its object: if its value is invalid, the rest of the object is not checked. */
  readonly decides: boolean;
}

export const absent = Symbol('a field that is left out');

const all = (code: ItemCode, ...values: unknown[]): Defect[] => values.map((value) => ({ value, code }));
const noText = all('INVALID_TYPE', 5, true, [], {});

/** A string that is not blank, of at most `max` characters. */
export const text = (max: number): Kind => ({
  bad: [...noText, ...all('INVALID_FORMAT', '', ' \t'), ...all('OUT_OF_RANGE', 'x'.repeat(max + 1))],
  good: ['x', 'é'.repeat(max)],
});
export const uuid: Kind = {
  bad: [...noText, ...all('INVALID_UUID', '', 'x', '{0d5ab5a2-1f0c-4a52-8d5c-6f0a7a3f9e21}', '0d5ab5a2-1f0c-4a52-8d5c-6f0a7a3f9e211')],
  good: ['0D5AB5A2-1F0C-4A52-8D5C-6F0A7A3F9E21'],
};
/** One of several words; `good` are those that match the rest of the request. */
export const word = (good: readonly string[], ...wrong: string[]): Kind => ({
  bad: [...noText, ...all('INVALID_ENUM', '', 'SOMETHING_ELSE', ` ${good[0]}`, good[0]!.toLowerCase(), ...wrong)],
  good,
});
/** A day that is not in the future, in a world whose date is 2026-11-21. */
export const day: Kind = {
  bad: [
    ...noText,
    ...all('INVALID_DATE', '', '2019-02-30', '2019-2-3', '10/03/2014', '2014-03-10T00:00:00Z', '20140310'),
    ...all('OUT_OF_RANGE', '2026-11-22', '9999-12-31'),
  ],
  good: ['2014-03-10', '2024-02-29', '2026-11-21'],
};
export const flag: Kind = { bad: all('INVALID_TYPE', 'true', 1, 0, [], {}), good: [true, false] };
/** A flag that may be a string. */
export const textFlag: Kind = { bad: all('INVALID_TYPE', 'yes', 'TRUE', '', 1, 0, [], {}), good: [true, false, 'true', 'false'] };
export const object: Kind = { bad: all('INVALID_TYPE', [], 'text', 5, true), good: [] };
export const list: Kind = { bad: all('INVALID_TYPE', {}, 'text', 5, true), good: [] };
export const filledList: Kind = { bad: [...list.bad, ...all('OUT_OF_RANGE', [])], good: [] };
export const share: Kind = {
  bad: [...all('INVALID_TYPE', '60', true, [], {}), ...all('OUT_OF_RANGE', -0.01, 100.01, 1e300)],
  good: [25, 33.333333, 100],
};
/** An identifier with a defined format, with invalid and valid examples. */
export const identifier = (wrong: readonly string[], ...good: string[]): Kind => ({
  bad: [...noText, ...all('INVALID_IDENTIFIER', '', 'x'.repeat(101), ...wrong)],
  good,
});

/** An amount with two decimals; its asset is the field `asset` of the same object. */
export const amount = (asset: string): Kind => ({
  bad: [
    ...all('INVALID_TYPE', 1500, true, [], {}),
    ...all('INVALID_FORMAT', '', '1,00', '1e3', '+1', '.5', '1.', '0x1', ' 1', '1 000', 'ten', '٣', '1.0.0'),
    ...all('AMOUNT_MUST_BE_POSITIVE', '0', '0.00', '-1.00', '-0'),
    ...all('OUT_OF_RANGE', '1234567890123456', `1${'0'.repeat(15)}.00`),
    { value: '1.005', code: 'INVALID_AMOUNT_PRECISION', knownBy: [asset] },
    { value: '1.000', code: 'INVALID_AMOUNT_PRECISION', knownBy: [asset] },
  ],
  good: ['1', '0.01', '0001.50', '999999999999999.99'],
});

/** The number of a tax id; its type is the field `type` of the same object. */
export const taxNumber = (good: readonly string[], ...wrong: string[]): Kind => ({
  bad: [
    ...noText,
    ...['', 'x', ...wrong].map((value): Defect => ({ value, code: 'VALIDATE_TAX_ID', knownBy: ['type'] })),
    ...all('OUT_OF_RANGE', '1'.repeat(41)),
  ],
  good,
});

type Options = Partial<Pick<Field, 'isNullable' | 'isOptional' | 'decides' | 'missing' | 'missingKnownBy' | 'missingAt'>>;

/** A required field. */
export function field(
  name: string,
  kind: Kind,
  { isNullable = false, decides = false, missing = 'REQUIRED', ...rest }: Options = {},
): Field {
  return { name, kind, isNullable, decides, missing, ...rest };
}

/** An optional field. */
export function optionalField(name: string, kind: Kind, options: Options = {}): Field {
  return field(name, kind, { ...options, missing: null });
}

/** Returns the fields of a creation: null means that an optional field is omitted. */
export function ofCreation(fields: readonly Field[]): Field[] {
  return fields.map((each): Field => {
    const { name, missing, missingKnownBy, isOptional = missing === null || missingKnownBy !== undefined } = each;
    if (!isOptional || name.endsWith(']')) return each;
    return missing === null ? { ...each, isNullable: true } : { ...each, isAbsentAsNull: true };
  });
}

/** Returns the fields with a prefix, one level deeper. */
export function withPrefix(prefix: string, fields: readonly Field[]): Field[] {
  const moved = (name: string) => `${prefix}.${name}`;
  return fields.map(({ name, kind, missingKnownBy, ...rest }) => ({
    ...rest,
    name: moved(name),
    kind: { ...kind, bad: kind.bad.map((each) => (each.knownBy ? { ...each, knownBy: each.knownBy.map(moved) } : each)) },
    ...(missingKnownBy ? { missingKnownBy: missingKnownBy.map(moved) } : {}),
  }));
}

/** Returns all defects of a field, including omission and null. */
export function defectsOf({ kind, missing, missingKnownBy, missingAt, isNullable, isAbsentAsNull }: Field): Defect[] {
  const known = { ...(missingKnownBy ? { knownBy: missingKnownBy } : {}), ...(missingAt ? { at: missingAt } : {}) };
  const left = missing === null ? [] : (isAbsentAsNull ? [absent, null] : [absent]).map((value) => ({ value, code: missing, ...known }));
  return [...left, ...(isNullable || isAbsentAsNull ? [] : all('INVALID_TYPE', null)), ...kind.bad];
}

/** Returns a copy of a request body with one field replaced or removed. The parents of the field must exist. */
export function withField(body: unknown, name: string, value: unknown): unknown {
  const [key, ...rest] = name.split(/[.[\]]+/).filter((step) => step !== '');
  if (key === undefined) return value;
  const copy = (Array.isArray(body) ? [...body] : { ...(body as object) }) as Record<string, unknown>;
  if (rest.length > 0) copy[key] = withField(copy[key], rest.join('.'), value);
  else if (value === absent) delete copy[key];
  else copy[key] = value;
  return copy;
}

/** True if a field is inside another field. */
function isInside(name: string, parent: string): boolean {
  return name.startsWith(`${parent}.`) || name.startsWith(`${parent}[`);
}

export interface Chosen {
  readonly field: Field;
  readonly defect: Defect;
}

/**
 * Returns the fields that an error names if several are wrong, as `field code`, in the order of the table. Fields that cannot be checked
 * are omitted: those of an invalid object or an unknown variant, and rules about invalid values.
 */
export function expectedItems(fields: readonly Field[], chosen: readonly Chosen[]): string[] {
  const isBroken = (name: string) => chosen.some(({ field: { name: other } }) => other === name || isInside(name, other));
  const place = (name: string) => fields.findIndex((each) => each.name === name);
  const checkable = chosen.filter(({ field: { name, decides }, defect }) => {
    if (chosen.some((other) => isInside(name, other.field.name))) return false;
    if (defect.knownBy?.some(isBroken)) return false;
    return !chosen.some(
      ({ field: other }) =>
        other.decides && other.name !== name && isInside(name, parentOf(other.name)) && (!decides || place(other.name) < place(name)),
    );
  });
  const named = checkable.map(({ field: { name }, defect: { at = name, code } }) => ({ at, code }));
  return named.toSorted((a, b) => place(a.at) - place(b.at)).map(({ at, code }) => `body:${at} ${code}`);
}

/** Returns the object that contains a field. */
function parentOf(name: string): string {
  return name.replace(/\.[^.]+$/, '');
}
