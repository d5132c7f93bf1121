import { z } from '@hono/zod-openapi';

/** An HTTP archive, as HAR 1.2 has it: http://www.softwareishard.com/blog/har-12-spec/ */

const PairSchema = z
  .object({
    name: z.string().describe('Of a header or a parameter, as it was sent.'),
    value: z.string().describe('What was sent under the name, without secrets.'),
  })
  .openapi('HarPair', { description: 'A header or a parameter with what it says.' });

const pairs = (what: string) => z.array(PairSchema).describe(what);
const none = z.array(PairSchema).max(0).describe('None: cookies are not kept.');
const size = (what: string) =>
  z
    .number()
    .int()
    .meta({ description: `${what}; -1 where it is not known.` });

const HarRequestSchema = z
  .object({
    method: z.string().describe('What the client asked for, as GET or POST.'),
    url: z.string().describe('Where it was sent, from the scheme to the query, without secrets.'),
    httpVersion: z.string().describe('The protocol that was spoken.'),
    cookies: none,
    headers: pairs('What came with the request, without secrets.'),
    queryString: pairs('The parameters one by one, without secrets.'),
    postData: z
      .object({
        mimeType: z.string().describe('What the body is.'),
        text: z.string().describe('What was sent, without secrets and personal data.'),
        comment: z.string().optional().describe('Why the text is not there, if it is not.'),
      })
      .openapi('HarPostData', { description: 'The body of a request.' })
      .optional()
      .describe('The body, if there was one.'),
    headersSize: size('Bytes of the headers'),
    bodySize: size('Bytes of the body'),
  })
  .openapi('HarRequest', { description: 'What a client sent to the sandbox, or the sandbox to an endpoint.' });

const HarResponseSchema = z
  .object({
    status: z.number().int().meta({ description: 'HTTP status; 0 when no answer arrived.' }),
    statusText: z.string().describe('What HTTP calls that, in words.'),
    httpVersion: z.string().describe('The protocol that was spoken.'),
    cookies: none,
    headers: pairs('What came with the answer, without secrets.'),
    content: z
      .object({
        size: size('Bytes of the body'),
        mimeType: z.string().describe('What the body is.'),
        text: z.string().optional().describe('What was answered, without secrets and personal data.'),
        comment: z.string().optional().describe('Why the text is not there, if it is not.'),
      })
      .openapi('HarContent', { description: 'The body of a response.' })
      .describe('The body of the answer, as far as it is kept.'),
    redirectURL: z.string().describe('Where it points; empty when it points nowhere.'),
    headersSize: size('Bytes of the headers'),
    bodySize: size('Bytes of the body'),
    comment: z.string().optional().describe('What became of it on its way.'),
  })
  .openapi('HarResponse', { description: 'What a request was answered.' });

const HarEntrySchema = z
  .object({
    startedDateTime: z.string().describe('When it began, in real time.'),
    time: z.number().meta({ description: 'How long it took, in milliseconds.' }),
    request: HarRequestSchema.describe('What was asked.'),
    response: HarResponseSchema.describe('What was answered.'),
    cache: z.object({}).openapi('HarCache', { description: 'Empty: no cache took part.' }).describe('Always empty here.'),
    timings: z
      .object({
        send: z.number().describe('Nothing: it is not measured.'),
        wait: z.number().meta({ description: 'How long the answer took, in milliseconds.' }),
        receive: z.number().describe('Nothing: it is not measured.'),
      })
      .openapi('HarTimings', { description: 'What the time went into.' })
      .describe('The whole time as waiting for the answer.'),
    connection: z.string().optional().describe('Which of the client’s sockets it came over, by number.'),
    comment: z.string().optional().describe('Its id in the record.'),
  })
  .openapi('HarEntry', { description: 'A request and its response.' });

export const HarSchema = z
  .object({
    log: z
      .object({
        version: z.literal('1.2').describe('The HAR format that this follows.'),
        creator: z
          .object({
            name: z.string().describe('What the program is called.'),
            version: z.string().describe('Which edition of the writer it was.'),
          })
          .openapi('HarCreator', { description: 'The program that wrote the archive.' })
          .describe('What wrote it.'),
        entries: z.array(HarEntrySchema).describe('Requests and responses, oldest first.'),
      })
      .openapi('HarLog', { description: 'Everything in an archive.' })
      .describe('What the archive holds.'),
  })
  .openapi('Har', { description: 'An HTTP archive, version 1.2, as browsers and proxies read it.' });

export type HarEntry = z.infer<typeof HarEntrySchema>;
