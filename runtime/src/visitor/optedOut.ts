/** What the cookie holds instead of an id once a visitor opted out: all we keep of them. */

export const optedOut = "-";
