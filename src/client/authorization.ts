/** Format of the credentials of a world: `clientId:clientSecret`. Generated client ids start with `client-`; control tokens rarely do. */
const credentials = /^client-[^:]+:.+$/;

/** Whether a token contains the credentials of a world. Such a token selects the world. */
export const isOfWorld = (token: string | null): boolean => token !== null && credentials.test(token);

/** Returns the Authorization header for a control token, or for credentials of a world (`clientId:clientSecret`). */
export function authorizationOf(token: string | null): { Authorization?: string } {
  if (token === null) return {};
  return { Authorization: credentials.test(token) ? `Basic ${btoa(token)}` : `Bearer ${token}` };
}
