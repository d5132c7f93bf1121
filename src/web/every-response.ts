/** The headers of every response, whether a route, the parser of requests or a stream makes it: no browser guesses another type than the declared one. */
export const everyResponse = { 'X-Content-Type-Options': 'nosniff' } as const;

/** The headers of the contract documents, which are the same for everyone: pages of other origins may load them. */
export const contractHeaders = { 'Access-Control-Allow-Origin': '*' } as const;
