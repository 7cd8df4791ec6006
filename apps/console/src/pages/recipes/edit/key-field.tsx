import { useState } from "react";
import { useTexts } from "../../../texts/texts.ts";
import { Field } from "../../../ui/field.tsx";
import { EDIT } from "./texts.ts";

interface Props {
	readonly label: string;
	readonly name: string;
	/** The names of the others. */
	readonly taken: readonly string[];
	readonly problem?: string | null;
	onRename(name: string): void;
}

/** A name by which a part is stored. It changes when the field is left, so that no other part is overwritten meanwhile. */
export function KeyField({ label, name, taken, problem = null, onRename }: Props) {
	const text = useTexts(EDIT);
	const [typed, setTyped] = useState(name);
	const isTaken = typed !== name && taken.includes(typed);
	return (
		<Field label={label} problem={isTaken ? text.taken : problem}>
			{(control) => (
				<input
					{...control}
					value={typed}
					autoComplete="off"
					autoCapitalize="off"
					spellCheck={false}
					onChange={(event) => setTyped(event.target.value)}
					onBlur={rename}
				/>
			)}
		</Field>
	);

	function rename(): void {
		if (typed === "" || isTaken) setTyped(name);
		else if (typed !== name) onRename(typed);
	}
}
