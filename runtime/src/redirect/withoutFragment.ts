/** An address up to its fragment: what the server was asked for. */

export const withoutFragment = (address: string): string => address.split("#")[0];
