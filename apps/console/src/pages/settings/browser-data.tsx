import { useState } from "react";
import { getSession } from "../../session/session.ts";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { listStoredKeys } from "./kept.ts";
import { SETTINGS } from "./texts.ts";

export function BrowserData() {
	const text = useTexts(SETTINGS);
	const [isAsking, setAsking] = useState(false);
	const { preferences, inputs, pins } = listStoredKeys(Object.keys(localStorage));
	return (
		<Card title={text.storedData}>
			<div className="stack">
				<p className="soft">{text.storedDataLead}</p>
				<dl className="facts">
					<dt>{text.login}</dt>
					<dd>{getSession()?.isTyped === true ? text.typedTokenStored : text.issuedTokenStored}</dd>
					<dt>{text.preferences}</dt>
					<dd>{text.preferencesStored(preferences.length)}</dd>
					<dt>{text.inputs}</dt>
					<dd>{text.inputsStored(inputs.length)}</dd>
					<dt>{text.pins}</dt>
					<dd>{text.pinsStored(pins.length)}</dd>
				</dl>
				<div>
					<Button
						icon="trash"
						disabled={preferences.length + inputs.length + pins.length === 0}
						onClick={() => setAsking(true)}
					>
						{text.clear}
					</Button>
				</div>
			</div>
			{isAsking && (
				<Confirm
					title={text.clearTitle}
					verb={text.clearAction}
					onConfirm={() => clear([...preferences, ...inputs, ...pins])}
					onClose={() => setAsking(false)}
				>
					<p>{text.clearText}</p>
				</Confirm>
			)}
		</Card>
	);
}

/** Clears the keys and reloads, which also discards values in memory. */
function clear(keys: readonly string[]): void {
	for (const key of keys) localStorage.removeItem(key);
	location.reload();
}
