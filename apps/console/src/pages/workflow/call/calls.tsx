import { type CallKind, listCalls } from "@tripline/contract/calling/samples";
import { sampleInput } from "@tripline/contract/sample-input";
import { useState } from "react";
import type { WorkflowDetail } from "../../../api/types.ts";
import { compactInput, parseInput } from "../../../inputs/json-text.ts";
import { useTexts } from "../../../texts/texts.ts";
import { Snippet } from "../../../ui/copy.tsx";
import { Tabs } from "../../../ui/tabs.tsx";
import { CALL } from "./texts.ts";
import { TRIGGER } from "./trigger-texts.ts";

/** Ready-made calls, as far as the trigger takes them. */
export function Calls({ detail, input }: { readonly detail: WorkflowDetail; readonly input: string }) {
	const text = useTexts(TRIGGER);
	const common = useTexts(CALL);
	const { call, document } = detail;
	const schema = document.options?.input_schema;
	const isEmpty = input.trim() === "";
	const value = (isEmpty && schema !== undefined ? sampleInput(schema) : parseInput(input).value) ?? {};
	const body = isEmpty ? JSON.stringify(value) : compactInput(input);
	const calls = listCalls(call, { input: value, body, schema });
	const [wanted, setWanted] = useState<CallKind>("json");
	const chosen = calls.find(({ kind }) => kind === wanted) ?? calls[0];
	const { auth, signature, cors } = call;
	if (chosen === undefined)
		return <p className="soft">{signature?.scheme === "discord" ? common.discordHint : text.noCalls}</p>;
	const { kind } = chosen;
	return (
		<Tabs<CallKind>
			label={text.calls}
			chosen={kind}
			onChoose={setWanted}
			tabs={calls.map((each) => ({ id: each.kind, label: text.callKinds[each.kind] }))}
		>
			<div className="call-sample">
				<p className="soft">
					{text.callTexts[kind]} {kind === "html" && cors.length > 0 && text.htmlCors}
				</p>
				{signature !== null && <p className="soft">{common.secretHint}</p>}
				{auth !== null && <p className="soft">{auth.scheme === "basic" ? text.basicHint : text.tokenHint}</p>}
				<Snippet of={chosen.text} label={text.callKinds[kind]} />
			</div>
		</Tabs>
	);
}
