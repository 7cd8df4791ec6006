import { fileURLToPath } from "node:url";
import { testContractOnWorkerd } from "../../../test/workerd-contract.ts";
import { pdfContract } from "./contracts/pdf.ts";

testContractOnWorkerd("pdf on workerd", {
	worker: { entry: fileURLToPath(new URL("contracts/pdf.worker.ts", import.meta.url)) },
	cases: pdfContract,
});
