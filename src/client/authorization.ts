/** The credentials of a world as one text. Those that nobody can compute begin so, and a control token seldom does. */
const credentials = /^client-[^:]+:.+$/;

/** Whether a token is the credentials of a world, which every call with them is then about. */
export const isOfWorld = (token: string | null): boolean => token !== null && credentials.test(token);

/** What lets a call to the control plane in: a control token, or the credentials of a world as `clientId:clientSecret`. */
export function authorizationOf(token: string | null): { Authorization?: string } {
  if (token === null) return {};
  return { Authorization: credentials.test(token) ? `Basic ${btoa(token)}` : `Bearer ${token}` };
}
