import type { Json } from "@tripline/contract/json";
import { useEffect, useId, useState } from "react";
import { describeJsonProblem, parseJson } from "../../../inputs/json-text.ts";
import { INPUTS } from "../../../inputs/texts.ts";
import { useTexts } from "../../../texts/texts.ts";
import { Field } from "../../../ui/field.tsx";

interface Props {
	readonly label: string;
	readonly hint?: string;
	/** Undefined if it is not set; then the text is empty. */
	readonly value: Json | undefined;
	readonly problem: string | null;
	onChange(value: Json | undefined): void;
	/** Called with whether the text is not valid JSON; it then stays in the field. */
	onWrong(field: string, isWrong: boolean): void;
}

/** A part of the recipe that is edited as JSON. */
export function JsonField({ label, hint, value, problem, onChange, onWrong }: Props) {
	const inputs = useTexts(INPUTS);
	const id = useId();
	const [typed, setTyped] = useState(() => (value === undefined ? "" : JSON.stringify(value, null, 2)));
	const read = typed.trim() === "" ? null : parseJson(typed);
	const wrong = read === null || read.problem === null ? null : describeJsonProblem(read.problem, inputs);
	const isWrong = wrong !== null;
	useEffect(() => onWrong(id, isWrong), [id, isWrong, onWrong]);
	// A removed field has no text that could be wrong.
	useEffect(() => () => onWrong(id, false), [id, onWrong]);
	return (
		<Field label={label} {...(hint !== undefined && { hint })} isOptional problem={wrong ?? problem}>
			{(control) => (
				<textarea
					{...control}
					rows={Math.min(12, Math.max(2, typed.split("\n").length))}
					spellCheck={false}
					autoCapitalize="off"
					value={typed}
					onChange={(event) => change(event.target.value)}
				/>
			)}
		</Field>
	);

	function change(next: string): void {
		setTyped(next);
		const parsed = next.trim() === "" ? { value: undefined, problem: null } : parseJson(next);
		if (parsed.problem === null) onChange(parsed.value);
	}
}
