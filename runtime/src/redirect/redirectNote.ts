/**
 * Names the note that a page that redirects leaves for the page it leads to: `experiment:variation:referrer:chain`, the referrer
 * percent-encoded, the chain the ids of all variations whose redirects led there. followRedirect.ts writes it, takeLanding.ts reads it.
 */

export const REDIRECT_NOTE = ":redirect";
