import type { Json } from "@tripline/contract/json";
import { Field } from "../../../ui/field.tsx";
import { toText } from "./draft.ts";

interface Props {
	readonly label: string;
	readonly hint?: string;
	readonly value: Json | undefined;
	readonly problem: string | null;
	readonly isOptional?: boolean;
	/** An address, a name or a template: no help with its spelling. */
	readonly isCode?: boolean;
	readonly rows?: number;
	onChange(value: string): void;
}

export function TextField({
	label,
	hint,
	value,
	problem,
	isOptional = false,
	isCode = false,
	rows,
	onChange,
}: Props) {
	const options = isCode ? ({ autoComplete: "off", autoCapitalize: "off", spellCheck: false } as const) : {};
	return (
		<Field label={label} {...(hint !== undefined && { hint })} isOptional={isOptional} problem={problem}>
			{(control) =>
				rows === undefined ? (
					<input
						{...control}
						{...options}
						value={toText(value)}
						onChange={(event) => onChange(event.target.value)}
					/>
				) : (
					<textarea
						{...control}
						{...options}
						rows={rows}
						value={toText(value)}
						onChange={(event) => onChange(event.target.value)}
					/>
				)
			}
		</Field>
	);
}
