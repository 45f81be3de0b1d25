/**
 * Names the note that a page that redirects leaves for the page it leads to. followRedirect.ts writes it, takeLanding.ts reads it:
 * - In the address: `experiment:variation:its place:referrer:chain`, the referrer percent-encoded, the chain the ids of all variations
 *   whose redirects led there.
 * - In the tab's session storage: the same after the addresses of the destination and of the page that redirects, with spaces between. It
 *   is the same for all projects of a site, and a cookie of the same name says that some tab may have one: cookies are read anyway.
 */

export const REDIRECT_NOTE = "experimentation_redirect";
