import type { Credentials } from './types.js';

/** The environment variables for an application that uses a world. SANDBOX_WEBHOOK_SECRET has the format of Standard Webhooks libraries. */
export type WorldEnvironment = Readonly<
  Record<'SANDBOX_URL' | 'SANDBOX_WORLD' | 'SANDBOX_CLIENT_ID' | 'SANDBOX_CLIENT_SECRET' | 'SANDBOX_WEBHOOK_SECRET', string>
>;

/** Returns the environment variables that an application needs to use a world. */
export function environmentOf(url: string, world: string, { clientId, clientSecret }: Credentials): WorldEnvironment {
  return {
    SANDBOX_URL: url,
    SANDBOX_WORLD: world,
    SANDBOX_CLIENT_ID: clientId,
    SANDBOX_CLIENT_SECRET: clientSecret,
    SANDBOX_WEBHOOK_SECRET: `whsec_${Buffer.from(clientSecret).toString('base64')}`,
  };
}
