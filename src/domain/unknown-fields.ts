/** Adds a field that the API does not define to every object of a JSON text. */
export function withUnknownFields(body: string): string {
  return JSON.stringify(JSON.parse(body), (_key, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { ...value, unknownField: 'A field that this version of the API does not define.' }
      : value,
  );
}
