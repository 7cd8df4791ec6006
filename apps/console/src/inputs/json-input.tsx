import { type KeyboardEvent, useState } from "react";
import { FileList } from "../files/file-list.tsx";
import { FILES } from "../files/texts.ts";
import { useTexts } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { compactInput, describeJsonProblem, formatInput, parseInput } from "./json-text.ts";
import { forgetInputs, useLastInputs } from "./last-inputs.ts";
import { INPUTS } from "./texts.ts";

interface Props {
	readonly workflow: string;
	readonly value: string;
	onChange(text: string): void;
	/** An error from the service. JSON syntax errors are detected here. */
	readonly problem?: string | null;
	readonly rows?: number;
	/** Lists the files that the input names; false where they are shown elsewhere. */
	readonly showsFiles?: boolean;
	/** Called on Ctrl+Enter or Command+Enter. */
	onSubmit?(): void;
}

/** A field for the trigger context, with the recent inputs of this browser. */
export function JsonInput({
	workflow,
	value,
	onChange,
	problem = null,
	rows = 6,
	onSubmit,
	showsFiles = true,
}: Props) {
	const [text, files] = [useTexts(INPUTS), useTexts(FILES)];
	const read = parseInput(value);
	const tidy = read.value === null || value.trim() === "" ? null : formatInput(read.value);
	const wrong = read.problem === null ? problem : describeJsonProblem(read.problem, text);
	return (
		<div className="json-input">
			<Field label={text.label} hint={text.hint} problem={wrong}>
				{(control) => (
					<textarea
						{...control}
						rows={rows}
						spellCheck={false}
						autoCapitalize="off"
						autoComplete="off"
						placeholder="{}"
						value={value}
						onChange={(event) => onChange(event.target.value)}
						onKeyDown={handleKeyDown}
					/>
				)}
			</Field>
			{read.value !== null && showsFiles && <FileList value={read.value} label={files.inputFiles} />}
			<div className="json-input-tools">
				<LastInputs workflow={workflow} onChoose={onChange} />
				{tidy !== null && tidy !== value.trim() && (
					<Button isSmall kind="quiet" onClick={() => onChange(tidy)}>
						{text.format}
					</Button>
				)}
			</div>
		</div>
	);

	function handleKeyDown(event: KeyboardEvent): void {
		if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || onSubmit === undefined) return;
		event.preventDefault();
		onSubmit();
	}
}

function LastInputs({ workflow, onChoose }: { readonly workflow: string; onChoose(text: string): void }) {
	const text = useTexts(INPUTS);
	const inputs = useLastInputs(workflow);
	const [isOpen, setOpen] = useState(false);
	if (inputs.length === 0) return null;
	return (
		<details className="last-inputs" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
			<summary>{text.recentInputs(inputs.length)}</summary>
			<ul>
				{inputs.map((each) => (
					<li key={each}>
						<button type="button" title={each} onClick={() => choose(each)}>
							<code>{compactInput(each)}</code>
						</button>
					</li>
				))}
			</ul>
			<div className="last-inputs-foot">
				<p className="soft">{text.storageHint}</p>
				<Button isSmall kind="quiet" icon="trash" onClick={() => forgetInputs(workflow)}>
					{text.clearRecentInputs}
				</Button>
			</div>
		</details>
	);

	function choose(input: string): void {
		onChoose(input);
		setOpen(false);
	}
}
