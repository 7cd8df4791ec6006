import { useState } from "react";
import { describeJsonProblem, parseJson } from "../inputs/json-text.ts";
import { INPUTS } from "../inputs/texts.ts";
import { useTexts } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { COMMON } from "../ui/common-texts.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import type { Pin } from "./pins.ts";
import { PINS } from "./texts.ts";

const ROWS = 14;

interface Props {
	readonly pin: Pin;
	onSave(output: Pin["output"]): void;
	onUnpin(): void;
	onClose(): void;
}

/** Shows a pinned output, and changes it. */
export function PinDialog({ pin: { node, output }, onSave, onUnpin, onClose }: Props) {
	const [text, inputs, common] = [useTexts(PINS), useTexts(INPUTS), useTexts(COMMON)];
	const [written, setWritten] = useState(() => JSON.stringify(output, null, 2));
	const { value, problem } = parseJson(written);
	const tidy = value === undefined ? null : JSON.stringify(value, null, 2);
	return (
		<Dialog
			title={text.dialogTitle(node)}
			className="pin-dialog"
			onClose={onClose}
			actions={
				<>
					<Button kind="quiet" icon="cross" onClick={onUnpin}>
						{text.unpin}
					</Button>
					<Button onClick={onClose}>{common.cancel}</Button>
					<Button kind="primary" disabled={value === undefined} onClick={save}>
						{common.save}
					</Button>
				</>
			}
		>
			<div className="json-input">
				<Field
					label={text.output}
					hint={`${text.outputHint} ${text.storageHint}`}
					problem={problem === null ? null : describeJsonProblem(problem, inputs)}
				>
					{(control) => (
						<textarea
							{...control}
							rows={ROWS}
							spellCheck={false}
							autoCapitalize="off"
							autoComplete="off"
							value={written}
							onChange={(event) => setWritten(event.target.value)}
						/>
					)}
				</Field>
				<div className="json-input-tools">
					{tidy !== null && tidy !== written.trim() && (
						<Button isSmall kind="quiet" onClick={() => setWritten(tidy)}>
							{text.format}
						</Button>
					)}
				</div>
			</div>
		</Dialog>
	);

	function save(): void {
		if (value !== undefined) onSave(value);
	}
}
