import { type ReactNode, useId } from "react";

interface Props<Id extends string> {
	readonly label: string;
	readonly choices: readonly {
		readonly id: Id;
		readonly label: ReactNode;
		readonly hint?: string;
		readonly lang?: string;
	}[];
	readonly chosen: Id;
	onChoose(id: Id): void;
}

/** A radio group. Choices with hints are listed below each other. */
export function Choice<Id extends string>({ label, choices, chosen, onChoose }: Props<Id>) {
	const name = useId();
	const isList = choices.some(({ hint }) => hint !== undefined);
	return (
		<fieldset className={isList ? "choice list" : "choice"}>
			<legend>{label}</legend>
			<div>
				{choices.map(({ id, label: shown, hint, lang }) => (
					<label key={id} lang={lang}>
						<input
							type="radio"
							name={name}
							checked={id === chosen}
							onChange={() => onChoose(id)}
							aria-labelledby={`${name}-${id}`}
							aria-describedby={hint === undefined ? undefined : `${name}-${id}-hint`}
						/>
						<span>
							<span id={`${name}-${id}`}>{shown}</span>
							{hint !== undefined && (
								<span id={`${name}-${id}-hint`} className="soft">
									{hint}
								</span>
							)}
						</span>
					</label>
				))}
			</div>
		</fieldset>
	);
}
