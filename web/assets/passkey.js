// Adds a passkey and signs in with one: turns the site's options into what the browser takes, and its answer into a form.
"use strict";
(() => {
  const form = document.querySelector("form[data-passkey]");
  // Browsers without it are from before 2023.
  if (!form || !window.AuthenticatorAttestationResponse?.prototype.getPublicKey) return;
  const says = form.querySelector("output");
  const bytes = (text) =>
    Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
  const text = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  const named = (list) => (list || []).map((known) => ({ ...known, id: bytes(known.id) }));

  async function added(options) {
    const publicKey = { ...options.publicKey, challenge: bytes(options.publicKey.challenge) };
    publicKey.user = { ...publicKey.user, id: bytes(publicKey.user.id) };
    publicKey.excludeCredentials = named(publicKey.excludeCredentials);
    const { rawId, response } = await navigator.credentials.create({ publicKey });
    return {
      id: text(rawId),
      clientData: text(response.clientDataJSON),
      authenticatorData: text(response.getAuthenticatorData()),
      key: text(response.getPublicKey()),
      algorithm: response.getPublicKeyAlgorithm(),
    };
  }

  async function proven(options) {
    const publicKey = { ...options.publicKey, challenge: bytes(options.publicKey.challenge) };
    publicKey.allowCredentials = named(publicKey.allowCredentials);
    const { rawId, response } = await navigator.credentials.get({ publicKey });
    return {
      id: text(rawId),
      clientData: text(response.clientDataJSON),
      authenticatorData: text(response.authenticatorData),
      signature: text(response.signature),
      user: text(response.userHandle),
    };
  }

  async function answer() {
    if (form.dataset.passkey === "add") return added(JSON.parse(form.dataset.options));
    const asked = await fetch(form.dataset.options, { method: "POST", headers: { accept: "application/json" } });
    const challenge = await asked.json();
    if (!asked.ok) throw new Error(challenge.detail);
    form.elements.token.value = challenge.token;
    return proven(challenge.options);
  }

  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    says.value = "";
    try {
      form.elements.credential.value = JSON.stringify(await answer());
      form.submit();
    } catch (error) {
      const refused = error instanceof DOMException;
      says.value = refused ? "Nothing was done: your browser has no passkey for this, or you cancelled. Try again." : error.message;
    }
  });
})();
