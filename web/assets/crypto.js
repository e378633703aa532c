// What the scripts of players share: notations of bytes, and SHA-256.
export const subtle = globalThis.crypto?.subtle;
export const text = new TextEncoder();
export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
export const unhex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
export const base64 = (bytes) => btoa(String.fromCharCode(...bytes));
export const unbase64 = (line) => Uint8Array.from(atob(line), (letter) => letter.charCodeAt(0));
export const hash = async (...parts) => new Uint8Array(await subtle.digest("SHA-256", new Uint8Array(parts.flatMap((part) => [...part]))));

// Something that is kept in this browser alone.
export const stored = (database, store, mode, work) => new Promise((done, fail) => {
  const opening = indexedDB.open(database, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(store);
  opening.onerror = () => fail(opening.error);
  opening.onsuccess = () => {
    const transaction = opening.result.transaction(store, mode);
    const asked = work(transaction.objectStore(store));
    transaction.oncomplete = () => { opening.result.close(); done(asked.result); };
    transaction.onerror = transaction.onabort = () => fail(transaction.error);
  };
});
