import { fileURLToPath } from "node:url";
import { testContractOnWorkerd } from "../../../test/workerd-contract.ts";
import { vaultContract } from "./contracts/vault.ts";

testContractOnWorkerd("the vault's cryptography on workerd", {
	worker: { entry: fileURLToPath(new URL("contracts/vault.worker.ts", import.meta.url)) },
	cases: vaultContract,
});
