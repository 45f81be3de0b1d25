/** A real OpenID Connect provider on this machine. Its own pages sign in any name that is typed, which is the account's subject. */

import { once } from "node:events";

import Provider from "oidc-provider";

const SECRET = "a secret of the provider";

/**
 * @param {string} callback where it sends members back to
 * @param {(subject: string) => object} claimsOf what it says of an account
 */
export const startIdentityProvider = async (port, callback, claimsOf) => {
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: "assay", client_secret: SECRET, redirect_uris: [callback] }],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    conformIdTokenClaims: false,
    findAccount: (_, subject) => ({ accountId: subject, claims: async () => ({ sub: subject, ...claimsOf(subject) }) }),
    pkce: { required: () => true },
    cookies: { keys: ["a key of the provider's cookies"] },
  });
  const server = provider.listen(port, "127.0.0.1");
  await once(server, "listening");
  const close = () => server.closeAllConnections() ?? server.close();
  return { issuer, secret: SECRET, close };
};

