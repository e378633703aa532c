// The module's numbers, as tool/tests/same.rs prints them: node same.mjs MODULE MATCHES CASES
import { readFileSync } from "node:fs";

const [module, matches, cases] = process.argv.slice(2);
const bytes = readFileSync(module);
WebAssembly.instantiate(bytes, {}).then(({ instance }) => {
  const hex = (number) => BigInt.asUintN(64, number).toString(16).padStart(16, "0");
  const { digest_of_matches, digest_of_damage } = instance.exports;
  for (let text = 0; text < 6; text++) {
    console.log(`text ${text} ${hex(digest_of_matches(text, 0n, BigInt(matches)))}`);
  }
  for (let first = 0n; first < BigInt(cases); first += 10000n) {
    const block = BigInt(cases) - first < 10000n ? BigInt(cases) - first : 10000n;
    console.log(`damage ${first} ${hex(digest_of_damage(first, block))}`);
  }
});
