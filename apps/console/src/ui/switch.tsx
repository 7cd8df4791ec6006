interface Props {
	/** What is switched; for screen readers. */
	readonly label: string;
	/** The state in words, next to the switch. */
	readonly word: string;
	readonly isOn: boolean;
	readonly isBusy?: boolean;
	onChange(isOn: boolean): void;
}

export function Switch({ label, word, isOn, isBusy = false, onChange }: Props) {
	return (
		<label className="switch">
			<input
				type="checkbox"
				role="switch"
				aria-label={label}
				aria-checked={isOn}
				aria-busy={isBusy}
				checked={isOn}
				onChange={(event) => {
					const isWanted = event.currentTarget.checked;
					// Shows the state of the service, which changes with its answer.
					event.currentTarget.checked = isOn;
					if (!isBusy) onChange(isWanted);
				}}
			/>
			<span aria-hidden="true">{word}</span>
		</label>
	);
}
