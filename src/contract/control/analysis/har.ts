import { z } from '@hono/zod-openapi';

/** An HTTP archive in the format HAR 1.2: http://www.softwareishard.com/blog/har-12-spec/ */

const PairSchema = z
  .object({
    name: z.string().describe('Name of a header or a parameter, as sent.'),
    value: z.string().describe('Value as sent, without secrets.'),
  })
  .openapi('HarPair', { description: 'A header or a parameter.' });

const pairs = (what: string) => z.array(PairSchema).describe(what);
const none = z.array(PairSchema).max(0).describe('Always empty: cookies are not recorded.');
const size = (what: string) =>
  z
    .number()
    .int()
    .meta({ description: `${what}; -1 if unknown.` });

const HarRequestSchema = z
  .object({
    method: z.string().describe('HTTP method, for example GET or POST.'),
    url: z.string().describe('Full URL including the query, without secrets.'),
    httpVersion: z.string().describe('Protocol in use, for example HTTP/1.1.'),
    cookies: none,
    headers: pairs('Request headers, without secrets.'),
    queryString: pairs('Query parameters, without secrets.'),
    postData: z
      .object({
        mimeType: z.string().describe('Media type of the body.'),
        text: z.string().describe('The body, without secrets and personal data.'),
        comment: z.string().optional().describe('Reason why the text is missing, if it is.'),
      })
      .openapi('HarPostData', { description: 'The body of a request.' })
      .optional()
      .describe('The body; absent without one.'),
    headersSize: size('Bytes of the headers'),
    bodySize: size('Bytes of the body'),
  })
  .openapi('HarRequest', { description: 'A request from a client to the sandbox, or from the sandbox to an endpoint.' });

const HarResponseSchema = z
  .object({
    status: z.number().int().meta({ description: 'HTTP status; 0 if no response arrived.' }),
    statusText: z.string().describe('Reason phrase of the status.'),
    httpVersion: z.string().describe('Protocol in use, for example HTTP/1.1.'),
    cookies: none,
    headers: pairs('Response headers, without secrets.'),
    content: z
      .object({
        size: size('Bytes of the body'),
        mimeType: z.string().describe('Media type of the body.'),
        text: z.string().optional().describe('The body, without secrets and personal data.'),
        comment: z.string().optional().describe('Reason why the text is missing, if it is.'),
      })
      .openapi('HarContent', { description: 'The body of a response.' })
      .describe('The stored part of the response body.'),
    redirectURL: z.string().describe('Redirect target; empty without one.'),
    headersSize: size('Bytes of the headers'),
    bodySize: size('Bytes of the body'),
    comment: z.string().optional().describe('Whether the client received the response.'),
  })
  .openapi('HarResponse', { description: 'Response that the client or sandbox received.' });

const HarEntrySchema = z
  .object({
    startedDateTime: z.string().describe('Real time at which the request started.'),
    time: z.number().meta({ description: 'Duration in milliseconds.' }),
    request: HarRequestSchema.describe('Request line, headers and body.'),
    response: HarResponseSchema.describe('Status line, headers and body.'),
    cache: z.object({}).openapi('HarCache', { description: 'Empty: the sandbox uses no cache.' }).describe('Always empty here.'),
    timings: z
      .object({
        send: z.number().describe('Not measured.'),
        wait: z.number().meta({ description: 'Time until the response, in milliseconds.' }),
        receive: z.number().describe('Not measured.'),
      })
      .openapi('HarTimings', { description: 'Parts of the duration.' })
      .describe('Parts of the duration: all of it is in `wait`.'),
    connection: z.string().optional().describe('Number of the client connection.'),
    comment: z.string().optional().describe('Id of the recorded entry.'),
  })
  .openapi('HarEntry', { description: 'A request and its response.' });

export const HarSchema = z
  .object({
    log: z
      .object({
        version: z.literal('1.2').describe('Version of the HAR format.'),
        creator: z
          .object({
            name: z.string().describe('Name of the program that wrote the archive.'),
            version: z.string().describe('Version of the program that wrote the archive.'),
          })
          .openapi('HarCreator', { description: 'Name and version of the program.' })
          .describe('Name and version of the program that made the archive.'),
        entries: z.array(HarEntrySchema).describe('Requests and responses, oldest first.'),
      })
      .openapi('HarLog', { description: 'The content of an archive.' })
      .describe('The content of the archive.'),
  })
  .openapi('Har', { description: 'An HTTP archive, version 1.2, for browsers and proxies.' });

export type HarEntry = z.infer<typeof HarEntrySchema>;
