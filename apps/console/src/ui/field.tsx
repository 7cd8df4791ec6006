import { type ReactNode, useId } from "react";
import { useTexts } from "../texts/texts.ts";
import { COMMON } from "./common-texts.ts";

interface Described {
	readonly id: string;
	readonly "aria-describedby"?: string;
	readonly "aria-invalid"?: true;
}

interface Props {
	readonly label: string;
	readonly hint?: ReactNode;
	readonly problem?: string | null | undefined;
	readonly isOptional?: boolean;
	/** Spread these props over the control to associate it with its label. */
	children(control: Described): ReactNode;
}

export function Field({ label, hint, problem, isOptional = false, children }: Props) {
	const id = useId();
	const text = useTexts(COMMON);
	const hasProblem = problem !== undefined && problem !== null && problem !== "";
	const described = [hint !== undefined && `${id}-hint`, hasProblem && `${id}-problem`]
		.filter(Boolean)
		.join(" ");
	return (
		<div className="field">
			<label htmlFor={id}>
				{label} {isOptional && <span className="soft">{text.optional}</span>}
			</label>
			{children({
				id,
				...(described !== "" && { "aria-describedby": described }),
				...(hasProblem && { "aria-invalid": true }),
			})}
			{hasProblem && (
				<p className="field-problem" id={`${id}-problem`}>
					{problem}
				</p>
			)}
			{hint !== undefined && (
				<p className="soft" id={`${id}-hint`}>
					{hint}
				</p>
			)}
		</div>
	);
}
