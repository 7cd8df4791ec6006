import { fileURLToPath } from "node:url";
import { testContractOnWorkerd } from "../../../test/workerd-contract.ts";
import { sandboxContract } from "./contracts/sandbox.ts";

testContractOnWorkerd("sandbox on workerd", {
	worker: { entry: fileURLToPath(new URL("contracts/sandbox.worker.ts", import.meta.url)) },
	cases: sandboxContract,
});
