/** The library openid-client: one configuration, found out from the issuer, and the flows as whole calls. See stories.mjs. */

import * as client from "openid-client";

const AUTHENTICATION = {
  client_secret_basic: client.ClientSecretBasic,
  client_secret_post: client.ClientSecretPost,
  none: client.None,
};

export class OpenidClient {
  static async start({ issuer, client_id, client_secret, redirect_uri, method }) {
    const authentication = AUTHENTICATION[method](client_secret ?? undefined);
    const options = { algorithm: "oauth2", execute: [client.allowInsecureRequests] };
    const configuration = await client.discovery(new URL(issuer), client_id, {}, authentication, options);
    return new OpenidClient(configuration, redirect_uri);
  }

  constructor(configuration, redirectUri) {
    this.configuration = configuration;
    this.redirectUri = redirectUri;
    this.verifier = client.randomPKCECodeVerifier();
    this.state = client.randomState();
  }

  async authorizationUrl() {
    return client.buildAuthorizationUrl(this.configuration, {
      redirect_uri: this.redirectUri,
      state: this.state,
      code_challenge: await client.calculatePKCECodeChallenge(this.verifier),
      code_challenge_method: "S256",
    }).href;
  }

  exchange(answer) {
    const checks = { pkceCodeVerifier: this.verifier, expectedState: this.state };
    return client.authorizationCodeGrant(this.configuration, new URL(answer), checks);
  }

  refresh(refreshToken) {
    return client.refreshTokenGrant(this.configuration, refreshToken);
  }

  introspect(token) {
    return client.tokenIntrospection(this.configuration, token);
  }

  revoke(token) {
    return client.tokenRevocation(this.configuration, token);
  }

  /** The status of a call with a token: the library throws for a challenge, which it has read. */
  async get(url, accessToken) {
    const call = client.fetchProtectedResource(this.configuration, accessToken, new URL(url), "GET");
    return (await call.catch((error) => error)).status;
  }
}
