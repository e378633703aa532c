// Takes the code of a sign-in link over from the address, and out of it: it is in no history and no bookmark then.
"use strict";
(() => {
  const field = document.getElementById("token");
  const code = location.hash.slice(1);
  if (!field || !/^[0-9a-f]{64}$/.test(code)) { field?.focus(); return; }
  field.value = code;
  field.closest("[data-code]").hidden = true;
  history.replaceState(null, "", location.pathname);
  field.form.querySelector("button").focus();
})();
