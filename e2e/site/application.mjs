/** A confidential application that uses an OAuth library as its author would: from discovery to the token. */

import * as oauth from "oauth4webapi";

/** The server under test speaks HTTP on this machine only. */
const LOCAL = { [oauth.allowInsecureRequests]: true };

/** Learns all it needs to know from the issuer's address and its own credentials. */
export class Application {
  /** @param {import("./assay.mjs").Assay} assay */
  static async discover({ url, application }) {
    const issuer = new URL(url);
    const response = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...LOCAL });
    return new Application(await oauth.processDiscoveryResponse(issuer, response), application);
  }

  constructor(server, credentials) {
    this.server = server;
    this.credentials = credentials;
    this.client = { client_id: credentials.client_id };
    this.authentication = oauth.ClientSecretBasic(credentials.client_secret);
    this.state = oauth.generateRandomState();
    this.verifier = oauth.generateRandomCodeVerifier();
  }

  /** Where to send the member, with a proof key. */
  async authorizationUrl() {
    const url = this.plainAuthorizationUrl();
    url.searchParams.set("code_challenge", await oauth.calculatePKCECodeChallenge(this.verifier));
    url.searchParams.set("code_challenge_method", "S256");
    return url;
  }

  /** The same without a proof key, which an application that keeps a secret may leave out. */
  plainAuthorizationUrl() {
    const { client_id, redirect_uri } = this.credentials;
    const url = new URL(this.server.authorization_endpoint);
    url.search = String(new URLSearchParams({ response_type: "code", client_id, redirect_uri, state: this.state }));
    return url;
  }

  /** The answer, if issuer and state are those of our own request. Throws otherwise, and if the member refused. */
  read(answer) {
    return oauth.validateAuthResponse(this.server, this.client, answer, this.state);
  }

  async exchange(answer) {
    const { redirect_uri } = this.credentials;
    const { server, client, authentication, verifier } = this;
    const parameters = this.read(answer);
    const response = await oauth.authorizationCodeGrantRequest(
      server, client, authentication, parameters, redirect_uri, verifier, LOCAL,
    );
    return oauth.processAuthorizationCodeResponse(server, client, response);
  }

  /** The exchange as the interface was first described: credentials, code and all in the query of the address. */
  exchangeInQuery(answer) {
    const url = new URL(this.server.token_endpoint);
    const code = answer.searchParams.get("code");
    url.search = String(new URLSearchParams({ ...this.credentials, code, grant_type: "authorization_code" }));
    return fetch(url, { method: "POST" });
  }

  async refresh(refreshToken) {
    const { server, client, authentication } = this;
    const response = await oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken, LOCAL);
    return oauth.processRefreshTokenResponse(server, client, response);
  }

  /** Asks for something with a token. */
  async get(path, accessToken) {
    const url = new URL(path, this.server.issuer);
    return oauth.protectedResourceRequest(accessToken, "GET", url, new Headers(), null, LOCAL);
  }
}
