import { useState } from "react";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { CREDENTIALS } from "./texts.ts";

interface Props {
	readonly control: { readonly id: string };
	readonly label: string;
	/** Multi-line value. */
	readonly isLong: boolean;
	readonly value: string;
	onChange(value: string): void;
}

/** A secret, hidden by default. `one-time-code` keeps browsers from saving it as a password; some ignore `off`. */
export function SecretInput({ control, label, isLong, value, onChange }: Props) {
	const text = useTexts(CREDENTIALS);
	const [isShown, setShown] = useState(false);
	return (
		<div className={isLong ? "secret long" : "secret"}>
			{isLong ? (
				<textarea
					{...control}
					rows={5}
					className={isShown ? "" : "masked"}
					autoComplete="off"
					spellCheck={false}
					value={value}
					onChange={(event) => onChange(event.target.value)}
				/>
			) : (
				<input
					{...control}
					type={isShown ? "text" : "password"}
					autoComplete={isShown ? "off" : "new-password"}
					spellCheck={false}
					value={value}
					onChange={(event) => onChange(event.target.value)}
				/>
			)}
			<Button
				isSmall
				aria-label={isShown ? text.hideOne(label) : text.showOne(label)}
				aria-pressed={isShown}
				onClick={() => setShown(!isShown)}
			>
				{isShown ? text.hide : text.show}
			</Button>
		</div>
	);
}
