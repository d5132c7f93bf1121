import type { Credentials } from './types.js';

/** What an application needs to use a world, by the names of environment variables. */
export function environmentOf(url: string, world: string, { clientId, clientSecret }: Credentials): Record<string, string> {
  return {
    SANDBOX_URL: url,
    SANDBOX_WORLD: world,
    SANDBOX_CLIENT_ID: clientId,
    SANDBOX_CLIENT_SECRET: clientSecret,
    // As the libraries of Standard Webhooks take it.
    SANDBOX_WEBHOOK_SECRET: `whsec_${Buffer.from(clientSecret).toString('base64')}`,
  };
}
