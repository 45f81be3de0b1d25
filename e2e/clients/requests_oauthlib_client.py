"""The library requests-oauthlib, as an application uses it. It knows no introspection, so that is asked by hand. See dialogue.py."""

import os

os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

import requests
from requests.auth import HTTPBasicAuth
from requests_oauthlib import OAuth2Session

from dialogue import answer_all


class Client:
    def __init__(self, registration):
        self.issuer = registration["issuer"]
        self.client_id, secret = registration["client_id"], registration["client_secret"]
        self.session = OAuth2Session(self.client_id, redirect_uri=registration["redirect_uri"], pkce="S256")
        by_basic = registration["method"] == "client_secret_basic"
        self.auth = HTTPBasicAuth(self.client_id, secret) if by_basic else None
        self.credentials = {} if by_basic else {"client_id": self.client_id}
        if secret and not by_basic:
            self.credentials["client_secret"] = secret

    def endpoint(self, name):
        return f"{self.issuer}/oauth2/{name}"

    def authorization_url(self):
        return self.session.authorization_url(self.endpoint("authorize"))[0]

    def exchange(self, answer):
        return self.session.fetch_token(
            self.endpoint("token"),
            authorization_response=answer,
            auth=self.auth,
            include_client_id=not self.auth,
            client_secret=self.credentials.get("client_secret"),
        )

    def refresh(self, refresh_token):
        return self.session.refresh_token(self.endpoint("token"), refresh_token, auth=self.auth, **self.credentials)

    def introspect(self, token):
        return self.ask("introspect", token).json()

    def revoke(self, token):
        self.ask("revoke", token).raise_for_status()

    def ask(self, endpoint, token):
        return requests.post(self.endpoint(endpoint), data={"token": token, **self.credentials}, auth=self.auth)

    def get(self, url, access_token):
        self.session.token = {"access_token": access_token, "token_type": "bearer"}
        return self.session.get(url).status_code


answer_all(Client)
