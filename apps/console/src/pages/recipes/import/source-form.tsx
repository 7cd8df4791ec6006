import { type FormEvent, useRef, useState } from "react";
import type { Action } from "../../../api/use-action.ts";
import { useTexts } from "../../../texts/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Choice } from "../../../ui/choice.tsx";
import { Field } from "../../../ui/field.tsx";
import { Problem } from "../../../ui/problem.tsx";
import { collectFieldProblems } from "../../credentials/form-check.ts";
import { IMPORT } from "./texts.ts";

export type Source = { readonly url: string } | { readonly description: string };

interface Props {
	readonly reading: Pick<Action<never>, "isBusy" | "problem" | "clear">;
	onRead(source: Source): void;
	/** Called when another description is chosen. */
	onChange(): void;
}

/** The address or the file of a description. */
export function SourceForm({ reading, onRead, onChange }: Props) {
	const text = useTexts(IMPORT);
	const [from, setFrom] = useState<"address" | "file">("address");
	const [url, setUrl] = useState("");
	const [file, setFile] = useState<File | null>(null);
	const [isMissing, setMissing] = useState(false);
	const control = useRef<HTMLInputElement>(null);
	const told = collectFieldProblems(reading.problem, from === "address" ? ["url"] : []);
	return (
		<Card title={text.source}>
			<form className="stack" onSubmit={submit} noValidate>
				<Choice
					label={text.from}
					choices={[
						{ id: "address", label: text.fromAddress },
						{ id: "file", label: text.fromFile },
					]}
					chosen={from}
					onChoose={(id) => change(() => setFrom(id))}
				/>
				{from === "address" ? (
					<Field
						label={text.address}
						hint={text.addressHint}
						problem={isMissing ? text.required : (told.fields.url ?? null)}
					>
						{(input) => (
							<input
								{...input}
								type="url"
								value={url}
								autoComplete="off"
								spellCheck={false}
								onChange={(event) => change(() => setUrl(event.target.value))}
							/>
						)}
					</Field>
				) : (
					<div className="line">
						<input
							ref={control}
							type="file"
							hidden
							aria-label={text.choose}
							accept=".json,.yaml,.yml,application/json,application/yaml"
							onChange={(event) => {
								const [chosen = null] = event.currentTarget.files ?? [];
								if (chosen !== null) change(() => setFile(chosen));
								// Choosing the same file again must be a change too.
								event.currentTarget.value = "";
							}}
						/>
						<Button icon="file" onClick={() => control.current?.click()}>
							{text.choose}
						</Button>
						<span className={isMissing ? "field-problem" : "soft"}>
							{file === null ? text.noFile : text.chosenFile(file.name)}
						</span>
					</div>
				)}
				{told.form !== null && <Problem error={told.form} />}
				<div>
					<Button kind="primary" type="submit" isBusy={reading.isBusy}>
						{text.read}
					</Button>
				</div>
			</form>
		</Card>
	);

	function change(apply: () => void): void {
		apply();
		setMissing(false);
		reading.clear();
		onChange();
	}

	async function submit(event: FormEvent): Promise<void> {
		event.preventDefault();
		setMissing(from === "address" ? url.trim() === "" : file === null);
		if (from === "address" && url.trim() !== "") onRead({ url: url.trim() });
		if (from === "file" && file !== null) onRead({ description: await file.text() });
	}
}
