import { type FormEvent, useEffect, useRef, useState } from "react";
import { api } from "../../api/api.ts";
import type { AuthRecipe, Credential } from "../../api/types.ts";
import { useAction } from "../../api/use-action.ts";
import { useTexts } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { Field } from "../../ui/field.tsx";
import { Problem } from "../../ui/problem.tsx";
import { focusFirstControl } from "./focus.ts";
import { collectFieldProblems, findNameProblem } from "./form-check.ts";
import { isLong, listHosts, SIGNING, suggestName, toLabel } from "./recipe.ts";
import { generateSecret } from "./secret.ts";
import { SecretInput } from "./secret-input.tsx";
import { CREDENTIALS } from "./texts.ts";

interface Props {
	readonly recipe: AuthRecipe;
	/** The credential to replace; null for a new one. */
	readonly credential: Credential | null;
	readonly taken: readonly string[];
	/** Chooses another type; null if there is no choice. */
	readonly onBack: (() => void) | null;
	onClose(): void;
	onSaved(name: string): void;
}

/** Secret values exist only in this form's state and are discarded with it. */
export function CredentialForm({ recipe, credential, taken, onBack, onClose, onSaved }: Props) {
	const text = useTexts(CREDENTIALS);
	const [name, setName] = useState(credential?.name ?? suggestName(recipe, taken));
	const [values, setValues] = useState<Readonly<Record<string, string>>>({});
	const [generated, setGenerated] = useState<string | null>(null);
	const [tries, setTries] = useState(0);
	/** Fields changed since the last save. The service's errors for them no longer apply. */
	const [changed, setChanged] = useState<readonly string[]>([]);
	const form = useRef<HTMLFormElement>(null);
	const saving = useAction(async (fields: Record<string, string>) => {
		await api.credentials.put(name, { auth_recipe: recipe.id, fields });
		setValues({});
		setGenerated(null);
		onSaved(name);
	});
	const wrongName = credential === null ? findNameProblem(name, taken) : null;
	const missing = recipe.fields.filter(
		(field) => field.optional !== true && (values[field.name] ?? "") === "",
	);
	const told = collectFieldProblems(
		saving.problem,
		recipe.fields.map((field) => field.name),
	);
	// biome-ignore lint/correctness/useExhaustiveDependencies: runs after each attempt and each response.
	useEffect(() => {
		form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
	}, [tries, saving.problem]);
	const hosts = listHosts(recipe, text.hostToEnter);

	return (
		<form ref={form} className="credential-form" onSubmit={save} autoComplete="off" noValidate>
			{told.form !== null && <Problem error={told.form} />}
			{credential === null ? (
				<Field
					label={text.name}
					hint={text.nameHint}
					problem={tries > 0 && wrongName !== null ? text.nameProblems[wrongName] : null}
				>
					{(control) => (
						<input
							{...control}
							ref={focusFirstControl}
							value={name}
							autoComplete="off"
							spellCheck={false}
							onChange={(event) => setName(event.target.value)}
						/>
					)}
				</Field>
			) : (
				<p className="soft">{text.replaceText}</p>
			)}
			{recipe.fields.map((field) => (
				<Field
					key={field.name}
					label={toLabel(field.name)}
					hint={field.help}
					isOptional={field.optional === true}
					problem={findProblem(field)}
				>
					{(control) =>
						field.secret ? (
							<SecretInput
								control={control}
								label={toLabel(field.name)}
								isLong={isLong(field)}
								value={values[field.name] ?? ""}
								onChange={(value) => set(field.name, value)}
							/>
						) : (
							<input
								{...control}
								value={values[field.name] ?? ""}
								autoComplete="off"
								spellCheck={false}
								autoCapitalize="off"
								onChange={(event) => set(field.name, event.target.value)}
							/>
						)
					}
				</Field>
			))}
			{recipe.redirect_url !== undefined && (
				<div className="redirect-url">
					<p>{text.redirectUrl}</p>
					<p className="line">
						<code>{recipe.redirect_url}</code>
						<CopyButton of={recipe.redirect_url} />
					</p>
				</div>
			)}
			{recipe.id === SIGNING && (
				<div className="generate">
					{generated === null || values.secret !== generated ? (
						<Button icon="reload" onClick={generate}>
							{text.generate}
						</Button>
					) : (
						<div className="generated" role="status">
							<p>{text.generatedHint}</p>
							<p className="line">
								<code>{generated}</code>
								<CopyButton of={generated} />
							</p>
						</div>
					)}
				</div>
			)}
			<p className="soft">{hosts.length === 0 ? text.neverSent : text.allowedHosts(hosts.join(", "))}</p>
			<div className="form-actions">
				{credential === null && onBack !== null && (
					<Button kind="quiet" icon="left" onClick={onBack}>
						{text.chooseAnotherType}
					</Button>
				)}
				<Button onClick={onClose}>{text.cancel}</Button>
				<Button kind="primary" type="submit" isBusy={saving.isBusy}>
					{text.save}
				</Button>
			</div>
		</form>
	);

	function findProblem(field: AuthRecipe["fields"][number]): string | null {
		if (tries > 0 && missing.includes(field)) return text.required;
		return changed.includes(field.name) ? null : (told.fields[field.name] ?? null);
	}

	function set(field: string, value: string): void {
		setChanged((before) => [...before, field]);
		setValues((before) => ({ ...before, [field]: value }));
	}

	function generate(): void {
		const secret = generateSecret();
		setGenerated(secret);
		set("secret", secret);
	}

	function save(event: FormEvent): void {
		event.preventDefault();
		setTries(tries + 1);
		setChanged([]);
		if (wrongName !== null || missing.length > 0) return;
		const given = recipe.fields.flatMap((field) => {
			const value = values[field.name] ?? "";
			return value === "" ? [] : [[field.name, value] as const];
		});
		saving.run(Object.fromEntries(given));
	}
}
