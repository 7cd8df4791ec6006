import { fileURLToPath } from "node:url";
import { testContractOnWorkerd } from "../../../../test/workerd-contract.ts";
import { vectorContract } from "./contract.ts";

testContractOnWorkerd("vectors on D1", {
	worker: {
		entry: fileURLToPath(new URL("vectors.worker.ts", import.meta.url)),
		d1: vectorContract.map((_, index) => `DB_${index}`),
	},
	cases: vectorContract,
});
