/** Headers of every response, including parser errors and streams. Browsers must not guess another media type. */
export const everyResponse = { 'X-Content-Type-Options': 'nosniff' } as const;

/** Headers of the OpenAPI documents, which pages of other origins may load. */
export const contractHeaders = { 'Access-Control-Allow-Origin': '*' } as const;
