/** An OpenID Connect provider that says what a story wants it to say, true or not. Its tokens are signed with Node's own cryptography. */

import { createHash, createHmac, generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";

const KEY = generateKeyPairSync("rsa", { modulusLength: 2048 });
const STRANGER = generateKeyPairSync("rsa", { modulusLength: 2048 });
const CLIENT_SECRET = "a secret of the provider";

const encoded = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** How a token may be signed, well or badly. */
const SIGNATURES = {
  rs256: (input) => sign("sha256", input, KEY.privateKey).toString("base64url"),
  stranger: (input) => sign("sha256", input, STRANGER.privateKey).toString("base64url"),
  none: () => "",
  // The key that the provider publishes, taken for a secret.
  hs256: (input) => createHmac("sha256", KEY.publicKey.export({ type: "spki", format: "pem" })).update(input).digest("base64url"),
};

const ALGORITHMS = { rs256: "RS256", stranger: "RS256", none: "none", hs256: "HS256" };

/** The challenge that belongs to a verifier (RFC 7636 section 4.2). */
export const challengeOf = (verifier) => createHash("sha256").update(verifier).digest("base64url");

/** A provider whose next token has `lie` in it, and whose metadata may name another issuer or other `endpoints`; `exchanges` are its token requests, as forms. */
export const startLyingProvider = async () => {
  const provider = { secret: CLIENT_SECRET, lie: {}, nonce: undefined, exchanges: [] };
  const server = createServer(async (request, response) => {
    const answer = ANSWERS[new URL(request.url, provider.issuer).pathname];
    const body = (await request.toArray()).join("");
    response.writeHead(answer ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(answer?.(provider, body) ?? {}));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  provider.issuer = `http://127.0.0.1:${server.address().port}`;
  provider.stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return provider;
};

const ANSWERS = {
  "/.well-known/openid-configuration": ({ issuer, metadataIssuer = issuer, endpoints = {} }) => ({
    issuer: metadataIssuer,
    authorization_endpoint: `${issuer}/ask`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    ...endpoints,
  }),
  "/keys": () => ({ keys: [{ ...KEY.publicKey.export({ format: "jwk" }), kid: "one", use: "sig", alg: "RS256" }] }),
  "/token": (provider, body) => {
    provider.exchanges.push(new URLSearchParams(body));
    return { access_token: "access", token_type: "Bearer", id_token: idToken(provider) };
  },
};

const idToken = ({ issuer, nonce, lie: { signature = "rs256", ...claims } }) => {
  const now = Math.floor(Date.now() / 1000);
  const told = { iss: issuer, aud: "assay", sub: "ada-1", nonce, iat: now, exp: now + 60, email: "ada@example.com", email_verified: true, ...claims };
  const input = `${encoded({ alg: ALGORITHMS[signature], kid: "one" })}.${encoded(told)}`;
  return `${input}.${SIGNATURES[signature](input)}`;
};
