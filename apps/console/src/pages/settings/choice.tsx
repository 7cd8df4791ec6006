import { useId } from "react";

interface Props<Id extends string> {
	readonly label: string;
	readonly choices: readonly { readonly id: Id; readonly label: string; readonly lang?: string }[];
	readonly chosen: Id;
	onChoose(id: Id): void;
}

/** A radio group. */
export function Choice<Id extends string>({ label, choices, chosen, onChoose }: Props<Id>) {
	const name = useId();
	return (
		<fieldset className="choice">
			<legend>{label}</legend>
			<div>
				{choices.map(({ id, label: shown, lang }) => (
					<label key={id} lang={lang}>
						<input type="radio" name={name} checked={id === chosen} onChange={() => onChoose(id)} />
						{shown}
					</label>
				))}
			</div>
		</fieldset>
	);
}
