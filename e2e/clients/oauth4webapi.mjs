/** The library oauth4webapi: each step of the protocol is a call, and every answer is checked to the letter. See stories.mjs. */

import * as oauth from "oauth4webapi";

/** The server under test speaks HTTP on this machine only. */
const LOCAL = { [oauth.allowInsecureRequests]: true };

const AUTHENTICATION = {
  client_secret_basic: oauth.ClientSecretBasic,
  client_secret_post: oauth.ClientSecretPost,
  none: oauth.None,
};

export class Oauth4webapi {
  static async start(registration) {
    const issuer = new URL(registration.issuer);
    const response = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...LOCAL });
    return new Oauth4webapi(await oauth.processDiscoveryResponse(issuer, response), registration);
  }

  constructor(server, { client_id, client_secret, redirect_uri, method }) {
    this.server = server;
    this.client = { client_id };
    this.authentication = AUTHENTICATION[method](client_secret);
    this.redirectUri = redirect_uri;
    this.state = oauth.generateRandomState();
    this.verifier = oauth.generateRandomCodeVerifier();
  }

  async authorizationUrl() {
    const url = new URL(this.server.authorization_endpoint);
    url.search = String(new URLSearchParams({
      response_type: "code",
      client_id: this.client.client_id,
      redirect_uri: this.redirectUri,
      state: this.state,
      code_challenge: await oauth.calculatePKCECodeChallenge(this.verifier),
      code_challenge_method: "S256",
    }));
    return String(url);
  }

  async exchange(answer) {
    const { server, client, authentication, redirectUri, state, verifier } = this;
    const parameters = oauth.validateAuthResponse(server, client, new URL(answer), state);
    const response = await oauth.authorizationCodeGrantRequest(
      server, client, authentication, parameters, redirectUri, verifier, LOCAL,
    );
    return oauth.processAuthorizationCodeResponse(server, client, response);
  }

  async refresh(refreshToken) {
    const { server, client, authentication } = this;
    const response = await oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken, LOCAL);
    return oauth.processRefreshTokenResponse(server, client, response);
  }

  async introspect(token) {
    const { server, client, authentication } = this;
    const response = await oauth.introspectionRequest(server, client, authentication, token, LOCAL);
    return oauth.processIntrospectionResponse(server, client, response);
  }

  async revoke(token) {
    const { server, client, authentication } = this;
    const response = await oauth.revocationRequest(server, client, authentication, token, LOCAL);
    await oauth.processRevocationResponse(response);
  }

  /** The status of a call with a token: the library throws for a challenge, which it has read. */
  async get(url, accessToken) {
    const call = oauth.protectedResourceRequest(accessToken, "GET", new URL(url), new Headers(), null, LOCAL);
    return (await call.catch((error) => error)).status;
  }
}
