/**
 * Names the note that a page that redirects leaves for the page it leads to. followRedirect.ts writes it, takeLanding.ts reads it:
 * - In the address: `experiment:variation:its place:referrer:chain`, the referrer percent-encoded, the chain the ids of all variations
 *   whose redirects led there.
 * - As a cookie: the same after the addresses of the destination and of the page that redirects, with spaces between. Cookies are read
 *   anyway, and are the same for all projects of a site.
 */

export const REDIRECT_NOTE = "experimentation_redirect";
