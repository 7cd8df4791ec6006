import { describe, test } from "node:test";
import { vaultContract } from "./contracts/vault.ts";

describe("the vault's cryptography on Node", () => {
	for (const { name, run } of vaultContract) test(name, () => run(undefined));
});
