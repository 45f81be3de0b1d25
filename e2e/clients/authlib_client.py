"""The library Authlib on requests, as an application uses it. See dialogue.py."""

import os
from urllib.parse import parse_qsl, urlsplit

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

from authlib.common.security import generate_token
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session

from dialogue import answer_all


class Client:
    def __init__(self, registration):
        self.issuer = registration["issuer"]
        self.verifier = generate_token(64)
        self.session = OAuth2Session(
            registration["client_id"],
            registration["client_secret"],
            token_endpoint_auth_method=registration["method"],
            revocation_endpoint_auth_method=registration["method"],
            redirect_uri=registration["redirect_uri"],
            code_challenge_method="S256",
        )

    def endpoint(self, name):
        return f"{self.issuer}/oauth2/{name}"

    def authorization_url(self):
        url, self.state = self.session.create_authorization_url(self.endpoint("authorize"), code_verifier=self.verifier)
        return url

    def exchange(self, answer):
        # What Authlib's integrations for web frameworks do before they ask for a token.
        told = dict(parse_qsl(urlsplit(answer).query))
        if "error" in told:
            raise OAuthError(told["error"], told.get("error_description"))
        return self.session.fetch_token(
            self.endpoint("token"), authorization_response=answer, state=self.state, code_verifier=self.verifier
        )

    def refresh(self, refresh_token):
        return self.session.refresh_token(self.endpoint("token"), refresh_token)

    def introspect(self, token):
        return self.session.introspect_token(self.endpoint("introspect"), token).json()

    def revoke(self, token):
        self.session.revoke_token(self.endpoint("revoke"), token).raise_for_status()

    def get(self, url, access_token):
        self.session.token = {"access_token": access_token, "token_type": "bearer"}
        return self.session.get(url).status_code


answer_all(Client)
