import { describeCall } from "@tripline/contract/calling/facts";
import { listCalls } from "@tripline/contract/calling/samples";
import { listSignatureHeaders } from "@tripline/contract/calling/signings";
import type { WorkflowDocument } from "@tripline/contract/executor";
import type { GuiWorkflow } from "@tripline/contract/gui";
import type * as z from "zod";

type CallInstructions = z.output<typeof GuiWorkflow>["call"];

/** As for Discord, which alone has the private key. */
const NO_CURL = "# Only the sender can make these calls.";

/** How to call a workflow, from its webhook URL and its document. */
export function buildCallInstructions(
	webhook_url: string,
	document: Pick<z.output<typeof WorkflowDocument>, "trigger" | "options">,
): CallInstructions {
	const call = describeCall(webhook_url, document);
	const { signature, methods, accept, cors } = call;
	return {
		...call,
		methods: [...methods],
		accept: accept === null ? null : [...accept],
		cors: [...cors],
		signature: signature === null ? null : { ...signature, headers: listSignatureHeaders(signature) },
		idempotency_header: signature?.scheme === "standard-webhooks" ? "webhook-id" : "Idempotency-Key",
		curl: listCalls(call, { input: {} }).find(({ kind }) => kind !== "html")?.text ?? NO_CURL,
	};
}
