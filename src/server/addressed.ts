/** What needs no second look: a Host that the adapter lets pass may still be none of any URL. */
const usualUrl = /^http:\/\/(?:localhost|127\.0\.0\.1)(?::[0-9]+)?\//;

/** Whether the URL of a request, which its Host is a part of, is one. */
export const isUrl = (url: string): boolean => usualUrl.test(url) || URL.canParse(url);

/** Whether a URL leads to the control plane. */
export const isControl = (url: string): boolean =>
  (url.includes('/_sandbox') || url.includes('/metrics')) && /^[a-z]+:\/\/[^/]+\/(_sandbox(\/|\?|$)|metrics(\?|$))/i.test(url);
