import type { Credentials } from './types.js';

/** Returns the environment variables that an application needs to use a world. */
export function environmentOf(url: string, world: string, { clientId, clientSecret }: Credentials): Record<string, string> {
  return {
    SANDBOX_URL: url,
    SANDBOX_WORLD: world,
    SANDBOX_CLIENT_ID: clientId,
    SANDBOX_CLIENT_SECRET: clientSecret,
    // The format of Standard Webhooks libraries.
    SANDBOX_WEBHOOK_SECRET: `whsec_${Buffer.from(clientSecret).toString('base64')}`,
  };
}
