/** A device with passkeys, as Chromium plays it for the page: with its own storage, and a finger that is always recognised. */

export class PasskeyDevice {
  /** @param {import("playwright-core").Page} page */
  static async beside(page) {
    const debug = await page.context().newCDPSession(page);
    await debug.send("WebAuthn.enable");
    const options = {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    };
    const { authenticatorId } = await debug.send("WebAuthn.addVirtualAuthenticator", { options });
    return new PasskeyDevice(debug, authenticatorId);
  }

  constructor(debug, authenticatorId) {
    this.debug = debug;
    this.authenticatorId = authenticatorId;
  }

  /** What the device holds, private keys included. */
  async credentials() {
    const { credentials } = await this.debug.send("WebAuthn.getCredentials", { authenticatorId: this.authenticatorId });
    return credentials;
  }

  /** The same passkeys as those of another device, as a member's devices share them. */
  async share(credentials) {
    for (const credential of credentials) {
      await this.debug.send("WebAuthn.addCredential", { authenticatorId: this.authenticatorId, credential });
    }
  }

  /** From now on the device recognises no person. */
  recogniseNobody() {
    return this.debug.send("WebAuthn.setUserVerified", { authenticatorId: this.authenticatorId, isUserVerified: false });
  }
}
